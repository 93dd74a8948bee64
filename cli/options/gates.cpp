// Gate options: "80" is a threshold for the whole change, "src/**=90" for the files of a pattern.
#include "cli/options/gates.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "cli/commands.h"
#include "cli/options/arch_option.h"
#include "report/data/producers.h"
#include "report/formats/common/text.h"

namespace qd::cli {

namespace {

using report::StringList;

/// A setting, and the name of its place in messages.
struct Setting {
  std::string text;
  std::string name;   // "fail-under"
  bool typed;         // on the command line
  std::string place;  // " (pyproject.toml)"

  [[noreturn]] void refuse(const std::string& why) const {
    if (typed) throw UsageError(fmt::format("option --{}: '{}' {}", name, text, why));
    std::string key = name;
    for (char& c : key)
      if (c == '-') c = '_';
    throw report::ConfigError(fmt::format("Invalid [tool.qd-cov.diff] {} value '{}': {}{}", key, text, why, place));
  }
};

/// Configuration file of an option, for messages: " (pyproject.toml)".
std::string place_of(const report::Config& config, std::string option) {
  std::ranges::replace(option, '-', '_');
  return report::place_of_own(config, "diff." + option);
}

std::optional<Setting> setting(const CommandLine& line, const report::Config& config, const std::string& name,
                               const std::optional<std::string>& configured) {
  if (auto text = line.text(name)) return Setting{*text, name, true, ""};
  if (configured) return Setting{*configured, name, false, place_of(config, name)};
  return std::nullopt;
}

report::Threshold threshold_of(const Setting& setting, const std::string& text) {
  if (auto threshold = report::parse_threshold(text)) return *threshold;
  setting.refuse("is no percentage from 0 to 100");
}

std::optional<report::Threshold> threshold(const CommandLine& line, const report::Config& config,
                                           const std::string& name, const std::optional<std::string>& configured) {
  auto given = setting(line, config, name, configured);
  if (!given) return std::nullopt;
  return threshold_of(*given, given->text);
}

void add_fail_under(const Setting& setting, report::DiffGateOptions& options) {
  size_t equals = setting.text.rfind('=');
  if (equals == std::string::npos) {
    report::Threshold threshold = threshold_of(setting, setting.text);
    if (options.fail_under && options.fail_under->text != threshold.text)
      setting.refuse(fmt::format("is a second threshold of the whole change, beside '{}'", options.fail_under->text));
    options.fail_under = threshold;
  } else if (equals == 0) {
    setting.refuse("has no pattern before '='");
  } else {
    report::PatternThreshold one;
    one.pattern = setting.text.substr(0, equals);
    one.threshold = threshold_of(setting, setting.text.substr(equals + 1));
    if (const size_t end = report::device_prefix(one.pattern); end > 0) {
      const std::string context = one.pattern.substr(0, end);
      one.arch = report::context_parts(context).device;
      if (!is_arch_name(one.arch))
        setting.refuse(fmt::format("names no architecture behind '{}'", context.substr(0, context.find(':') + 1)));
      const bool has_pattern = end < one.pattern.size();
      one.pattern = has_pattern ? one.pattern.substr(end + 1) : "";
      if (has_pattern && one.pattern.empty()) setting.refuse("has no pattern behind the second ':'");
    }
    options.patterns.push_back(std::move(one));
  }
}

int64_t number_of(const Setting& setting) {
  int64_t value = 0;
  const char* end = setting.text.data() + setting.text.size();
  auto [last, error] = std::from_chars(setting.text.data(), end, value);
  if (error != std::errc() || last != end || value < 0) setting.refuse("is no number of lines");
  return value;
}

report::OnNoData on_no_data_of(const Setting& setting) {
  if (setting.text == "fail") return report::OnNoData::Fail;
  if (setting.text == "warn") return report::OnNoData::Warn;
  if (setting.text == "pass") return report::OnNoData::Pass;
  setting.refuse("is none of fail, warn and pass");
}

StringList required_archs(const CommandLine& line, const report::Config& config) {
  const bool typed = line.flag("require-archs");
  StringList archs = typed ? line.list("require-archs").value_or(StringList{""}) : config.diff.require_archs;
  for (const std::string& arch : archs)
    if (!is_arch_name(arch) || arch == report::kHostArch)
      Setting{arch, "require-archs", typed, place_of(config, "require-archs")}.refuse(
          "is no device; 'cpu' and 'vulkan' are some");
  return archs;
}

}  // namespace

void add_gate_options(CommandLine& line) {
  line.add("fail-under",
           "Exit with a status of 2 if the diff coverage is less than this percentage; with 'PATTERN=' before it, that "
           "of the files that match; with 'qd:ARCH=' or 'qd:ARCH:PATTERN=', that of the lines that can run on an "
           "architecture, by the runs there. May be given several times.",
           kTexts, "[PATTERN=]MIN");
  line.add("fail-under-branches",
           "Exit with a status of 2 if less than this percentage of the branches of the change was taken.", kText,
           "MIN");
  line.add("fail-under-new-files", "Exit with a status of 2 if the coverage of new files is less than this percentage.",
           kText, "MIN");
  line.add("fail-under-total",
           "Exit with a status of 2 if the coverage of everything that was measured is less than this percentage.",
           kText, "MIN");
  line.add("max-missing", "Exit with a status of 2 if more lines are missing.", kText, "N");
  line.add("fail-under-base",
           "Exit with a status of 2 if the coverage of everything that was measured is less than that of the report of "
           "--base.");
  line.add("max-lost",
           "Exit with a status of 2 if more unchanged lines lost the coverage that they have in the report of --base.",
           kText, "N");
  line.add("require-archs",
           "Exit with a status of 2 if nothing was measured on one of these architectures, or if a changed line of a "
           "kernel ran on another one and never on one of these.",
           kText, "NAME1,NAME2,...");
  line.add("require-hashes",
           "Exit with a status of 2 if the data of a changed file has no hash of its present source: 'qd-cov run' and "
           "pytest-cov leave hashes.");
  line.add("on-no-data",
           "Effect of changed files without data, and of a report of --base that does not belong to its commit: 'fail' "
           "exits with a status of 2, 'warn' and 'pass' do not. Default: 'fail' with any other gate, else 'pass'.",
           kText, "WHAT");
  line.choices("on-no-data", {"fail", "warn", "pass"});
}

report::DiffGateOptions gate_options(const CommandLine& line, const report::Config& config, bool has_base) {
  const report::DiffConfig& diff = config.diff;
  report::DiffGateOptions options;
  bool typed = line.flag("fail-under");
  std::vector<std::string> texts = typed ? line.values("fail-under") : diff.fail_under;
  if (typed && texts.empty()) texts = {""};  // "--fail-under=" is an error, not "none"
  for (const std::string& text : texts)
    add_fail_under({text, "fail-under", typed, place_of(config, "fail-under")}, options);
  options.fail_under_branches = threshold(line, config, "fail-under-branches", diff.fail_under_branches);
  options.fail_under_new_files = threshold(line, config, "fail-under-new-files", diff.fail_under_new_files);
  options.fail_under_total = threshold(line, config, "fail-under-total", diff.fail_under_total);
  if (auto given = setting(line, config, "max-missing", diff.max_missing)) options.max_missing = number_of(*given);
  if (auto given = setting(line, config, "minimum-change", diff.minimum_change))
    options.minimum_change = number_of(*given);
  options.fail_under_base = diff.fail_under_base || line.flag("fail-under-base");
  if (auto given = setting(line, config, "max-lost", diff.max_lost)) options.max_lost = number_of(*given);
  options.require_hashes = config.require_hashes || diff.require_hashes || line.flag("require-hashes");
  options.require_archs = required_archs(line, config);
  if (!has_base && line.flag("fail-under-base")) throw UsageError("option --fail-under-base: it needs --base");
  if (!has_base && line.flag("max-lost")) throw UsageError("option --max-lost: it needs --base");
  if (!has_base && (options.fail_under_base || options.max_lost))
    throw report::ConfigError(
        fmt::format("[tool.qd-cov.diff] {} needs a base report: name it with --base, or with base",
                    options.max_lost ? "max_lost" : "fail_under_base"));
  if (auto given = setting(line, config, "on-no-data", diff.on_no_data)) options.on_no_data = on_no_data_of(*given);
  return options;
}

int report_gates(const std::vector<report::GateResult>& gates, std::FILE* out) {
  std::string last;
  for (const report::GateResult& gate : gates) {
    if (gate.is_warning && !gate.reached) warn(report::visible(gate.message));
    if (gate.reached || gate.is_warning || gate.message == last) continue;
    fmt::print(out, "Failure. {}\n", report::visible(gate.message));
    last = gate.message;
  }
  return report::all_reached(gates) ? kOk : kFailUnder;
}

}  // namespace qd::cli
