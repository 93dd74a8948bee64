// Check untested-changes. A function counts as changed when one of its statements, or its head, changed. Then a test
// has to reach one of the changed statements; if only the head changed, any statement. A function that runs on another
// machine, so that no data shows it, may be named by a test that changed as well.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include "report/analysis/analysis.h"
#include "report/analysis/kernels/kernel_definitions.h"
#include "report/check/check.h"
#include "report/check/test_contexts.h"
#include "report/data/ascii.h"
#include "report/diff/measure_file.h"
#include "report/diff/reported_sources.h"
#include "report/formats/common/text.h"
#include "runtime/syntax/parse.h"
#include "runtime/syntax/source_encoding.h"

namespace qd::report {
namespace {

constexpr const char* kUntestedChanges = "untested-changes";

void add_words(std::string_view text, std::set<std::string, std::less<>>& names) {
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_in_name(text[end])) ++end;
    if (end > at) names.emplace(text.substr(at, end - at));
    at = std::max(end, at + 1);
  }
}

/// Names in the code of the changed tests; comments and strings of Python tests are left out.
std::set<std::string, std::less<>> names_in_changed_tests(const CheckInput& input, const Areas& areas) {
  std::set<std::string, std::less<>> names;
  for (const ChangedFile& file : input.changes().files) {
    if (file.kind == ChangeKind::Deleted || !file.is_regular || areas.of(file.path) != Area::Tests) continue;
    std::optional<std::string> bytes = input.read(file.path);
    if (!bytes) continue;
    syntax::ParseResult parsed;
    if (is_python_name(file.path)) parsed = syntax::parse(syntax::decode_source(*bytes));
    if (!parsed.module) {
      add_words(*bytes, names);
      continue;
    }
    for (const syntax::Token& token : parsed.module->tokens)
      if (token.kind == syntax::TokenKind::Name) names.emplace(token.text);
  }
  return names;
}

/// Names by which tests know a function: its own; for __init__ and similar ones, that of the class; and those of the
/// functions in which it is defined.
std::set<std::string> names_of(const KernelDefinition& function, const std::vector<KernelDefinition>& all) {
  std::set<std::string> names;
  std::string qualified = function.name;
  for (;;) {
    size_t dot = qualified.rfind('.');
    std::string last = qualified.substr(dot == std::string::npos ? 0 : dot + 1);
    bool is_special = last.size() > 4 && last.starts_with("__") && last.ends_with("__");
    std::string outer = dot == std::string::npos ? "" : qualified.substr(0, dot);
    if (is_special && !outer.empty())
      names.insert(outer.substr(outer.rfind('.') + 1));
    else
      names.insert(last);
    bool in_function =
        std::any_of(all.begin(), all.end(), [&](const KernelDefinition& one) { return one.name == outer; });
    if (!in_function) return names;
    qualified = outer;
  }
}

/// Statements of a file that were executed, by first lines of logical lines.
struct Executed {
  std::set<int32_t> by_tests, at_all;

  Executed(const DiffFile& file, const SourceAnalysis& source, const std::set<ContextId>& tests) {
    if (file.data == nullptr) return;
    auto take = [&](ContextId context, const Numbits& lines) {
      for (int32_t line : lines.lines()) {
        int32_t first = line <= source.n_lines ? source.logical_line(line) : line;
        at_all.insert(first);
        if (tests.contains(context)) by_tests.insert(first);
      }
    };
    for (const auto& [context, lines] : file.data->lines) take(context, lines);
    for (const auto& [context, arcs] : file.data->arcs) {
      Numbits lines;
      add_lines_of(arcs, lines);
      take(context, lines);
    }
  }
};

class FileCheck {
 public:
  FileCheck(const CheckInput& input, const DiffFile& file, const std::set<ContextId>& tests,
            const std::set<std::string, std::less<>>& named)
      : input_(input), file_(file), tests_(tests), named_(named) {}

  void run(CheckReport& report) {
    if (file_.measured() && file_.data == nullptr) return run_imported(report);
    if (!file_.measured() && is_other_language(file_.path)) return run_unmeasured(report);
    const Config& config = input_.config;
    std::optional<std::string> bytes = input_.read(file_.path);
    if (!bytes)
      return add_unknown(
          file_.measured() ? "it is not in the working tree, or not readable" : file_.not_measured.c_str(), report);
    if (!syntax::encoding_of_other_lines(*bytes).empty()) return add_unknown(file_.not_measured, report);
    std::string text = syntax::decode_source(*bytes);
    std::replace(text.begin(), text.end(), '\f', ' ');
    AnalysisOptions options;
    options.arcs = false;
    options.kernels = true;
    options.python_minor = input_.python_minor;
    SourceAnalysis source;
    try {
      source = analyze_source(text, file_.path, config.exclusions, options);
    } catch (const NotPython& error) {
      return add_unknown(error.what(), report);
    }
    const std::set<int32_t> touched = touched_logical_lines(file_, source);
    const Executed executed(file_, source, tests_);
    std::map<const KernelDefinition*, std::vector<int32_t>> bodies;
    for (int32_t line : source.statements)
      if (const KernelDefinition* function = innermost(*source.functions, line)) bodies[function].push_back(line);
    for (const KernelDefinition& function : *source.functions)
      check(function, *source.functions, bodies[&function], touched, executed, report);
  }

