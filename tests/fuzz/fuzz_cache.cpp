// libFuzzer target: the file of a cache, damaged as the bytes say. Whatever is found in it is what the source is analysed to, and a new file has everything again.
// Run: build/fuzz/tests/fuzz/fuzz_cache -max_len=256 some_folder tests/fuzz/corpus/cache
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "report/analysis/analysis_cache.h"

using namespace qd::report;

namespace {

const std::array<std::string, 3> kTexts = {
    "import os\n\n\ndef f(a):\n    if a:\n        with a:\n            return (a,\n                1)\n    return 2\n",
    "class A:\n    def m(self):\n        for x in self:\n            yield x\n        else:\n            pass\n",
    "",
};
constexpr const char* kSettings = "settings";

/// A cache of kTexts, and what must be found in it.
struct Cache {
  Cache() {
    const bool in_memory = std::filesystem::is_directory("/dev/shm");
    std::string name = (in_memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path()) / "fuzz_cache.XXXXXX";
    if (!mkdtemp(name.data())) std::abort();
    folder = name;
    path = folder + "/some.analyses";
    options.regions = options.descriptions = true;
    for (size_t i = 0; i < kTexts.size(); ++i) analyses[i] = analyze_source(kTexts[i], "f.py", {}, options);
    write_all();
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
    if (n_found() != kTexts.size()) std::abort();
  }
  ~Cache() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
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
  std::string folder, path, bytes;
  std::array<SourceAnalysis, kTexts.size()> analyses;
};

/// Four bytes a change: what, where (two), with what.
std::string damaged(std::string file, const uint8_t* data, size_t size) {
  for (; size >= 4; data += 4, size -= 4) {
    const size_t at = file.empty() ? 0 : (data[1] | data[2] << 8) % file.size();
    const size_t length = std::min<size_t>(data[3], file.size() - at);
    switch (data[0] % 6) {
      case 0:
        if (!file.empty()) file[at] = static_cast<char>(data[3]);
        break;
      case 1:
        if (!file.empty()) file[at] = static_cast<char>(file[at] ^ 1 << data[3] % 8);
        break;
      case 2:
        file.resize(at);
        break;
      case 3:
        file.erase(at, length);
        break;
      case 4:
        file.insert(at, length, '\xFF');
        break;
      default:
        file += file.substr(at, length);
    }
  }
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Cache cache;
  std::ofstream(cache.path, std::ios::binary | std::ios::trunc) << damaged(cache.bytes, data, size);
  cache.n_found();
  cache.write_all();
  if (cache.n_found() != kTexts.size()) std::abort();
  return 0;
}
