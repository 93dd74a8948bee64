// Gate options: "80" is a threshold for the whole change, "src/**=90" for the files of a pattern.
#include "cli/options/gates.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/commands.h"
#include "report/formats/common/text.h"
#include "report/gate/gate_settings.h"

namespace qd::cli {

namespace {

using report::StringList;

/// Reads the settings of gates: each from the command line, else from [tool.qd-cov.diff]. A text that its parser
/// refuses is an error that names its place.
class Settings {
 public:
  Settings(const CommandLine& line, const report::Config& config) : line_(line), config_(config) {}

  /// Calls parse() with each text of a list.
  template <typename Parse>
  void each(const std::string& name, const StringList& typed, const StringList& configured, const Parse& parse) const {
    const bool is_typed = line_.flag(name);
    for (const std::string& text : is_typed ? typed : configured) parsed(name, text, is_typed, parse);
  }

  /// The value of a setting; none: it was not given.
  template <typename Parse>
  auto one(const std::string& name, const std::optional<std::string>& configured, const Parse& parse) const {
    const std::optional<std::string> typed = line_.only_text(name);
    std::optional<decltype(parse(*typed))> value;
    if (typed || configured) value = parsed(name, typed ? *typed : *configured, typed.has_value(), parse);
    return value;
  }

 private:
  template <typename Parse>
  auto parsed(const std::string& name, const std::string& text, bool is_typed, const Parse& parse) const {
    try {
      return parse(text);
    } catch (const report::InvalidGate& error) {
      if (is_typed) throw UsageError(fmt::format("option --{}: '{}' {}", name, text, error.what()));
      std::string key = name;
      std::ranges::replace(key, '-', '_');
      throw report::ConfigError(fmt::format("Invalid [tool.qd-cov.diff] {} value '{}': {}{}", key, text, error.what(),
                                            report::place_of_own(config_, "diff." + key)));
    }
  }

  const CommandLine& line_;
  const report::Config& config_;
};

/// Texts of an option; "--fail-under=" is an error, not "none".
StringList given(StringList texts) { return texts.empty() ? StringList{""} : texts; }

}  // namespace

void add_gate_options(CommandLine& line) {
  line.group("Gate");
  line.add("fail-under",
           "Least coverage of the change, in percent. With 'PATTERN=' before it, of the files that match; with "
           "'qd:ARCH=' or 'qd:ARCH:PATTERN=', of the lines that can run on an architecture, by the runs there. May be "
           "given several times.",
           kTexts, "[PATTERN=]MIN");
  line.add("fail-under-branches", "Least percentage of the branches of the change that were taken.", kText, "MIN");
  line.add("fail-under-new-files", "Least coverage of new files.", kText, "MIN");
  line.add("fail-under-total", "Least coverage of everything that was measured.", kText, "MIN");
  line.add("max-missing", "Largest number of missing lines.", kText, "N");
  line.add("fail-under-base", "Coverage of everything that was measured is at least that of the report of --base.");
  line.add("max-lost",
           "Largest number of unchanged lines that lost the coverage that they have in the report of --base.", kText,
           "N");
  line.add("require-archs",
           "Something was measured on each of these architectures, and changed lines of kernels that ran on any other "
           "ran there too.",
           kText, "NAME1,NAME2,...");
  line.add("require-hashes",
           "The data of each changed file has the hash of its present source: 'qd-cov run' and pytest-cov leave "
           "hashes.");
  line.add("minimum-change",
           "With fewer changed lines than this the thresholds of the change are met with any coverage.", kText,
           "LINES");
  line.add("on-no-data",
           "Effect of changed files without data, and of a report of --base that does not belong to its commit: 'fail' "
           "exits with a status of 2, 'warn' and 'pass' do not. Default: 'fail' with any other gate, else 'pass'.",
           kText, "WHAT");
  line.choices("on-no-data", {"fail", "warn", "pass"});
}

report::DiffGateOptions gate_options(const CommandLine& line, const report::Config& config, bool has_base) {
  const report::DiffConfig& diff = config.diff;
  const Settings settings(line, config);
  report::DiffGateOptions options;
  settings.each("fail-under", given(line.values("fail-under")), diff.fail_under,
                [&](const std::string& text) { add_fail_under(options, text); });
  options.fail_under_branches = settings.one("fail-under-branches", diff.fail_under_branches, report::threshold_of);
  options.fail_under_new_files = settings.one("fail-under-new-files", diff.fail_under_new_files, report::threshold_of);
  options.fail_under_total = settings.one("fail-under-total", diff.fail_under_total, report::threshold_of);
  options.max_missing = settings.one("max-missing", diff.max_missing, report::number_of_lines);
  options.minimum_change = settings.one("minimum-change", diff.minimum_change, report::number_of_lines).value_or(0);
  options.fail_under_base = diff.fail_under_base || line.flag("fail-under-base");
  options.max_lost = settings.one("max-lost", diff.max_lost, report::number_of_lines);
  options.require_hashes = config.gates.require_hashes || diff.require_hashes || line.flag("require-hashes");
  line.only_text("require-archs");
  settings.each("require-archs", given(line.list("require-archs").value_or(StringList())), diff.require_archs,
                [&](const std::string& text) { options.require_archs.push_back(report::required_arch(text)); });
  if (!has_base && line.flag("fail-under-base")) throw UsageError("option --fail-under-base: it needs --base");
  if (!has_base && line.flag("max-lost")) throw UsageError("option --max-lost: it needs --base");
  if (!has_base && (options.fail_under_base || options.max_lost))
    throw report::ConfigError(
        fmt::format("[tool.qd-cov.diff] {} needs a base report: name it with --base, or with base",
                    options.max_lost ? "max_lost" : "fail_under_base"));
  options.on_no_data = settings.one("on-no-data", diff.on_no_data, report::on_no_data_of);
  return options;
}

void apply_threshold(const CommandLine& line, const std::string& name, std::optional<std::string>& setting) {
  std::optional<std::string> text = line.only_text(name);
  if (!text) return;
  if (!report::parse_threshold(*text))
    throw UsageError(fmt::format("option --{}: '{}' is {}", name, *text, report::kNoPercentage));
  setting = text;
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
