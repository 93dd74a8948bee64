// Varints (LEB128), numbers of variable length: seven bits a byte, the lowest first; the eighth bit is set when more
// bytes follow. So 300 is AC 02. Lists of lines, stored as small differences, take a byte each.
#pragma once

#include <cstdint>
#include <string>

namespace qd::report {

inline void append_varint(std::string& bytes, uint64_t number) {
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(number | 0x80);
  bytes += static_cast<char>(number);
}

/// Takes a number off the front of [at, end). False when the bytes end before it does, or it has more than 64 bits.
inline bool take_varint(const char*& at, const char* end, uint64_t& number) {
  number = 0;
  for (int shift = 0; at != end && shift < 64; shift += 7) {
    const uint64_t byte = static_cast<unsigned char>(*at++);
    number |= (byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

}  // namespace qd::report
