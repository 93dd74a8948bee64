// Table of the options in configuration files, with the setting that each fills.
#include "report/config/option_table.h"

#include <fmt/format.h>

namespace qd::report {

namespace {

// clang-format off
constexpr ConfigOption kOptions[] = {
    {"run", "branch", [](Config& c, const OptionValue& v) { c.branch = v.boolean(); }},
    {"run", "command_line", [](Config& c, const OptionValue& v) { c.command_line = v.text(); }},
    {"run", "concurrency", [](Config& c, const OptionValue& v) { c.concurrency = v.list(); }},
    {"run", "context", [](Config& c, const OptionValue& v) { c.context = v.text(); }},
    {"run", "core", [](Config& c, const OptionValue& v) { c.core = v.text(); }},
    {"run", "cover_pylib", [](Config& c, const OptionValue& v) { c.cover_pylib = v.boolean(); }},
    {"run", "data_file", [](Config& c, const OptionValue& v) { c.data_file = v.file(); }},
    {"run", "debug", [](Config& c, const OptionValue& v) { c.debug = v.list(); }},
    {"run", "debug_file", [](Config& c, const OptionValue& v) { c.debug_file = v.file(); }},
    {"run", "disable_warnings", [](Config& c, const OptionValue& v) { c.disable_warnings = v.list(); }},
    {"run", "dynamic_context", [](Config& c, const OptionValue& v) { c.dynamic_context = v.text(); }},
    {"run", "parallel", [](Config& c, const OptionValue& v) { c.parallel = v.boolean(); }},
    {"run", "patch", [](Config& c, const OptionValue& v) { c.patch = v.list(); }},
    {"run", "plugins", [](Config& c, const OptionValue& v) { c.plugins = v.list(); }},
    {"run", "relative_files", [](Config& c, const OptionValue& v) { c.relative_files = v.boolean(); }},
    {"run", "include", [](Config& c, const OptionValue& v) { c.run_include = v.list(); }},
    {"run", "omit", [](Config& c, const OptionValue& v) { c.run_omit = v.list(); }},
    {"run", "sigterm", [](Config& c, const OptionValue& v) { c.sigterm = v.boolean(); }},
    {"run", "source", [](Config& c, const OptionValue& v) { c.source = v.list(); }},
    {"run", "source_pkgs", [](Config& c, const OptionValue& v) { c.source_pkgs = v.list(); }},
    {"run", "source_dirs", [](Config& c, const OptionValue& v) { c.source_dirs = v.list(); }},
    {"run", "timid", [](Config& c, const OptionValue& v) { c.timid = v.boolean(); }},
    {"run", "_crash", [](Config&, const OptionValue&) {}},
    {"report", "exclude_lines", [](Config& c, const OptionValue& v) { c.exclusions.exclude = v.regex_list(); }},
    {"report", "exclude_also", [](Config& c, const OptionValue& v) { c.exclude_also = v.regex_list(); }},
    {"report", "fail_under", [](Config& c, const OptionValue& v) { c.gates.fail_under = v.number(); }},
    {"report", "format", [](Config& c, const OptionValue& v) { c.format = v.text(); }},
    {"report", "ignore_errors", [](Config& c, const OptionValue& v) { c.ignore_errors = v.boolean(); }},
    {"report", "include_namespace_packages", [](Config& c, const OptionValue& v) { c.include_namespace_packages = v.boolean(); }},
    {"report", "partial_branches_always", [](Config& c, const OptionValue& v) { c.exclusions.partial_always = v.regex_list(); }},
    {"report", "partial_branches", [](Config& c, const OptionValue& v) { c.exclusions.partial = v.regex_list(); }},
    {"report", "partial_also", [](Config& c, const OptionValue& v) { c.partial_also = v.regex_list(); }},
    {"report", "precision", [](Config& c, const OptionValue& v) { c.precision = v.integer(); }},
    {"report", "contexts", [](Config& c, const OptionValue& v) { c.report_contexts = v.list(); }},
    {"report", "include", [](Config& c, const OptionValue& v) { c.report_include = v.list(); }},
    {"report", "omit", [](Config& c, const OptionValue& v) { c.report_omit = v.list(); }},
    {"report", "show_missing", [](Config& c, const OptionValue& v) { c.show_missing = v.boolean(); }},
    {"report", "skip_covered", [](Config& c, const OptionValue& v) { c.skip_covered = v.boolean(); }},
    {"report", "skip_empty", [](Config& c, const OptionValue& v) { c.skip_empty = v.boolean(); }},
    {"report", "sort", [](Config& c, const OptionValue& v) { c.sort = v.text(); }},
    {"html", "extra_css", [](Config& c, const OptionValue& v) { c.extra_css = v.text(); }},
    {"html", "directory", [](Config& c, const OptionValue& v) { c.html_dir = v.file(); }},
    {"html", "skip_covered", [](Config& c, const OptionValue& v) { c.html_skip_covered = v.boolean(); }},
    {"html", "skip_empty", [](Config& c, const OptionValue& v) { c.html_skip_empty = v.boolean(); }},
    {"html", "title", [](Config& c, const OptionValue& v) { c.html_title = v.text(); }},
    {"html", "show_contexts", [](Config& c, const OptionValue& v) { c.show_contexts = v.boolean(); }},
    {"xml", "output", [](Config& c, const OptionValue& v) { c.xml_output = v.file(); }},
    {"xml", "package_depth", [](Config& c, const OptionValue& v) { c.xml_package_depth = v.integer(); }},
    {"json", "output", [](Config& c, const OptionValue& v) { c.json_output = v.file(); }},
    {"json", "pretty_print", [](Config& c, const OptionValue& v) { c.json_pretty_print = v.boolean(); }},
    {"json", "show_contexts", [](Config& c, const OptionValue& v) { c.json_show_contexts = v.boolean(); }},
    {"lcov", "output", [](Config& c, const OptionValue& v) { c.lcov_output = v.file(); }},
    {"lcov", "line_checksums", [](Config& c, const OptionValue& v) { c.lcov_line_checksums = v.boolean(); }},
};
// clang-format on

}  // namespace

std::span<const ConfigOption> config_options() { return kOptions; }

namespace {

/// Escapes each '$' as '$$', so that the value is taken literally: a '$' begins a variable's name in a file.
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
