// UTF-8: reads and writes single characters.
#include "runtime/syntax/utf8.h"

namespace qd::syntax {

char32_t decode_utf8(const char*& at, const char* end) {
  constexpr char32_t kReplacement = 0xFFFD;
  const auto byte = [&](int i) -> uint32_t { return static_cast<unsigned char>(at[i]); };
  const auto continues = [&](int i) { return at + i < end && (byte(i) & 0xC0) == 0x80; };
  const uint32_t lead = byte(0);
  if (lead < 0x80) {
    ++at;
    return lead;
  }
  if (lead >= 0xC2 && lead <= 0xDF && continues(1)) {
    const char32_t c = (lead & 0x1F) << 6 | (byte(1) & 0x3F);
    at += 2;
    return c;
  }
  if (lead >= 0xE0 && lead <= 0xEF && continues(1) && continues(2)) {
    const char32_t c = (lead & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    if (c >= 0x800 && (c < 0xD800 || c > 0xDFFF)) {
      at += 3;
      return c;
    }
  }
  if (lead >= 0xF0 && lead <= 0xF4 && continues(1) && continues(2) && continues(3)) {
    const char32_t c = (lead & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
    if (c >= 0x10000 && c <= 0x10FFFF) {
      at += 4;
      return c;
    }
  }
  ++at;
  return kReplacement;
}

char* encode_utf8(char32_t c, char* out) {
  const auto put = [&](uint32_t byte) { *out++ = static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 0x3F));
    put(0x80 | (c >> 6 & 0x3F));
    put(0x80 | (c & 0x3F));
  }
  return out;
}

bool is_printable(char32_t c) {
  if (c < 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0xAD) return false;
  if (c == 0x1680 || c == 0x180E || (c >= 0x2000 && c <= 0x200F) || (c >= 0x2028 && c <= 0x202F) ||
      (c >= 0x205F && c <= 0x206F))
    return false;
  if (c == 0x3000 || c == 0xFEFF || (c >= 0xE000 && c <= 0xF8FF) || (c >= 0xFFF0 && c <= 0xFFFB) || c >= 0xE0000)
    return false;
  return (c & 0xFFFE) != 0xFFFE;
}

}  // namespace qd::syntax
