// The options that configuration files may have, and which setting each fills.
#include "report/config/option_table.h"

#include <fmt/format.h>

namespace qd::report {

namespace {

// clang-format off
constexpr ConfigOption kOptions[] = {
    {"run", "branch", [](Config& config, const OptionValue& value) { config.branch = value.boolean(); }},
    {"run", "command_line", [](Config& config, const OptionValue& value) { config.command_line = value.text(); }},
    {"run", "concurrency", [](Config& config, const OptionValue& value) { config.concurrency = value.list(); }},
    {"run", "context", [](Config& config, const OptionValue& value) { config.context = value.text(); }},
    {"run", "core", [](Config& config, const OptionValue& value) { config.core = value.text(); }},
    {"run", "cover_pylib", [](Config& config, const OptionValue& value) { config.cover_pylib = value.boolean(); }},
    {"run", "data_file", [](Config& config, const OptionValue& value) { config.data_file = value.file(); }},
    {"run", "debug", [](Config& config, const OptionValue& value) { config.debug = value.list(); }},
    {"run", "debug_file", [](Config& config, const OptionValue& value) { config.debug_file = value.file(); }},
    {"run", "disable_warnings", [](Config& config, const OptionValue& value) { config.disable_warnings = value.list(); }},
    {"run", "dynamic_context", [](Config& config, const OptionValue& value) { config.dynamic_context = value.text(); }},
    {"run", "parallel", [](Config& config, const OptionValue& value) { config.parallel = value.boolean(); }},
    {"run", "patch", [](Config& config, const OptionValue& value) { config.patch = value.list(); }},
    {"run", "plugins", [](Config& config, const OptionValue& value) { config.plugins = value.list(); }},
    {"run", "relative_files", [](Config& config, const OptionValue& value) { config.relative_files = value.boolean(); }},
    {"run", "include", [](Config& config, const OptionValue& value) { config.run_include = value.list(); }},
    {"run", "omit", [](Config& config, const OptionValue& value) { config.run_omit = value.list(); }},
    {"run", "sigterm", [](Config& config, const OptionValue& value) { config.sigterm = value.boolean(); }},
    {"run", "source", [](Config& config, const OptionValue& value) { config.source = value.list(); }},
    {"run", "source_pkgs", [](Config& config, const OptionValue& value) { config.source_pkgs = value.list(); }},
    {"run", "source_dirs", [](Config& config, const OptionValue& value) { config.source_dirs = value.list(); }},
    {"run", "timid", [](Config& config, const OptionValue& value) { config.timid = value.boolean(); }},
    {"run", "_crash", [](Config&, const OptionValue&) {}},
    {"report", "exclude_lines", [](Config& config, const OptionValue& value) { config.exclude_list = value.regex_list(); }},
    {"report", "exclude_also", [](Config& config, const OptionValue& value) { config.exclude_also = value.regex_list(); }},
    {"report", "fail_under", [](Config& config, const OptionValue& value) { config.fail_under = value.number(); }},
    {"report", "format", [](Config& config, const OptionValue& value) { config.format = value.text(); }},
    {"report", "ignore_errors", [](Config& config, const OptionValue& value) { config.ignore_errors = value.boolean(); }},
    {"report", "include_namespace_packages", [](Config& config, const OptionValue& value) { config.include_namespace_packages = value.boolean(); }},
    {"report", "partial_branches_always", [](Config& config, const OptionValue& value) { config.partial_always_list = value.regex_list(); }},
    {"report", "partial_branches", [](Config& config, const OptionValue& value) { config.partial_list = value.regex_list(); }},
    {"report", "partial_also", [](Config& config, const OptionValue& value) { config.partial_also = value.regex_list(); }},
    {"report", "precision", [](Config& config, const OptionValue& value) { config.precision = value.integer(); }},
    {"report", "contexts", [](Config& config, const OptionValue& value) { config.report_contexts = value.list(); }},
    {"report", "include", [](Config& config, const OptionValue& value) { config.report_include = value.list(); }},
    {"report", "omit", [](Config& config, const OptionValue& value) { config.report_omit = value.list(); }},
    {"report", "show_missing", [](Config& config, const OptionValue& value) { config.show_missing = value.boolean(); }},
    {"report", "skip_covered", [](Config& config, const OptionValue& value) { config.skip_covered = value.boolean(); }},
    {"report", "skip_empty", [](Config& config, const OptionValue& value) { config.skip_empty = value.boolean(); }},
    {"report", "sort", [](Config& config, const OptionValue& value) { config.sort = value.text(); }},
    {"html", "extra_css", [](Config& config, const OptionValue& value) { config.extra_css = value.text(); }},
    {"html", "directory", [](Config& config, const OptionValue& value) { config.html_dir = value.file(); }},
    {"html", "skip_covered", [](Config& config, const OptionValue& value) { config.html_skip_covered = value.boolean(); }},
    {"html", "skip_empty", [](Config& config, const OptionValue& value) { config.html_skip_empty = value.boolean(); }},
    {"html", "title", [](Config& config, const OptionValue& value) { config.html_title = value.text(); }},
    {"html", "show_contexts", [](Config& config, const OptionValue& value) { config.show_contexts = value.boolean(); }},
    {"xml", "output", [](Config& config, const OptionValue& value) { config.xml_output = value.file(); }},
    {"xml", "package_depth", [](Config& config, const OptionValue& value) { config.xml_package_depth = value.integer(); }},
    {"json", "output", [](Config& config, const OptionValue& value) { config.json_output = value.file(); }},
    {"json", "pretty_print", [](Config& config, const OptionValue& value) { config.json_pretty_print = value.boolean(); }},
    {"json", "show_contexts", [](Config& config, const OptionValue& value) { config.json_show_contexts = value.boolean(); }},
    {"lcov", "output", [](Config& config, const OptionValue& value) { config.lcov_output = value.file(); }},
    {"lcov", "line_checksums", [](Config& config, const OptionValue& value) { config.lcov_line_checksums = value.boolean(); }},
};
// clang-format on

}  // namespace

std::span<const ConfigOption> config_options() {
  return kOptions;
}

namespace {

/// As in a file that means `value`: there a '$' begins the name of a variable.
void protect_dollars(ConfigValue& value) {
  if (auto* list = std::get_if<std::vector<ConfigValue>>(&value.value))
    for (ConfigValue& item : *list) protect_dollars(item);
  auto* text = std::get_if<std::string>(&value.value);
  for (size_t at = 0; text && (at = text->find('$', at)) != std::string::npos; at += 2) text->insert(at, 1, '$');
}

}  // namespace

void set_option(Config& config, const std::string& name, ConfigValue value) {
  protect_dollars(value);
  const ConfigFile file{true, {}, {}};
  for (const ConfigOption& option : config_options()) {
    if (name != fmt::format("{}:{}", option.section, option.name)) continue;
    try {
      option.set(config, OptionValue(file, ConfigSection{option.section, {}}, option.name, value, option.section));
    } catch (const InvalidFile& error) {
      throw ConfigError(fmt::format("A plugin set what can't be used: {}", error.what()));
    }
  }
}

}  // namespace qd::report
