// libFuzzer target: the number of a random kernel, which is compiled, with counters or without, and run. It does what
// the interpreter of kernel IR does, and its counters say what the interpreter reached. Or its iterations run as lanes
// of vectors: it does what they do one after the other, with the same counters.
//
// Run: build/fuzz/tests/fuzz/fuzz_codegen -max_len=5 -len_control=0 some_folder tests/fuzz/corpus/codegen
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/unit/launch/compiled_kernel.h"
#include "tests/unit/launch/lanes_and_alone.h"

namespace {

/// The difference between the compiled kernel and the interpreted one; empty: none.
std::string difference(uint32_t seed, bool counts) {
  qd::testing::Counting observer(qd::instrument::lower_probes);
  const qd::testing::BothRuns runs = qd::testing::run_both(seed, counts ? &observer : nullptr);
  const std::string arc = counts ? qd::testing::wrong_arc(runs, observer) : "";
  if (runs.same() && arc.empty()) return "";
  return (arc.empty() ? "results" : "arc " + arc) + "\n" + qd::ir::print(runs.kernel) + runs.compiled;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 5) return 0;
  uint32_t seed = 0;
  std::memcpy(&seed, data + 1, sizeof seed);
  const uint32_t longest = 4 + (data[0] >> 3);  // around the length of a vector
  const bool first = data[0] % 2 != 0;
  std::string found;
  switch (data[0] >> 1 & 3) {
    case 2: found = qd::testing::compare_lanes(seed, {.asserts = first}, longest).difference; break;
    case 3: found = qd::testing::compare_lanes(seed, {.draws = true, .asserts = false}, longest).difference; break;
    default: found = difference(seed, first);
  }
  if (found.empty()) return 0;
  std::fprintf(stderr, "seed %u: the compiled kernel does something else: %s", seed, found.c_str());
  std::abort();
}
