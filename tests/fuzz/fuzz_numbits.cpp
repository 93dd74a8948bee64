// libFuzzer target: any two blobs as sets of lines.
//
// Run: build/fuzz/tests/fuzz/fuzz_numbits -max_len=64 some_folder
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "report/data/numbits.h"

namespace {

using qd::report::Numbits;

std::set<int32_t> lines_of(const Numbits& numbits) {
  std::vector<int32_t> lines = numbits.lines();
  return {lines.begin(), lines.end()};
}

void check(bool holds) {
  if (!holds) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const size_t half = size == 0 ? 0 : data[0] % size;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const Numbits a(bytes.substr(0, half)), b(bytes.substr(half));
  const std::set<int32_t> in_a = lines_of(a), in_b = lines_of(b);
  check(a.empty() == in_a.empty());
  Numbits inserted, both = a, rest = a;
  for (int32_t line : in_a) inserted.insert(line);
  check(lines_of(inserted) == in_a);
  both.merge(b);
  rest.remove(b);
  for (int32_t line = 0; line < static_cast<int32_t>(8 * size + 8); ++line) {
    check(a.contains(line) == in_a.contains(line));
    check(both.contains(line) == (in_a.contains(line) || in_b.contains(line)));
    check(rest.contains(line) == (in_a.contains(line) && !in_b.contains(line)));
  }
  return 0;
}
