// Source filter: decides which files a measurement includes.
#include "report/config/source_filter.h"

#include <algorithm>
#include <filesystem>

namespace qd::report {

namespace {

namespace fs = std::filesystem;

bool is_in_tree(const std::string& path, const std::string& folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

bool is_third_party(const std::string& path) {
  return path.find("/site-packages/") != std::string::npos || path.find("/dist-packages/") != std::string::npos;
}

/// Whether a path is in a folder lib/python3.N.
bool is_standard_library(const std::string& path) {
  size_t found = path.find("/lib/python3.");
  if (found == std::string::npos) return false;
  size_t end = path.find_first_not_of("0123456789", found + 13);
  return end != std::string::npos && end > found + 13 && path[end] == '/';
}

/// Dotted name under which `path` would be imported: up to the outermost folder with an __init__.py.
std::string module_name(const std::string& path) {
  fs::path file = path;
  std::string name = file.stem() == "__init__" ? "" : file.stem().string();
  for (fs::path folder = file.parent_path(); fs::exists(folder / "__init__.py"); folder = folder.parent_path())
    name = folder.filename().string() + (name.empty() ? "" : "." + name);
  return name;
}

bool is_in_package(const std::string& module, const std::string& package) {
  return module.starts_with(package) && (module.size() == package.size() || module[package.size()] == '.');
}

/// Candidate folders of `package` when it has no __init__.py.
std::vector<std::string> namespace_folders(const std::string& package) {
  std::string relative = package;
  std::replace(relative.begin(), relative.end(), '.', '/');
  std::vector<std::string> folders;
  for (const std::string& folder : {relative, "src/" + relative})
    if (fs::is_directory(folder) && !fs::exists(folder + "/__init__.py")) folders.push_back(absolute_path(folder));
  return folders;
}

}  // namespace

SourceFilter::SourceFilter(const Config& config, SourceFolders where)
    : cover_pylib_(config.cover_pylib),
      source_pkgs_(config.source_pkgs),
      include_(prepare_patterns(config.run_include)),
      omit_(prepare_patterns(config.run_omit)) {
  StringList folders = config.source_dirs;
  for (const std::string& source : config.source.value_or(StringList{}))
    (fs::is_directory(source) ? folders : source_pkgs_).push_back(source);
  for (const std::string& folder : folders) {
    if (where == SourceFolders::AreHere && !fs::is_directory(folder))
      throw ConfigError("Source dir is not a directory: '" + folder + "'");
    source_dirs_.push_back(absolute_path(folder));
    if (source_dirs_.back() == "/") throw ConfigError("Source dir can't be a file system root: '" + folder + "'");
  }
  has_source_ = !source_dirs_.empty() || !source_pkgs_.empty();
  for (const std::string& package : source_pkgs_)
    for (const std::string& folder : namespace_folders(package)) source_dirs_.push_back(folder);
}

bool SourceFilter::in_source(const std::string& path) const {
  std::string module = module_name(path);
  bool in_package = std::any_of(source_pkgs_.begin(), source_pkgs_.end(),
                                [&](const auto& package) { return is_in_package(module, package); });
  if (in_package) return true;
  return std::any_of(source_dirs_.begin(), source_dirs_.end(), [&](const std::string& folder) {
    return is_in_tree(path, folder) && (!is_third_party(path) || is_third_party(folder + "/"));
  });
}

bool SourceFilter::measures(const std::string& path) const {
  if (has_source_) {
    if (!in_source(path)) return false;
  } else if (!include_.empty()) {
    if (!include_.match(path)) return false;
  } else if (is_third_party(path) || (!cover_pylib_ && is_standard_library(path))) {
    return false;
  }
  return !omit_.match(path);
}

}  // namespace qd::report
