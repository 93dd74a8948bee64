// libFuzzer target: any bytes as a trend file. One of its lines is refused by its number, or all points are in order,
// and a file of the lines that we would write says the same.
//
// Run: build/fuzz/tests/fuzz/fuzz_trend -max_len=2048 some_folder tests/fuzz/corpus/trend
#include <cstddef>
#include <cstdint>
#include <string>

#include "report/data/coverage_data.h"
#include "report/inputs/trend.h"
#include "tests/fuzz/file_in_memory.h"

using namespace qd::report;
using qd::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const Trend trend = parse_trend({reinterpret_cast<const char*>(data), size}, "trend");
    std::string again;
    for (const TrendPoint& point : trend.points) {
      require(point.covered_statements >= 0 && point.covered_statements <= point.statements &&
              point.covered_branches >= 0 && point.covered_branches <= point.branches);
      again += trend_line(point) + "\n";
    }
    const Trend same = parse_trend(again, "again");
    require(same.n_unknown == 0 && same.points.size() == trend.points.size());
    for (size_t i = 0; i < same.points.size(); ++i) {
      require(same.points[i].same_numbers(trend.points[i]) && same.points[i].commit == trend.points[i].commit &&
              same.points[i].time == trend.points[i].time);
    }
  } catch (const DataError& error) {
    require(error.what()[0] != '\0');
  }
  return 0;
}
