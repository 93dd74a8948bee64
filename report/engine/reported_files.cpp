// Files of a report, chosen.
#include "report/engine/reported_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

#include "report/config/glob_matcher.h"

namespace qd::report {

namespace {

/// Source file of a compiled file (.pyc, .pyo); other names are unchanged.
std::string source_of(const std::string& file) {
  if (file.ends_with(".pyc") || file.ends_with(".pyo")) return file.substr(0, file.size() - 1);
  return file;
}

std::string here_with_slash() {
  std::string here = absolute_path(".");
  return here.ends_with('/') ? here : here + '/';
}

std::string relative_name(const std::string& file, const std::string& here) {
  return file.starts_with(here) ? file.substr(here.size()) : file;
}

std::string n_files(size_t n) { return n == 1 ? "1 file" : fmt::format("{} files", n); }

}  // namespace

std::string name_in_data(const std::string& name, const Config& config) {
  return config.relative_files ? relative_name(name, here_with_slash()) : absolute_path(name);
}

namespace {

std::string why_no_file(const CoverageData& data, const std::vector<std::string>& arguments) {
  const size_t n = data.files.size() + data.imported.size();
  if (n == 0)
    return fmt::format("'{}' has no file in it: the command imported nothing of [run] source or --source.", data.path);
  const auto& name = data.files.empty() ? data.imported.begin()->first : data.files.begin()->first;
  return fmt::format(
      "The data has {}, such as '{}', and {} leave none of them.", n_files(n), name,
      arguments.empty() ? "--include, --omit and their settings in [report]" : "the arguments, --include and --omit");
}

/// File here that a path of a report made elsewhere may mean: of the same name, and of as many of its folders as
/// possible; empty when there is none. A path that exists is another file, such as a system header.
std::string namesake_here(std::string path) {
  std::error_code error;
  if (std::filesystem::exists(path, error)) return "";
  std::replace(path.begin(), path.end(), '\\', '/');
  for (size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
    if (std::string name = path.substr(slash + 1);
        !name.starts_with('/') && std::filesystem::is_regular_file(name, error))
      return name;
  return "";
}

}  // namespace

std::vector<ReportedFile> reported_files(const CoverageData& data, const Config& config,
                                         const std::vector<std::string>& arguments) {
  const std::string here = here_with_slash();
  auto relative = [&](const std::string& file) { return relative_name(file, here); };

  std::vector<std::string> names = arguments;
  if (names.empty())
    for (const auto& [name, file] : data.files) names.push_back(name);
  size_t n_measured = names.size();
  if (arguments.empty())
    for (const auto& [name, file] : data.imported)
      if (!data.files.contains(name)) names.push_back(name);
  GlobMatcher include(prepare_patterns(config.report_include.value_or(StringList{})));
  GlobMatcher omit(prepare_patterns(config.report_omit.value_or(StringList{})));

  std::vector<ReportedFile> files;
  size_t n_outside = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    bool imported = i >= n_measured;
    const std::string& name = names[i];
    std::string source = imported ? name : source_of(name);
    ReportedFile file;
    file.path = config.relative_files ? source : absolute_path(source);
    file.relative = relative(source);
    file.data_name = imported ? name : config.relative_files ? relative(file.path) : file.path;
    auto measured = imported ? data.files.end() : data.files.find(name);
    if (measured == data.files.end() && !imported) measured = data.files.find(name_in_data(name, config));
    if (measured != data.files.end() && measured->second.plugin) {
      file.plugin = measured->second.plugin;
      file.path = file.plugin->path;
      file.relative = file.plugin->relative;
      file.data_name = file.path == name ? measured->first : name_in_data(file.path, config);
    }
    if (!include.empty() && !include.match(file.path)) continue;
    if (!omit.empty() && omit.match(file.path)) continue;
    if (imported && include.empty() && !absolute_path(source).starts_with(here)) {
      ++n_outside;
      continue;
    }
    files.push_back(std::move(file));
  }
  if (files.empty() && n_outside > 0)
    throw NoDataError(
        fmt::format("No data to report: {} of other tools {} outside of '{}'; --include or [paths] can bring them in.",
                    n_files(n_outside), n_outside == 1 ? "is" : "are", here));
  if (files.empty() && data.files.empty() && data.imported.empty() && !data.ambiguous.empty())
    throw NoDataError(fmt::format("No data to report: {}.", data.ambiguous.begin()->text()));
  if (files.empty()) throw NoDataError("No data to report.", why_no_file(data, arguments));
  std::sort(files.begin(), files.end(), [](const ReportedFile& a, const ReportedFile& b) {
    return std::tie(a.path, a.relative) < std::tie(b.path, b.relative);
  });
  return files;
}

std::vector<std::string> unplaced_names(const CoverageData& data, const Config& config) {
  const std::string here = here_with_slash();
  GlobMatcher include(prepare_patterns(config.report_include.value_or(StringList{})));
  GlobMatcher omit(prepare_patterns(config.report_omit.value_or(StringList{})));
  std::set<std::string> known;
  for (const auto& [name, file] : data.files) known.insert(absolute_path(name));
  auto is_reported = [&](const std::string& name) {
    const std::string path = absolute_path(name);
    return !known.contains(path) && (include.empty() ? path.starts_with(here) : include.match(path)) &&
           !omit.match(path);
  };
  std::vector<std::string> result;
  for (const AmbiguousName& name : data.ambiguous)
    if (std::any_of(name.paths.begin(), name.paths.end(), is_reported)) result.push_back(name.text());
  if (!include.empty()) return result;
  for (const auto& [name, file] : data.imported) known.insert(absolute_path(name));
  for (const auto& [name, file] : data.imported) {
    if (absolute_path(name).starts_with(here) || omit.match(absolute_path(name))) continue;
    if (const std::string path = namesake_here(name); !path.empty() && is_reported(path))
      result.push_back(fmt::format("'{}' of a report may be '{}'", name, path));
  }
  return result;
}

std::string imported_note(const CoverageData& data) {
  size_t n = 0;
  const std::string* first = nullptr;
  for (const auto& [path, file] : data.imported)
    if (data.files.contains(path) && ++n == 1) first = &path;
  if (n == 0) return "";
  return n == 1 ? fmt::format("'{}' was measured, and imported from another tool: it is reported as it was measured.",
                              *first)
                : fmt::format(
                      "{} files were measured, and imported from another tool, the first is '{}': they are reported as "
                      "they were measured.",
                      n, *first);
}

}  // namespace qd::report
