// libFuzzer target: the file of a cache, damaged as the bytes say. An entry that is found in it is the analysis of its
// source, and a new file has everything again.
//
// Run: build/fuzz/tests/fuzz/fuzz_cache -max_len=256 some_folder tests/fuzz/corpus/cache
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "report/analysis/cache/analysis_cache.h"
#include "tests/fuzz/damage.h"
#include "tests/fuzz/file_in_memory.h"

using namespace qd::report;

namespace {

const std::array<std::string, 3> kTexts = {
    "import os\n\n\ndef f(a):\n    if a:\n        with a:\n            return (a,\n                1)\n    return 2\n",
    "class A:\n    def m(self):\n        for x in self:\n            yield x\n        else:\n            pass\n",
    "",
};
constexpr const char* kSettings = "settings";

/// A cache of kTexts, and the analyses that must be found in it.
struct Cache {
  Cache() {
    options.regions = options.descriptions = true;
    for (size_t i = 0; i < kTexts.size(); ++i) analyses[i] = analyze_source(kTexts[i], "f.py", {}, options);
    write_all();
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
    if (n_found() != kTexts.size()) std::abort();
  }
  void write_all() const {
    AnalysisCache cache(path, kSettings);
    for (size_t i = 0; i < kTexts.size(); ++i)
      if (!cache.find(kTexts[i], options)) cache.add(kTexts[i], options, analyses[i]);
    cache.save();
  }
  /// Aborts for an analysis that is not the text's.
  size_t n_found() const {
    AnalysisCache cache(path, kSettings);
    size_t n = 0;
    for (size_t i = 0; i < kTexts.size(); ++i) {
      std::optional<SourceAnalysis> found = cache.find(kTexts[i], options);
      if (found && *found != analyses[i]) std::abort();
      n += found.has_value();
    }
    return n;
  }

  AnalysisOptions options;
  qd::fuzz::TemporaryFolder folder;
  const std::string path = folder.path() + "/some.analyses";
  std::string bytes;
  std::array<SourceAnalysis, kTexts.size()> analyses;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Cache cache;
  std::ofstream(cache.path, std::ios::binary | std::ios::trunc) << qd::fuzz::damaged(cache.bytes, data, size);
  cache.n_found();
  cache.write_all();
  if (cache.n_found() != kTexts.size()) std::abort();
  return 0;
}
