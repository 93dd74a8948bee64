// Resolved settings as text.
#include "report/config/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "report/config/config_file.h"

namespace qd::report {

namespace {

StringList lines(const std::string& text) { return {text}; }
StringList lines(bool flag) { return {flag ? "True" : "False"}; }
StringList lines(int number) { return {std::to_string(number)}; }
StringList lines(double number) { return {ConfigValue{number}.repr()}; }
StringList lines(const StringList& list) { return list.empty() ? StringList{"-none-"} : list; }
template <typename T>
StringList lines(const std::optional<T>& value) {
  return value ? lines(*value) : StringList{"None"};
}

StringList lines(const std::vector<std::pair<std::string, StringList>>& paths) {
  std::string text;
  for (const auto& [name, list] : paths) {
    std::vector<ConfigValue> items;
    for (const std::string& item : list) items.push_back({item});
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", ConfigValue{name}.repr(), ConfigValue{items}.repr());
  }
  return {"{" + text + "}"};
}

}  // namespace

ConfigFilesTried config_files_tried(const Config& config, const std::optional<std::string>& rcfile) {
  namespace fs = std::filesystem;
  const char* environment = std::getenv("COVERAGE_RCFILE");
  std::string first = rcfile.value_or("") == ".coveragerc" ? "" : rcfile.value_or("");
  if (first.empty() && environment) first = environment;
  ConfigFilesTried tried;
  auto take = [&](const std::string& name) {
    std::string path = fs::absolute(name).lexically_normal().string();
    std::error_code error;
    bool is_there = fs::is_regular_file(path, error);
    tried.attempted.push_back(path);
    if (is_there) tried.read.push_back(path);
    bool is_ours = tried.attempted.size() <= 2;  // our_file: read with any content
    return path == config.config_file || (is_there && is_ours);
  };
  const std::string names[] = {first.empty() ? ".coveragerc" : first, ".coveragerc.toml", "setup.cfg", "tox.ini",
                               "pyproject.toml"};
  if (!rcfile || !rcfile->empty()) static_cast<void>(std::any_of(std::begin(names), std::end(names), take));
  if (const char* forced = std::getenv("COVERAGE_FORCE_CONFIG"); forced && *forced) take(forced);
  return tried;
}

std::vector<std::pair<std::string, StringList>> describe_config(const Config& config,
                                                                const std::optional<std::string>& rcfile) {
  ConfigFilesTried tried = config_files_tried(config, rcfile);
  std::vector<std::pair<std::string, StringList>> rows = {
      {"config_files_attempted", lines(tried.attempted)},
      {"config_files_read", lines(tried.read)},
      {"config_file", config.config_file.empty() ? StringList{"None"} : StringList{config.config_file}},
      {"paths", lines(config.paths)},
      {"branch", lines(config.branch)},
      {"command_line", lines(config.command_line)},
      {"concurrency", lines(config.concurrency)},
      {"context", lines(config.context)},
      {"core", lines(config.core)},
      {"cover_pylib", lines(config.cover_pylib)},
      {"data_file", lines(config.data_file)},
      {"debug", lines(config.debug)},
      {"debug_file", lines(config.debug_file)},
      {"disable_warnings", lines(config.disable_warnings)},
      {"dynamic_context", lines(config.dynamic_context)},
      {"exclude_also", lines(config.exclude_also)},
      {"exclude_list", lines(config.exclusions.exclude)},
      {"extra_css", lines(config.extra_css)},
      {"fail_under", lines(config.gates.fail_under)},
      {"format", lines(config.format)},
      {"html_dir", lines(config.html_dir)},
      {"html_skip_covered", lines(config.html_skip_covered)},
      {"html_skip_empty", lines(config.html_skip_empty)},
      {"html_title", lines(config.html_title)},
      {"ignore_errors", lines(config.ignore_errors)},
      {"include_namespace_packages", lines(config.include_namespace_packages)},
      {"json_output", lines(config.json_output)},
      {"json_pretty_print", lines(config.json_pretty_print)},
      {"json_show_contexts", lines(config.json_show_contexts)},
      {"lcov_line_checksums", lines(config.lcov_line_checksums)},
      {"lcov_output", lines(config.lcov_output)},
      {"parallel", lines(config.parallel)},
      {"partial_also", lines(config.partial_also)},
      {"partial_always_list", lines(config.exclusions.partial_always)},
      {"partial_list", lines(config.exclusions.partial)},
      {"patch", lines(config.patch)},
      {"plugins", lines(config.plugins)},
      {"precision", lines(config.precision)},
      {"relative_files", lines(config.relative_files)},
      {"report_contexts", lines(config.report_contexts)},
      {"report_include", lines(config.report_include)},
      {"report_omit", lines(config.report_omit)},
      {"run_include", lines(config.run_include)},
      {"run_omit", lines(config.run_omit)},
      {"show_contexts", lines(config.show_contexts)},
      {"show_missing", lines(config.show_missing)},
      {"sigterm", lines(config.sigterm)},
      {"skip_covered", lines(config.skip_covered)},
      {"skip_empty", lines(config.skip_empty)},
      {"sort", lines(config.sort)},
      {"source", lines(config.source)},
      {"source_dirs", lines(config.source_dirs)},
      {"source_pkgs", lines(config.source_pkgs)},
      {"timid", lines(config.timid)},
      {"xml_output", lines(config.xml_output)},
      {"xml_package_depth", lines(config.xml_package_depth)},
  };
  // Our own settings are shown only if they are used; otherwise the output is that of coverage.py.
  if (config.conditions) rows.push_back({"conditions", lines(config.conditions)});
  if (config.gates.fail_under_conditions)
    rows.push_back({"fail_under_conditions", lines(config.gates.fail_under_conditions)});
  if (config.gates.fail_under_mcdc) rows.push_back({"fail_under_mcdc", lines(config.gates.fail_under_mcdc)});
  if (config.gradients) rows.push_back({"gradients", lines(config.gradients)});
  if (config.gates.fail_under_gradients)
    rows.push_back({"fail_under_gradients", lines(config.gates.fail_under_gradients)});
  if (!config.cache) rows.push_back({"cache", lines(config.cache)});
  if (config.coverage_version) rows.push_back({"coverage_version", lines(config.coverage_version)});
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace qd::report
