// Canonical paths of measured files.
#include "report/diff/data_paths.h"

#include <filesystem>

namespace qd::report {

namespace fs = std::filesystem;

std::string canonical_path(const std::string& path) {
  std::error_code error;
  fs::path result = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : result.string();
}

std::string CanonicalPaths::operator()(const std::string& path) {
  fs::path given(path);
  fs::path name = given.filename();
  std::error_code error;
  if (name.empty() || name == "." || name == ".." || fs::is_symlink(given, error)) return canonical_path(path);
  auto [folder, is_new] = folders_.try_emplace(given.parent_path().string());
  if (is_new) folder->second = canonical_path(given.has_parent_path() ? given.parent_path().string() : ".");
  return folder->second + (folder->second.ends_with('/') ? "" : "/") + name.string();
}

DataPaths::DataPaths(const CoverageData& data, CanonicalPaths& canonical) {
  for (const auto& [path, file] : data.files) paths_.emplace(canonical(path), &path);
  for (const AmbiguousName& name : data.ambiguous)
    for (const std::string& path : name.paths)
      if (std::string one = canonical(path); !paths_.contains(one)) ambiguous_.emplace(std::move(one), &name);
  for (const auto& [path, file] : data.imported)
    paths_.emplace(canonical(path), &path);  // measured files take precedence over imported ones
}

}  // namespace qd::report
