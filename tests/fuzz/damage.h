// Damage to bytes that have a checksum, or that only this build writes: fuzz targets change them as their input says.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace qd::fuzz {

/// `bytes` with a change for every four bytes of the input: its kind, its place (two bytes), its value.
inline std::string damaged(std::string bytes, const uint8_t* data, size_t size) {
  for (; size >= 4; data += 4, size -= 4) {
    const size_t at = bytes.empty() ? 0 : static_cast<size_t>(data[1] | data[2] << 8) % bytes.size();
    const size_t length = std::min<size_t>(data[3], bytes.size() - at);
    switch (data[0] % 6) {
      case 0:
        if (!bytes.empty()) bytes[at] = static_cast<char>(data[3]);
        break;
      case 1:
        if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ 1 << data[3] % 8);
        break;
      case 2: bytes.resize(at); break;
      case 3: bytes.erase(at, length); break;
      case 4: bytes.insert(at, length, '\xFF'); break;
      default: bytes += bytes.substr(at, length);
    }
  }
  return bytes;
}

}  // namespace qd::fuzz
