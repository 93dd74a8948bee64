// libFuzzer target: the journal of a process that ran kernels, damaged as the input says, or any bytes. A loss is
// reported, and no hit appears that was not there.
//
// Run: build/fuzz/tests/fuzz/fuzz_journal -max_len=1024 some_folder tests/fuzz/corpus/journal
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "instrument/session.h"
#include "report/data/journal.h"
#include "tests/fuzz/damage.h"
#include "tests/fuzz/file_in_memory.h"
#include "tests/unit/instrument/two_arcs.h"

using namespace qd;
using fuzz::require;

namespace {

constexpr uint64_t kLaunches = 2;  // of each kernel

using Hit = std::tuple<std::string, std::string, int32_t, int32_t>;  // file, context or variant, arc

std::set<Hit> hits_of(const report::CoverageData& data) {
  std::set<Hit> hits;
  for (const auto& [path, file] : data.files) {
    for (const auto& [context, arcs] : file.arcs)
      for (const report::Arc& arc : arcs) hits.emplace(path, data.contexts[context], arc.from, arc.to);
    for (const auto& [function, probes] : file.kernel_functions)
      for (const auto& [name, variant] : probes.variants)
        for (const report::Arc& arc : variant.taken)
          hits.emplace(path, function.name + " " + name.arguments + " " + name.kernel, arc.from, arc.to);
  }
  return hits;
}

/// A record that stands there twice counts twice; nothing else is counted.
void check_launches(const report::CoverageData& data) {
  for (const auto& [path, file] : data.files)
    for (const auto& [function, probes] : file.kernel_functions)
      for (const auto& [name, variant] : probes.variants) {
        require(variant.launches % kLaunches == 0 && (function.is_kernel || variant.launches == 0));
      }
}

/// The bytes of a journal of three kernels with a func in two contexts, without the zeros at its end, and its contents.
struct Journal {
  Journal() {
    const fuzz::TemporaryFolder folder;
    {
      instrument::Session session({folder.path(), true, ""}, "first");
      for (const char* context : {"first", "second"}) {
        session.switch_context(context);
        for (int i = 0; i < 3; ++i) {
          ir::Kernel kernel = instrument::testing::two_arcs();
          kernel.functions[0].file = "/project/" + std::to_string(i) + ".py";
          kernel.functions.push_back({"/project/" + std::to_string(i / 2) + ".py", "f", 20});
          kernel.variants = {"n=1"};
          kernel.probes.push_back({1, -20, 21, 0});
          kernel.tasks[0].start_probes.push_back(2);
          const std::unique_ptr<VariantObserver> variant =
              session.lower_probes(kernel, "cpu", passes::LaunchCounts::Host, "n=" + std::to_string(i));
          variant->launched();
          instrument::testing::launch(*variant, kernel, i != 1);
        }
      }
      session.data();  // notes the launches
    }
    const std::string path = std::filesystem::directory_iterator(folder.path())->path().string();
    std::ifstream in(path, std::ios::binary);
    bytes = {std::istreambuf_iterator<char>(in), {}};
    const report::CoverageData data = report::read_journal(path);
    require(data.damage.empty());
    hits = hits_of(data);
    require(hits.size() == 22);
    check_launches(data);
    used = bytes.substr(0, bytes.find_last_not_of('\0') + 1);
  }
  std::string bytes, used;
  std::set<Hit> hits;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  static const Journal journal;
  const bool any = data[0] % 8 == 0;
  std::string bytes;
  if (any) {
    bytes = std::string(reinterpret_cast<const char*>(data) + 1, size - 1);
  } else {
    bytes = fuzz::damaged(journal.used, data + 1, size - 1);
    bytes.resize(std::max(bytes.size(), journal.bytes.size()));  // the zeros at its end
  }
  try {
    const report::CoverageData found = report::read_journal(fuzz::file_with(bytes));
    if (any) return 0;
    check_launches(found);
    require(found.damage.empty() || bytes != journal.bytes);
    const std::set<Hit> hits = hits_of(found);
    require(!found.damage.empty() || hits == journal.hits);  // a record may stand there twice
    require(std::includes(journal.hits.begin(), journal.hits.end(), hits.begin(), hits.end()));
  } catch (const report::DataError& error) {
    require(error.what()[0] != '\0' && bytes != journal.bytes);
  }
  return 0;
}
