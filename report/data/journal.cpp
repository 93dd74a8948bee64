// Journal files: finds and reads them; most are of processes that have died.
#include "report/data/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "report/data/file_content.h"
#include "report/data/journal_data.h"
#include "report/data/line_journal.h"
#include "report/data/source_version.h"
#include "report/data/unused_name.h"
#include "report/data/utf8.h"

namespace qd::report {

bool is_journal(const std::string& path) {
  return std::filesystem::path(path).filename().string().starts_with(kJournalPrefix) ||
         begins_with(path, journal::kMagic) || begins_with(path, kLineJournalMagic);
}

FoundJournal find_journal(const std::string& path) {
  FoundJournal found{path, {}, ProcessState::Ended};
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return found;
  std::string head(journal::kPiece, '\0');
  const ssize_t size = pread(file, head.data(), head.size(), 0);
  head.resize(size > 0 ? static_cast<size_t>(size) : 0);
  found.writer = head.starts_with(kLineJournalMagic) ? line_journal_writer(head) : JournalRecords(head).writer();
  found.state = state_of_writer(file, found.writer);
  close(file);
  return found;
}

std::vector<FoundJournal> find_journals(const std::string& folder) {
  std::vector<FoundJournal> found;
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator(folder, unreadable))
    if (entry.path().filename().string().starts_with(kJournalPrefix))
      found.push_back(find_journal(entry.path().string()));
  std::ranges::sort(found, {}, &FoundJournal::path);
  return found;
}

std::vector<std::string> orphaned_journals(const std::string& folder) {
  std::vector<std::string> orphaned;
  for (FoundJournal& journal : find_journals(folder))
    if (journal.state == ProcessState::Ended) orphaned.push_back(std::move(journal.path));
  return orphaned;
}

namespace {

/// Adds to the data of a journal its name and time. A damaged one counts as unread: some of its data is lost.
CoverageData of_journal(CoverageData data, const std::string& path) {
  data.path = path;
  data.written = written_at(path);
  if (data.files.empty() && !data.damage.empty()) throw DataError(data.damage);
  if (data.files.empty()) data.has_arcs.reset();
  if (!data.damage.empty()) data.unread_inputs.insert(shown_text(path));
  return data;
}

}  // namespace

CoverageData read_journal(const std::string& path) {
  std::optional<std::string> bytes = read_bytes(path);
  if (!bytes)
    throw DataError(fmt::format("Couldn't read kernel coverage journal '{}': {}", path, why_unreadable(path)));
  if (bytes->starts_with(kLineJournalMagic)) return of_journal(read_line_journal(*bytes, path), path);
  JournalRecords records(*bytes);
  if (!records.good() && bytes->starts_with(journal::kAnyMagic) && !bytes->starts_with(journal::kMagic))
    throw DataError(
        fmt::format("Couldn't use '{}': another version of qd-cov wrote this kernel coverage journal, in a "
                    "layout that is not this one's. Combine it with that version",
                    path));
  if (!records.good())
    throw DataError(fmt::format("Couldn't use '{}': it is no kernel coverage journal, or nothing of it is left", path));
  JournalData reader({records.branch(), records.relative_to()});
  reader.add(records);
  CoverageData data = reader.take();
  if (std::string damage = records.damage(); !damage.empty())
    data.damage = fmt::format("Kernel coverage journal '{}' {}", path, damage);
  return of_journal(std::move(data), path);
}

std::string name_aside(const std::string& journal) {
  const std::filesystem::path path(journal);
  std::string name = path.filename().string();
  if (name.starts_with(kJournalPrefix)) name = name.substr(std::string_view(kJournalPrefix).size());
  return (path.parent_path() / (kDamagedPrefix + name)).string();
}

std::string set_aside(const std::string& journal) { return move_to_unused(journal, name_aside(journal)); }

}  // namespace qd::report
