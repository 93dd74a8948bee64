// Decides which characters above ASCII may stand in identifiers.
#include <algorithm>
#include <iterator>

#include "runtime/syntax/tokenizer.h"

namespace qd::syntax {
namespace {

struct Run {
  char32_t first;
  char32_t last;
};

#include "runtime/syntax/identifier_ranges.inc"

template <size_t kSize>
bool contains(const Run (&runs)[kSize], char32_t code_point) {
  const Run* const behind = std::upper_bound(std::begin(runs), std::end(runs), code_point,
                                             [](char32_t c, const Run& run) { return c < run.first; });
  return behind != std::begin(runs) && code_point <= behind[-1].last;
}

bool is_ascii_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

}  // namespace

bool is_identifier_start(char32_t c) { return c < 0x80 ? is_ascii_letter(c) : contains(kStart, c); }

bool is_identifier_continue(char32_t c) {
  return c < 0x80 ? is_ascii_letter(c) || (c >= '0' && c <= '9') : contains(kContinue, c);
}

}  // namespace qd::syntax
