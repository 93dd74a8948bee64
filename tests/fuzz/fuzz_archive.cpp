// libFuzzer target: any bytes as a packed analysis, after one byte of options. An analysis that can be read from them
// packs and unpacks to itself.
//
// Run: build/fuzz/tests/fuzz/fuzz_archive -max_len=4096 some_folder tests/fuzz/corpus/archive
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "report/analysis/cache/analysis_cache.h"

using namespace qd::report;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  AnalysisOptions options;
  options.regions = data[0] & 1;
  options.descriptions = data[0] & 2;
  SourceAnalysis source;
  if (!unpack_analysis({reinterpret_cast<const char*>(data) + 1, size - 1}, options, source)) return 0;
  SourceAnalysis again;
  if (!unpack_analysis(pack_analysis(source, options), options, again) || again != source) std::abort();
  return 0;
}
