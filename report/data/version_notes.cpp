// Version notes: sentences about versions.
#include "report/data/version_notes.h"

#include <fmt/format.h>

#include <algorithm>

namespace qd::report {

namespace {

constexpr size_t kMostNames = 10;

const char* it_or_them(const std::vector<std::string>& files) { return files.size() == 1 ? "it" : "them"; }

}  // namespace

std::string first_of(const std::vector<std::string>& names) {
  return names.size() == 1 ? fmt::format("'{}'", names[0])
                           : fmt::format("'{}' and {} more", names[0], names.size() - 1);
}

void VersionNotes::add(const std::string& file, SourceVersion version) {
  switch (version) {
    case SourceVersion::This: break;
    case SourceVersion::Newer: newer.push_back(file); [[fallthrough]];
    case SourceVersion::Unknown: unknown.push_back(file); break;
    case SourceVersion::Other: other.push_back(file); break;
    case SourceVersion::PartlyOther: partly_other.push_back(file); break;
    case SourceVersion::NoLines: without_lines.push_back(file); break;
  }
}

std::vector<std::string> VersionNotes::notes() const {
  std::vector<std::string> result;
  if (!newer.empty())
    result.push_back(fmt::format("{} {} newer than the data: after a change, run the tests again.", first_of(newer),
                                 newer.size() == 1 ? "is" : "are"));
  if (!other.empty())
    result.push_back(fmt::format("The data of {} is of another version of {}: run the tests again.", first_of(other),
                                 it_or_them(other)));
  if (!partly_other.empty())
    result.push_back(fmt::format("Some data of {} has no version, and may be of another one: run the tests again.",
                                 first_of(partly_other)));
  if (!without_lines.empty())
    result.push_back(fmt::format("The report that has {} has no line of {}: its coverage is not known.",
                                 first_of(without_lines), it_or_them(without_lines)));
  if (!ambiguous.empty())
    result.push_back(fmt::format("{}{}: not measured. Set [paths] or --src-roots so that it names one file.",
                                 ambiguous[0],
                                 ambiguous.size() == 1 ? "" : fmt::format(" (and {} more)", ambiguous.size() - 1)));
  return result;
}

std::string VersionNotes::untrusted_files() const {
  std::vector<std::string> files = other;
  files.insert(files.end(), partly_other.begin(), partly_other.end());
  if (files.empty() && !without_lines.empty())
    return fmt::format("the report that has {} has no line of {}", first_of(without_lines), it_or_them(without_lines));
  if (files.empty() && !ambiguous.empty()) return fmt::format("{}, so it is not measured", ambiguous[0]);
  return files.empty() ? ""
                       : fmt::format("the data of {} is of another version of {}, or some of it may be",
                                     first_of(files), it_or_them(files));
}

std::string VersionNotes::without_hashes() const {
  std::vector<std::string> files;
  for (const std::vector<std::string>* list : {&unknown, &other, &partly_other, &without_lines})
    files.insert(files.end(), list->begin(), list->end());
  if (files.empty()) return "";
  std::sort(files.begin(), files.end());
  const size_t shown = std::min(files.size(), kMostNames);
  std::string names =
      fmt::format("'{}'", fmt::join(files.begin(), files.begin() + static_cast<std::ptrdiff_t>(shown), "', '"));
  if (shown < files.size()) names += fmt::format(" and {} more", files.size() - shown);
  return fmt::format("--require-hashes: the data of {} has no hash of its present source.", names);
}

}  // namespace qd::report
