// Canonical paths of measured files.
#include "report/diff/data_paths.h"

#include <algorithm>
#include <filesystem>

namespace qd::report {

namespace fs = std::filesystem;

namespace {

std::string without_links(const fs::path& path) {
  std::error_code error;
  fs::path result = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path.string() : result.string();
}

}  // namespace

std::string CanonicalPaths::operator()(const std::string& path) {
  fs::path given(path);
  fs::path name = given.filename();
  std::error_code error;
  if (name.empty() || name == "." || name == ".." || fs::is_symlink(given, error)) return without_links(given);
  auto [folder, is_new] = folders_.try_emplace(given.parent_path().string());
  if (is_new) folder->second = without_links(given.has_parent_path() ? given.parent_path() : fs::path("."));
  return folder->second + (folder->second.ends_with('/') ? "" : "/") + name.string();
}

DataPaths::DataPaths(const CoverageData& data, CanonicalPaths& canonical) {
  for (const auto& [path, file] : data.files) paths_.emplace(canonical(path), &path);
  for (const auto& [path, file] : data.imported) paths_.emplace(canonical(path), &path);  // what was measured goes before what was imported
}

bool DataPaths::any_in(const std::string& folder) const {
  return std::any_of(paths_.begin(), paths_.end(), [&](const auto& entry) { return entry.first.starts_with(folder); });
}

}  // namespace qd::report
