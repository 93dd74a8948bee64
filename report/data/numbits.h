// Numbits, a set of line numbers in coverage.py's form: bit b of byte i stands for line 8*i+b.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace qd::report {

class Numbits {
 public:
  Numbits() = default;
  explicit Numbits(std::string bytes) : bytes_(std::move(bytes)) {}

  void insert(int32_t line) {
    size_t byte = static_cast<size_t>(line) / 8;
    if (byte >= bytes_.size()) bytes_.resize(byte + 1, '\0');
    bytes_[byte] = static_cast<char>(bytes_[byte] | (1 << (line % 8)));
  }
  bool contains(int32_t line) const {
    size_t byte = static_cast<size_t>(line) / 8;
    return line >= 0 && byte < bytes_.size() && (bytes_[byte] >> (line % 8) & 1);
  }
  /// Union with `other`.
  void merge(const Numbits& other) {
    if (other.bytes_.size() > bytes_.size()) bytes_.resize(other.bytes_.size(), '\0');
    for (size_t i = 0; i < other.bytes_.size(); ++i) bytes_[i] = static_cast<char>(bytes_[i] | other.bytes_[i]);
  }
  /// Removes the lines of `other`.
  void remove(const Numbits& other) {
    for (size_t i = 0; i < std::min(bytes_.size(), other.bytes_.size()); ++i)
      bytes_[i] = static_cast<char>(bytes_[i] & ~other.bytes_[i]);
  }
  /// Whether the set has no line.
  bool empty() const { return bytes_.find_first_not_of('\0') == std::string::npos; }
  /// Sorted line numbers.
  std::vector<int32_t> lines() const {
    std::vector<int32_t> result;
    for (size_t i = 0; i < bytes_.size(); ++i)
      for (int b = 0; b < 8; ++b)
        if (bytes_[i] >> b & 1) result.push_back(static_cast<int32_t>(8 * i) + b);
    return result;
  }
  const std::string& bytes() const { return bytes_; }
  bool operator==(const Numbits&) const = default;

 private:
  std::string bytes_;
};

}  // namespace qd::report
