// Path aliases of [paths]: map files that were measured on other machines to files here.
#include "report/config/path_aliases.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "report/regex/python_text.h"

namespace qd::report {

namespace {

/// Separator that `path` uses.
char separator_of(const std::string& path) {
  size_t found = path.find_first_of("\\/");
  return found == std::string::npos ? '/' : path[found];
}

/// Whether a path is absolute on any system: "/x", "\x", "C:\x".
bool is_absolute_anywhere(const std::string& path) {
  auto is_slash = [&](size_t i) { return i < path.size() && (path[i] == '/' || path[i] == '\\'); };
  if (path.starts_with('/')) return true;
  return path.starts_with("\\\\") || (path.size() > 1 && path[1] == ':' && is_slash(2)) || is_slash(0);
}

std::string without_last_slashes(std::string path) {
  while (path.ends_with('/') || path.ends_with('\\')) path.pop_back();
  return path;
}

bool starts_with_dot_slash(const std::string& path) { return path.starts_with("./") || path.starts_with(".\\"); }

/// Whether a source exists, also inside of an archive.
bool source_exists(const std::string& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error)) return true;
  for (const char* extension : {".zip", ".whl", ".egg", ".pex", ".par"}) {
    size_t found = path.find(std::string(extension) + "/");
    if (found != std::string::npos && std::filesystem::exists(path.substr(0, found + 4), error)) return true;
  }
  return false;
}

}  // namespace

size_t PathAliases::Alias::match_length(const std::string& path) const {
  if (matcher) return matcher->match_length(path);
  std::string folder = result.substr(0, result.size() - 1);
  for (size_t found = path.rfind(folder); found != std::string::npos;
       found = found == 0 ? std::string::npos : path.rfind(folder, found - 1)) {
    size_t end = found + folder.size();
    bool begins = found == 0 || path[found - 1] == '/' || path[found - 1] == '\\';
    if (begins && end < path.size() && (path[end] == '/' || path[end] == '\\')) return end + 1;
  }
  return std::string::npos;
}

PathAliases::PathAliases(const Config& config)
    : relative_(config.relative_files), relative_folder_(absolute_path(".")) {
  if (!relative_folder_.ends_with('/')) relative_folder_ += '/';
  for (const auto& [name, list] : config.paths)
    for (size_t i = 1; i < list.size(); ++i) add(list[i], list[0]);
}

void PathAliases::add(std::string pattern, const std::string& result) {
  std::string original = pattern;
  char separator = separator_of(pattern);
  if (pattern.size() > 1) pattern = without_last_slashes(pattern);
  if (pattern.ends_with('*')) throw ConfigError("Pattern must not end with wildcards.");
  if (!relative_ && !pattern.starts_with('*') && !is_absolute_anywhere(pattern + separator))
    pattern = absolute_path(pattern);
  if (!pattern.ends_with(separator)) pattern += separator;
  GlobMatcher matcher({pattern}, GlobMode::kPrefix);  // its errors come first
  if (result.find_first_of("*?") != std::string::npos)
    throw ConfigError(fmt::format("Result path must not contain wildcards: {}", python_repr(result)));
  aliases_.push_back({original, std::move(matcher), without_last_slashes(result) + separator_of(result)});
}

std::string PathAliases::map(const std::string& path) {
  auto [entry, is_new] = cache_.try_emplace(path);
  if (is_new) {
    entry->second = map_uncached(path);
    std::replace(entry->second.begin(), entry->second.end(), '\\', '/');
  }
  return entry->second;
}

std::string PathAliases::map_uncached(const std::string& path) {
  for (const Alias& alias : aliases_) {
    size_t length = alias.match_length(path);
    if (length == std::string::npos) continue;
    std::string mapped = alias.result + path.substr(length);
    std::replace(mapped.begin(), mapped.end(), separator_of(path), separator_of(alias.result));
    if (!relative_) mapped = absolute_path(mapped);
    bool dot_start = starts_with_dot_slash(alias.result) && alias.result.size() > 2;
    if (starts_with_dot_slash(mapped) && !dot_start) mapped = mapped.substr(2);
    if (source_exists(mapped)) return mapped;
  }
  if (!relative_) return path;

  std::string shorter = path.starts_with(relative_folder_) ? path.substr(relative_folder_.size()) : path;
  size_t slash = shorter.find_first_of("/\\");
  if (is_absolute_anywhere(shorter) || slash == std::string::npos) return shorter;
  // For a relative path, its first folder may be under any prefix.
  std::string folder = shorter.substr(0, slash);
  if (std::any_of(aliases_.begin(), aliases_.end(), [&](const Alias& alias) { return alias.pattern == "*/" + folder; }))
    return shorter;
  aliases_.push_back({"*/" + folder, std::nullopt, folder + "/"});
  return map_uncached(shorter);
}

}  // namespace qd::report
