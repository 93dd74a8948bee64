// Kernel rows of the index. A row is
//
//   ["Solver.step", line of its def, kind, state, probes fired, probes, tests,
//    ["cpu", launches, ...], numbers..., [total, done of each arch]]
//
// The kind is kernel_kind(), the state kernel_state(). Launches are of devices that have counts. The numbers are
// index_numbers() of the function's body alone, without those of conditions. Probes are those of all devices; tests are
// counted without their phases and devices.
#include "report/formats/html/html_kernels.h"

#include <fmt/format.h>

#include <set>
#include <string_view>

#include "report/analysis/kernels/probe_hits.h"
#include "report/analysis/kernels/variants.h"
#include "report/formats/common/text.h"
#include "report/formats/html/arch_numbers.h"
#include "report/formats/html/context_tests.h"
#include "report/formats/html/html_regions.h"
#include "report/formats/html/page_data.h"

namespace qd::report {

int kernel_kind(const KernelProbes& function) {
  if (!function.source.is_kernel) return 0;
  return function.is_called() ? 2 : 1;
}

int kernel_state(const KernelProbes& function) {
  if (function.ran) return 0;
  if (function.compiled()) return 1;
  return function.archs.empty() ? 3 : 2;
}

KernelRows kernel_rows(const Analysis& analysis, const FileData& data, const std::vector<std::string>& contexts,
                       const std::vector<ArchCoverage>& archs, bool gradients) {
  KernelRows result;
  if (analysis.kernels.functions.empty()) return result;
  const AnalysisParts parts(analysis);
  ArchCounter counter(archs);
  AnalysisPart part;
  for (const FunctionHits& hits : function_hits(analysis, data, contexts)) {
    const KernelDefinition& source = hits.function->source;
    const LineRanges body = {{source.body_line, source.last_line}};
    parts.cut(body, part);
    FunctionHits::Count probes;
    for (const std::string& arch : hits.archs) {
      const FunctionHits::Count count = hits.count(arch);
      probes.probes += count.probes;
      probes.fired += count.fired;
    }
    const GradientNumbers differentiated = gradients_within(analysis.gradients, body);
    std::set<std::string_view> tests;
    for (const ProbeHits& line : hits.lines)
      for (ContextId context : line.contexts)
        if (const std::string_view test = test_name(contexts[context]); !test.empty()) tests.insert(test);
    result.rows += result.rows.empty() ? "[" : ",[";
    append_script_json(result.rows, displayed(source.name));
    std::string launched;
    for (const auto& [arch, n] : launches(*hits.function))
      launched += fmt::format("{}\"{}\",{}", launched.empty() ? "" : ",", arch, browser_number(n));
    result.rows += fmt::format(",{},{},{},{},{},{},[{}],{}{}]", source.def_line, kernel_kind(*hits.function),
                               kernel_state(*hits.function), probes.fired, probes.probes, tests.size(), launched,
                               index_numbers(part.numbers, gradients ? &differentiated : nullptr, nullptr),
                               counter.count(body, part.numbers).json());
    ++result.n;
  }
  return result;
}

}  // namespace qd::report
