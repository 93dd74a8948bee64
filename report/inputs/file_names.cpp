// File names: searches for files. An ambiguity is never settled by order: a file must not get the lines of its
// namesake.
#include "report/inputs/file_names.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "report/config/glob_matcher.h"
#include "report/data/utf8.h"
#include "report/inputs/input_file.h"

namespace qd::report {

namespace fs = std::filesystem;

namespace {

bool is_below(const fs::path& path, const fs::path& folder) {
  return path.string().starts_with(folder == "/" ? "/" : folder.string() + "/") && path != folder;
}

}  // namespace

FileNames::FileNames(std::string report, const InputOptions& options, CoverageData& data)
    : report_(std::move(report)), options_(options), data_(data) {}

bool FileNames::is_here(const std::string& path) const {
  std::error_code error;
  return fs::exists(options_.map_path ? options_.map_path(path) : path, error);
}

bool FileNames::is_below_root(const std::string& path) const {
  return std::any_of(options_.roots.begin(), options_.roots.end(),
                     [&](const std::string& root) { return is_below(path, absolute_path(root)); });
}

Places FileNames::present(const std::vector<std::string>& paths) const {
  Places result;
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    if (!is_here(path)) continue;
    std::error_code error;
    const fs::path mapped = options_.map_path ? options_.map_path(path) : path;
    const fs::path file = fs::weakly_canonical(mapped, error);
    if (seen.insert(error ? mapped.string() : file.string()).second) result.push_back(path);
  }
  return result;
}

Places FileNames::places(const std::string& name) const {
  const std::string here = input_path(name);
  if (name.starts_with('/') || here == name) return {here};
  const fs::path report = absolute_path(report_), current = absolute_path(".");
  std::vector<std::string> paths;
  std::set<std::string> own;  // below roots that also contain the report
  for (const std::string& root : options_.roots) {
    paths.push_back(input_path(name, root));
    if (const std::string folder = absolute_path(root); folder != current && is_below(report, folder))
      own.insert(paths.back());
  }
  Places found = present(paths);
  narrow(found, [&](const std::string& path) { return own.contains(path); });  // a module's report is inside it
  if (!found.empty()) return found;
  paths = {here};
  for (fs::path folder = report.parent_path(); is_below(folder, current); folder = folder.parent_path())
    paths.push_back(input_path(name, folder.string()));
  found = present(paths);
  return found.empty() ? Places{here} : found;
}

ImportedFile* FileNames::file(const std::string& name, const Places& places) {
  if (name.empty()) return &nameless_;
  if (places.size() == 1) return &data_.imported[places[0]];
  data_.ambiguous.insert({report_, name, {places.begin(), places.end()}});
  return nullptr;
}

ImportedFile* FileNames::file(const std::string& name, const std::string& module, const Places& places) {
  ImportedFile* result = file(name, places);
  if (!result || name.empty()) return result;
  const auto [known, is_new] = modules_.emplace(places[0], module);
  if (is_new || known->second == module) return result;
  data_.ambiguous.insert({report_, name, {places[0]}});
  doubtful_.push_back(places[0]);
  return result;
}

void FileNames::finish() {
  for (const std::string& path : doubtful_) data_.imported.erase(path);
  if (!nameless_.lines.empty() || !nameless_.branches.empty()) data_.unread_inputs.insert(shown_text(report_));
}

void narrow(Places& places, const std::function<bool(const std::string& path)>& fits) {
  if (places.size() < 2) return;
  Places fitting;
  std::copy_if(places.begin(), places.end(), std::back_inserter(fitting), fits);
  if (!fitting.empty()) places = std::move(fitting);
}

bool is_in_folder(const std::string& path, const std::string& folder) {
  const std::string parent = path.substr(0, path.rfind('/') + 1);
  return !folder.empty() && (parent == folder + "/" || parent.ends_with("/" + folder + "/"));
}

}  // namespace qd::report
