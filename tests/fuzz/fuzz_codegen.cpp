// libFuzzer target: the number of a random kernel, which is compiled, with counters or without, and run. It does what
// the interpreter of kernel IR does, and its counters say what the interpreter reached.
//
// Run: build/fuzz/tests/fuzz/fuzz_codegen -max_len=5 -len_control=0 some_folder tests/fuzz/corpus/codegen
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/unit/launch/compiled_kernel.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 5) return 0;
  uint32_t seed = 0;
  std::memcpy(&seed, data + 1, sizeof seed);
  qd::testing::Counting observer(qd::instrument::lower_probes);
  const bool counts = data[0] % 2 != 0;
  const qd::testing::BothRuns runs = qd::testing::run_both(seed, counts ? &observer : nullptr);
  const std::string arc = counts ? qd::testing::wrong_arc(runs, observer) : "";
  if (runs.same() && arc.empty()) return 0;
  std::fprintf(stderr, "seed %u: the compiled kernel does something else%s%s\n%s%s", seed, arc.empty() ? "" : ": arc ",
               arc.c_str(), qd::ir::print(runs.kernel).c_str(), runs.compiled.c_str());
  std::abort();
}
