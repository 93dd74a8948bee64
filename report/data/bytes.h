// Numbers and texts as bytes, for the formats of our own: journals, notes of combine, lists in data files, the cache of
// analyses. A number is as it is in memory, or a varint (LEB128): seven bits a byte, the lowest first; the eighth bit
// is set when more bytes follow. So 300 is AC 02. Lists of lines, stored as small differences, take a byte each.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace qd::report {

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Appends the length, of 32 bits, and the text.
inline void put_text(std::string& bytes, std::string_view text) {
  put(bytes, static_cast<uint32_t>(text.size()));
  bytes += text;
}

inline void put_varint(std::string& bytes, uint64_t number) {
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(number | 0x80);
  bytes += static_cast<char>(number);
}

/// Takes numbers and texts off the front of some bytes. When there are too few, or a varint has more than 64 bits, `ok`
/// becomes false and stays so, and every value is 0 or empty.
struct ByteReader {
  std::string_view rest;
  bool ok = true;

  std::string_view bytes(uint64_t size) {
    if (size > rest.size()) return fail();
    const std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(size);
    return taken;
  }
  std::string text() { return std::string(bytes(number<uint32_t>())); }
  template <class T>
  T number() {
    T value{};
    const std::string_view taken = bytes(sizeof(T));
    if (ok) std::memcpy(&value, taken.data(), sizeof(T));
    return value;
  }
  uint64_t varint() {
    uint64_t number = 0;
    const char *at = rest.data(), *end = at + rest.size();
    for (int shift = 0; at != end && shift < 64; shift += 7) {
      const uint64_t byte = static_cast<unsigned char>(*at++);
      number |= (byte & 0x7f) << shift;
      if (byte >= 0x80) continue;
      rest = {at, static_cast<size_t>(end - at)};
      return number;
    }
    fail();
    return 0;
  }

 private:
  std::string_view fail() {
    ok = false;
    return rest = {};
  }
};

}  // namespace qd::report
