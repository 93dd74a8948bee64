// libFuzzer target: any bytes through decoding, tokenizer and parser, with the promises that a tree makes.
//
// Run: build/fuzz/tests/fuzz/fuzz_syntax -max_len=4096 some_folder tests/fuzz/corpus/syntax
#include <cstddef>
#include <cstdint>

#include "tests/unit/syntax/tree_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto result = qd::syntax::parse(qd::syntax::decode_source({reinterpret_cast<const char*>(data), size}));
  if (!qd::syntax::promises_broken(result).empty()) __builtin_trap();
  return 0;
}
