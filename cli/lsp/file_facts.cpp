// File facts. Lines of editors count from 0, and columns in units of UTF-16.
#include "cli/lsp/file_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "report/analysis/analysis_parts.h"
#include "report/analysis/kernels/probe_hits.h"
#include "report/analysis/numbers.h"
#include "report/formats/common/text.h"
#include "report/formats/html/context_tests.h"

namespace qd::cli {

namespace {

using Json = nlohmann::json;

enum Severity { kWarning = 2, kInformation = 3 };

class Writer {
 public:
  Writer(const report::AnalyzedFile& file, const std::vector<std::string>& contexts, int precision)
      : file_(file), analysis_(file.analysis), contexts_(contexts), precision_(precision) {
    std::string_view text = file.text;
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      lines_.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }

  FileFacts write() {
    if (file_.version == report::SourceVersion::Other || file_.version == report::SourceVersion::PartlyOther) {
      add(1, 1, kInformation, "version", "The coverage data is of another version of this file: run the tests again.");
      return std::move(facts_);
    }
    missing_lines();
    missing_branches();
    functions();
    return std::move(facts_);
  }

 private:
  bool in_file(int32_t line) const { return line > 0 && static_cast<size_t>(line) <= lines_.size(); }

  Json position(int32_t line, size_t column) const {
    const std::string_view text = in_file(line) ? lines_[static_cast<size_t>(line) - 1] : std::string_view();
    return {{"line", line - 1}, {"character", report::utf16_length(text.substr(0, std::min(column, text.size())))}};
  }

  /// Range from the first word of a line to the end of another.
  Json range(int32_t first, int32_t last) const {
    const std::string_view text = in_file(first) ? lines_[static_cast<size_t>(first) - 1] : std::string_view();
    const size_t start = text.find_first_not_of(" \t");
    return {{"start", position(first, start == std::string_view::npos ? 0 : start)},
            {"end", position(last, std::string_view::npos)}};
  }

  void add(int32_t first, int32_t last, Severity severity, const char* code, const std::string& message) {
    facts_.diagnostics.push_back({{"range", range(first, last)},
                                  {"severity", severity},
                                  {"source", "qd-cov"},
                                  {"code", code},
                                  {"message", message}});
  }

  /// Reason for a missing line or branch of a kernel; empty in host code.
  std::string reason(const report::Arc& arc, int32_t line) const {
    const report::KernelProbes* function = analysis_.kernels.at(line);
    if (!function) return "";
    const report::ProbeState state = function->unreached(arc);
    return fmt::format("{}: {}", report::name(state), function->explain(state));
  }
  std::string reason(int32_t line) const {
    const report::KernelProbes* function = analysis_.kernels.at(line);
    return function ? reason({-function->source.first_line, line}, line) : "";
  }

  /// Adds diagnostics: consecutive missing statements with the same reason are one.
  void missing_lines() {
    const report::SourceAnalysis& source = analysis_.source;
    const std::vector<int32_t>& missing = analysis_.missing;
    for (size_t i = 0; i < missing.size(); ++i) {
      const int32_t first = missing[i];
      const std::string why = reason(first);
      auto next = std::ranges::upper_bound(source.statements, first);
      for (; i + 1 < missing.size() && next != source.statements.end() && *next == missing[i + 1] &&
             reason(missing[i + 1]) == why;
           ++next)
        ++i;
      if (!in_file(first)) continue;
      const auto last = static_cast<size_t>(missing[i]);
      const int32_t end = last < source.last_line.size() ? std::max(source.last_line[last], missing[i]) : missing[i];
      add(first, std::min(end, static_cast<int32_t>(lines_.size())), kWarning, "missing",
          why.empty() ? "Never ran." : fmt::format("Never ran in a kernel, {}.", why));
    }
  }

  void missing_branches() {
    for (const auto& [line, destinations] : analysis_.missing_branches) {
      if (!in_file(line) || std::ranges::binary_search(analysis_.missing, line)) continue;
      for (int32_t to : destinations) {
        std::string text = analysis_.plugin || analysis_.imported
                               ? fmt::format("line {} never went to {}", line, to > 0 ? std::to_string(to) : "the exit")
                               : analysis_.source.missing_arc_description({line, to});
        if (const std::string why = reason({line, to}, line); !why.empty()) text += fmt::format(" ({})", why);
        add(line, line, kInformation, "branch", text);
      }
    }
    if (!analysis_.imported) return;
    for (const auto& [line, stats] : analysis_.branch_stats)
      if (stats[1] < stats[0] && in_file(line) && !std::ranges::binary_search(analysis_.missing, line))
        add(line, line, kInformation, "branch",
            report::share_of_branches(stats[0] - stats[1], stats[0]) + " never taken");
  }

  void functions() {
    const report::AnalysisParts parts(analysis_);
    report::AnalysisPart part;
    const std::vector<report::FunctionHits> hits = report::function_hits(analysis_, *file_.data, contexts_);
    for (const report::CodeRegion& region : analysis_.source.regions) {
      if (region.kind != report::CodeRegion::Kind::Function || !in_file(region.start)) continue;
      parts.cut(report::ranges_of(region.lines), part);
      if (part.numbers.n_statements == 0) continue;
      std::string title = fmt::format("{}% covered", part.numbers.pc_covered_str(precision_));
      for (const report::FunctionHits& kernel : hits)
        if (kernel.function->source.def_line == region.start) title = fmt::format("{}, {}", title, of_kernel(kernel));
      facts_.lenses.push_back(
          {{"range", range(region.start, region.start)}, {"command", {{"title", title}, {"command", ""}}}});
    }
  }

  std::string of_kernel(const report::FunctionHits& kernel) const {
    const report::KernelProbes& function = *kernel.function;
    const bool is_called = function.is_called();
    const char* what = is_called ? "function" : function.source.is_kernel ? "kernel" : "func";
    if (!function.ran) {
      if (function.compiled()) return fmt::format("{} that no {} reached", what, is_called ? "call" : "launch");
      if (!function.archs.empty()) return fmt::format("{} that does not compile", what);
      if (is_called) return "function that was never called";
      return function.source.is_kernel ? "kernel that was never launched" : "func that no launched kernel calls";
    }
    std::string text = what;
    for (const std::string& arch : kernel.archs) {
      const report::FunctionHits::Count count = kernel.count(arch);
      text += fmt::format("{} {} {} of {}", arch == kernel.archs.front() ? " on" : ", on", arch, count.fired,
                          report::plural(count.probes, "probe"));
    }
    std::set<std::string_view> tests;
    for (const report::ProbeHits& line : kernel.lines)
      for (report::ContextId context : line.contexts)
        if (const std::string_view test = report::test_name(contexts_[context]); !test.empty()) tests.insert(test);
    if (!tests.empty()) text += fmt::format(", {}", report::plural(static_cast<int64_t>(tests.size()), "test"));
    return text;
  }

  const report::AnalyzedFile& file_;
  const report::Analysis& analysis_;
  const std::vector<std::string>& contexts_;
  int precision_;
  std::vector<std::string_view> lines_;
  FileFacts facts_;
};

}  // namespace

FileFacts file_facts(const report::AnalyzedFile& file, const std::vector<std::string>& contexts, int precision) {
  return Writer(file, contexts, precision).write();
}

}  // namespace qd::cli
