// libFuzzer target: any bytes as a Python source, through everything that reports ask of an analysis, with its
// invariants.
//
// Run: build/fuzz/tests/fuzz/fuzz_analysis -max_len=4096 -timeout=10 some_folder build/fuzz/corpora/analysis
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "report/analysis/analysis.h"
#include "report/analysis/analysis_parts.h"
#include "runtime/syntax/parse.h"

using namespace qd::report;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

bool is_sorted_set(const auto& items) {
  return std::adjacent_find(items.begin(), items.end(), std::greater_equal<>()) == items.end();
}

FileData all_arcs_but_some(const SourceAnalysis& source) {
  FileData data;
  for (const Arc& arc : source.arcs)
    if ((arc.from + arc.to) % 3 != 0) data.arcs[0].push_back(arc);
  for (int32_t line = 2; line <= source.n_lines; line += 5) data.arcs[0].push_back({line, line});
  data.arcs[0].push_back({-1, 1 << 30});
  return data;
}

void check(const SourceAnalysis& source) {
  require(is_sorted_set(source.statements) && is_sorted_set(source.excluded) && is_sorted_set(source.arcs));
  for (int32_t line : source.statements) {
    require(line >= 1 && line <= source.n_lines && source.logical_line(line) == line);
    require(!std::binary_search(source.excluded.begin(), source.excluded.end(), line));
  }
  for (const Arc& arc : source.arcs) {
    require(arc.from > 0 && arc.from != arc.to);
    require(!source.arc_description(arc).empty() && !source.missing_arc_description(arc).empty());
  }
  Analysis analysis = analyze("f.py", "f.py", source, all_arcs_but_some(source), true);
  require(analysis.executed.size() + analysis.missing.size() == source.statements.size());
  int32_t n_statements = 0, n_branches = 0;
  AnalysisParts parts(analysis);
  AnalysisPart part;
  auto add = [&](const LineRanges& lines) {
    parts.cut(lines, part);
    require(part.executed.size() + part.missing.size() == parts.count_statements(lines));
    n_statements += part.numbers.n_statements;
    n_branches += part.numbers.n_branches;
  };
  LineRanges functions;
  std::vector<char> inside(static_cast<size_t>(source.n_lines) + 2);
  for (const CodeRegion& region : source.regions) {
    require(is_sorted_set(region.lines));
    if (region.kind != CodeRegion::Kind::Function) continue;
    for (int32_t line : region.lines) require(!std::exchange(inside[static_cast<size_t>(line)], 1));
    LineRanges lines = ranges_of(region.lines);
    add(lines);
    functions.insert(functions.end(), lines.begin(), lines.end());
  }
  add(ranges_outside(std::move(functions), source.n_lines + 1));
  require(n_statements == analysis.numbers.n_statements && n_branches == analysis.numbers.n_branches);
  analysis.missing_formatted();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  std::replace(bytes.begin(), bytes.end(), '\f', ' ');
  std::string text = qd::syntax::decode_source(bytes);
  static const Exclusions kNewest{
      {R"(#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(cover|COVER))",
       R"(^\s*(((async )?def .*?)?[\])]+(\s*->.*?)?:\s*)?\.\.\.\s*(#|$))", R"(^\s*if (typing\.)?TYPE_CHECKING:)"},
      {R"(#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(branch|BRANCH))"},
      {R"(^\s*while (True|1|False|0):)", R"(^\s*if (True|1|False|0):)"},
  };
  static const Exclusions kOld{
      {R"(#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(cover|COVER))", "else"}, {"x$"}, {"^"}, true, true};
  AnalysisOptions options;
  options.conditions = options.kernels = options.regions = options.descriptions = true;
  try {
    check(analyze_source(text, "f.py", kNewest, options));
    options.python_minor = 10;
    check(analyze_source(text, "f.py", kOld, options));
  } catch (const NotPython&) {
  }
  return 0;
}
