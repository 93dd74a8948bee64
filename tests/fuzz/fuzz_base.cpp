// libFuzzer target: any bytes as the JSON report of an earlier run. It is refused with a message, or its lists are
// sorted and its numbers are counts.
//
// Run: build/fuzz/tests/fuzz/fuzz_base -max_len=4096 some_folder tests/fuzz/corpus/base
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "report/data/coverage_data.h"
#include "report/data/imported.h"
#include "report/inputs/coverage_json.h"
#include "tests/fuzz/file_in_memory.h"

using namespace qd::report;
using qd::fuzz::require;

namespace {

bool is_sorted_set(const auto& items) {
  return std::adjacent_find(items.begin(), items.end(), std::greater_equal<>()) == items.end();
}

void check(const CoverageJsonFile& file) {
  for (const auto* lines : {&file.executed, &file.missing, &file.excluded}) {
    require(is_sorted_set(*lines));
    if (!lines->empty()) require(lines->front() >= 1 && lines->back() <= kMaxImportedLine);
  }
  require(is_sorted_set(file.executed_branches) && is_sorted_set(file.missing_branches));
  require(file.covered_lines >= 0 && file.num_statements >= 0 && file.covered_branches >= 0 && file.num_branches >= 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const CoverageJson report = read_coverage_json(qd::fuzz::file_with({reinterpret_cast<const char*>(data), size}));
    for (const auto& [name, file] : report.files) check(file);
  } catch (const DataError& error) {
    require(std::string(error.what()).starts_with("Couldn't read '"));
  }
  return 0;
}
