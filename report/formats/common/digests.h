// Hashes that formats of other tools need.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace qd::report {

/// MD5, RFC 1321.
std::array<uint8_t, 16> md5(std::string_view text);

/// SHA3-256, FIPS 202.
std::array<uint8_t, 32> sha3_256(std::string_view text);

/// Hexadecimal digits of the first `n` bytes, in lower case.
std::string hexadecimal(const uint8_t* bytes, size_t n);

/// Base64, RFC 4648, padded by `=`.
std::string base64(std::string_view bytes);

}  // namespace qd::report
