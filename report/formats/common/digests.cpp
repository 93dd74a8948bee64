// MD5 and SHA3-256 of short texts.
#include "report/formats/common/digests.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace qd::report {

namespace {

static_assert(std::endian::native == std::endian::little, "words of both are little-endian");

/// MD5's table of constants, RFC 1321: floor(2^32 * |sin(i + 1)|)
const std::array<uint32_t, 64>& sines() {
  static const std::array<uint32_t, 64> table = [] {
    std::array<uint32_t, 64> result{};
    for (size_t i = 0; i < 64; ++i)
      result[i] = static_cast<uint32_t>(std::floor(std::fabs(std::sin(static_cast<double>(i + 1))) * 4294967296.0));
    return result;
  }();
  return table;
}

void md5_block(std::array<uint32_t, 4>& state, const char* block) {
  constexpr int kShifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  const std::array<uint32_t, 64>& table = sines();
  uint32_t words[16];
  std::memcpy(words, block, sizeof words);
  auto [a, b, c, d] = state;
  for (size_t i = 0; i < 64; ++i) {
    uint32_t mixed = 0;
    size_t word = 0;
    switch (i / 16) {
      case 0:
        mixed = (b & c) | (~b & d);
        word = i;
        break;
      case 1:
        mixed = (d & b) | (~d & c);
        word = (5 * i + 1) % 16;
        break;
      case 2:
        mixed = b ^ c ^ d;
        word = (3 * i + 5) % 16;
        break;
      default: mixed = c ^ (b | ~d); word = 7 * i % 16;
    }
    uint32_t turned = std::rotl(a + mixed + table[i] + words[word], kShifts[i / 16][i % 4]);
    a = d;
    d = c;
    c = b;
    b += turned;
  }
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d};
}

/// Keccak-f[1600], the permutation of 25 words, lane (x, y) at x + 5y.
void keccak(std::array<uint64_t, 25>& lanes) {
  uint8_t feedback = 1;
  auto round_bit = [&] {
    bool bit = feedback & 1;
    feedback = static_cast<uint8_t>(feedback & 0x80 ? (feedback << 1) ^ 0x71 : feedback << 1);
    return bit;
  };
  for (int round = 0; round < 24; ++round) {
    uint64_t column[5];
    for (size_t x = 0; x < 5; ++x) column[x] = lanes[x] ^ lanes[x + 5] ^ lanes[x + 10] ^ lanes[x + 15] ^ lanes[x + 20];
    for (size_t x = 0; x < 5; ++x)
      for (size_t y = 0; y < 25; y += 5) lanes[x + y] ^= column[(x + 4) % 5] ^ std::rotl(column[(x + 1) % 5], 1);
    uint64_t moved = lanes[1];
    size_t x = 1, y = 0;
    for (int t = 1; t <= 24; ++t) {
      size_t next_y = (2 * x + 3 * y) % 5;
      x = y;
      y = next_y;
      moved = std::exchange(lanes[x + 5 * y], std::rotl(moved, t * (t + 1) / 2 % 64));
    }
    for (size_t row = 0; row < 25; row += 5) {
      uint64_t old[5];
      std::memcpy(old, &lanes[row], sizeof old);
      for (size_t i = 0; i < 5; ++i) lanes[row + i] = old[i] ^ (~old[(i + 1) % 5] & old[(i + 2) % 5]);
    }
    for (int j = 0; j < 7; ++j)
      if (round_bit()) lanes[0] ^= uint64_t{1} << ((1 << j) - 1);
  }
}

}  // namespace

std::array<uint8_t, 16> md5(std::string_view text) {
  std::array<uint32_t, 4> state = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};
  size_t whole = text.size() / 64 * 64;
  for (size_t at = 0; at < whole; at += 64) md5_block(state, text.data() + at);
  char tail[128] = {};
  size_t left = text.size() - whole;
  std::memcpy(tail, text.data() + whole, left);
  tail[left] = '\x80';
  size_t size = left < 56 ? 64 : 128;
  uint64_t bits = uint64_t{text.size()} * 8;
  std::memcpy(tail + size - 8, &bits, 8);
  for (size_t at = 0; at < size; at += 64) md5_block(state, tail + at);
  return std::bit_cast<std::array<uint8_t, 16>>(state);
}

std::array<uint8_t, 32> sha3_256(std::string_view text) {
  constexpr size_t kRate = 136;
  std::array<uint64_t, 25> lanes{};
  auto absorb = [&](const char* block) {
    uint64_t words[kRate / 8];
    std::memcpy(words, block, kRate);
    for (size_t i = 0; i < kRate / 8; ++i) lanes[i] ^= words[i];
    keccak(lanes);
  };
  for (; text.size() >= kRate; text.remove_prefix(kRate)) absorb(text.data());
  char tail[kRate] = {};
  std::memcpy(tail, text.data(), text.size());
  tail[text.size()] = 6;
  tail[kRate - 1] = static_cast<char>(tail[kRate - 1] | '\x80');
  absorb(tail);
  std::array<uint8_t, 32> result;
  std::memcpy(result.data(), lanes.data(), result.size());
  return result;
}

std::string hexadecimal(const uint8_t* bytes, size_t n) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string result;
  for (size_t i = 0; i < n; ++i) result += {kDigits[bytes[i] >> 4], kDigits[bytes[i] & 15]};
  return result;
}

std::string base64(std::string_view bytes) {
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  size_t size = bytes.size();
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result((size + 2) / 3 * 4, '=');
  char* out = result.data();
  size_t i = 0;
  for (; i + 2 < size; i += 3) {
    uint32_t group = static_cast<uint32_t>(data[i]) << 16 | static_cast<uint32_t>(data[i + 1]) << 8 | data[i + 2];
    *out++ = kDigits[group >> 18];
    *out++ = kDigits[group >> 12 & 63];
    *out++ = kDigits[group >> 6 & 63];
    *out++ = kDigits[group & 63];
  }
  if (i < size) {
    uint32_t group =
        static_cast<uint32_t>(data[i]) << 16 | (i + 1 < size ? static_cast<uint32_t>(data[i + 1]) << 8 : 0);
    *out++ = kDigits[group >> 18];
    *out++ = kDigits[group >> 12 & 63];
    if (i + 1 < size) *out++ = kDigits[group >> 6 & 63];
  }
  return result;
}

}  // namespace qd::report