 private:
  /// Innermost function of a statement. The head of a function belongs to the function around it, unless the whole
  /// function stands on one line.
  static const KernelDefinition* innermost(const std::vector<KernelDefinition>& functions, int32_t line) {
    const KernelDefinition* found = nullptr;
    for (const KernelDefinition& function : functions)
      if (function.first_line <= line && function.body_line <= line && line <= function.last_line) found = &function;
    return found;
  }

  void check(const KernelDefinition& function, const std::vector<KernelDefinition>& all,
             const std::vector<int32_t>& body, const std::set<int32_t>& touched, const Executed& executed,
             CheckReport& report) {
    auto head = touched.lower_bound(function.first_line);
    bool new_head = head != touched.end() && *head <= function.def_line;
    std::vector<int32_t> wanted = body;
    if (!new_head) std::erase_if(wanted, [&](int32_t line) { return !touched.contains(line); });
    if (wanted.empty()) return;
    report.examined.push_back({kUntestedChanges, file_.path, function.first_line, function.def_line});
    auto any = [&](const std::set<int32_t>& lines) {
      return std::any_of(wanted.begin(), wanted.end(), [&](int32_t line) { return lines.contains(line); });
    };
    if (any(tests_.empty() ? executed.at_all : executed.by_tests)) return;
    for (const std::string& name : names_of(function, all))
      if (named_.contains(name)) return;
    add(function, any(executed.at_all), new_head, report);
  }

  void add_unknown(const std::string& why, CheckReport& report) {
    int32_t line = file_.changed.empty() ? 1 : file_.changed.front();
    report.findings.push_back({kUntestedChanges, Severity::Warning, file_.path, line, line,
                               fmt::format("This changed, and its functions can't be found: {}.", visible(why)),
                               "unknown"});
  }

  void add(const KernelDefinition& function, bool ran, bool new_head, CheckReport& report) {
    const char* what = function.decorated ? (function.is_kernel ? "Kernel" : "Func") : "Function";
    const char* parts = new_head ? "it" : "its changed lines";
    std::string why = fmt::format("no test reaches {}", parts);
    if (!file_.measured())
      why = file_.not_measured == kNoData ? "no test run has data of this file" : file_.not_measured;
    else if (ran)
      why = fmt::format("only code outside of tests ran {}", parts);
    report.findings.push_back(
        {kUntestedChanges, Severity::Warning, file_.path, function.def_line, function.first_line,
         fmt::format("{} '{}' changed: {}, and no changed test names it.", what, visible(function.name), why),
         function.name});
  }

  /// Checks a file of another tool, whose data names no tests: all of its changed lines together.
  void run_imported(CheckReport& report) {
    if (file_.statements.empty()) return;
    report.examined.push_back({kUntestedChanges, file_.path, file_.statements.front(), file_.statements.front()});
    if (file_.missing.size() == file_.statements.size())
      add_lines(file_.statements, ", and nothing ran any of them", report);
  }

  /// Checks a file of another language of which no report has the present version.
  void run_unmeasured(CheckReport& report) {
    if (file_.changed.empty()) return;
    report.examined.push_back({kUntestedChanges, file_.path, file_.changed.front(), file_.changed.front()});
    const bool no_data = file_.not_measured == kNoData;
    add_lines(file_.changed, no_data ? ": no test run has data of this file" : ": " + visible(file_.not_measured),
              report);
  }

  void add_lines(const std::vector<int32_t>& lines, const std::string& why, CheckReport& report) {
    report.findings.push_back({kUntestedChanges, Severity::Warning, file_.path, lines.front(), lines.front(),
                               fmt::format("{} changed{}.", plural(static_cast<int64_t>(lines.size()), "line"), why),
                               "lines"});
  }

  const CheckInput& input_;
  const DiffFile& file_;
  const std::set<ContextId>& tests_;
  const std::set<std::string, std::less<>>& named_;
};

}  // namespace

void untested_changes(const CheckInput& input, CheckReport& report) {
  const DiffCoverage& diff = input.diff();
  const Areas areas = input.areas();
  const std::set<ContextId> tests = test_contexts(input.data());
  const std::set<std::string, std::less<>> named = names_in_changed_tests(input, areas);
  size_t before = report.examined.size();
  for (const std::vector<DiffFile>* files : {&diff.files, &diff.not_measured})
    for (const DiffFile& file : *files)
      if (areas.of(file.path) == Area::Source) FileCheck(input, file, tests, named).run(report);
  if (tests.empty() && report.examined.size() > before)
    report.notes.push_back(
        "The data has no test contexts: a changed line that ran at all counts as tested. Measure with 'qd-cov run "
        "--context "
        "test', or pytest-cov's '--cov-context=test'.");
}

}  // namespace qd::report
