// UTF-8 validation.
#include "report/data/utf8.h"

namespace qd::report {

namespace {

bool is_continuation(std::string_view text, size_t i) { return i < text.size() && continues_character(text[i]); }

}  // namespace

size_t utf8_sequence(std::string_view text, size_t i) {
  auto byte = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(i);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return is_continuation(text, i + 1) ? 2 : 0;
  if (first >= 0xe0 && first < 0xf0) {
    if (!is_continuation(text, i + 1) || !is_continuation(text, i + 2)) return 0;
    const bool overlong = first == 0xe0 && byte(i + 1) < 0xa0, surrogate = first == 0xed && byte(i + 1) >= 0xa0;
    return overlong || surrogate ? 0 : 3;
  }
  if (first >= 0xf0 && first < 0xf5) {
    if (!is_continuation(text, i + 1) || !is_continuation(text, i + 2) || !is_continuation(text, i + 3)) return 0;
    const bool overlong = first == 0xf0 && byte(i + 1) < 0x90, beyond = first == 0xf4 && byte(i + 1) >= 0x90;
    return overlong || beyond ? 0 : 4;
  }
  return 0;
}

std::string shown_text(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const size_t length = utf8_sequence(text, i);
    const bool control = static_cast<unsigned char>(text[i]) < 0x20 || text[i] == 0x7f;
    if (length == 0 || control)
      result += '?';
    else
      result += text.substr(i, length);
    i += length == 0 ? 1 : length;
  }
  return result;
}

}  // namespace qd::report
