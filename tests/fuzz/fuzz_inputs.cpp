// libFuzzer target: any bytes as a report of another tool, of coverage or of tests. It is none, or it is damaged
// (DataError), or the data that was read is in order and can be reported.
//
// Run: build/fuzz/tests/fuzz/fuzz_inputs -max_len=4096 some_folder tests/fuzz/corpus/inputs
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "report/analysis/analysis.h"
#include "report/analysis/analysis_parts.h"
#include "report/inputs/inputs.h"
#include "report/inputs/junit.h"
#include "tests/fuzz/file_in_memory.h"

using namespace qd::report;
using qd::fuzz::require;

namespace {

void check(const ImportedFile& file) {
  ImportedFile settled = file;
  settled.settle();
  require(settled == file);
  for (const ImportedLine& line : file.lines) require(line.line > 0 && line.line <= kMaxImportedLine);
  for (const ImportedBranch& branch : file.branches) require(branch.line > 0 && branch.line <= kMaxImportedLine);
  for (const ImportedFunction& function : file.functions)
    require(function.first_line > 0 && file.last_line_of(function) <= kMaxImportedLine);
  if (!file.lines.empty() && file.lines.back().line > 1000) return;  // an analysis has room for every line
  for (const ImportedFunction& function : file.functions)
    if (file.last_line_of(function) > 1000) return;
  Analysis analysis = analyze_imported("/a.cpp", "a.cpp", std::make_shared<const ImportedFile>(file), 0, true);
  require(analysis.executed.size() + analysis.missing.size() == analysis.source.statements.size());
  analysis.missing_formatted();
  AnalysisParts parts(analysis);
  AnalysisPart part;
  for (const CodeRegion& region : analysis.source.regions) {
    LineRanges lines = ranges_of(region.lines);
    parts.cut(lines, part);
    require(part.executed.size() + part.missing.size() == parts.count_statements(lines));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string& name = qd::fuzz::file_with({reinterpret_cast<const char*>(data), size});
  try {
    if (std::optional<CoverageData> read = read_input(name))
      for (const auto& [path, file] : read->imported) check(file);
  } catch (const DataError& error) {
    require(std::string(error.what()).starts_with("Couldn't read '"));
  }
  try {
    for (const JunitTest& test : read_junit(name))
      require(std::isfinite(test.seconds) && test.seconds >= 0 && test.line >= -1 && test.xml_line >= 1);
  } catch (const DataError& error) {
    require(std::string(error.what()).starts_with("Couldn't read '"));
  }
  return 0;
}
