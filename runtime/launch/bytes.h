// Numbers and texts as bytes, for the entries of caches. An entry is a few numbers beside large texts,
// so numbers have eight bytes each; report/data/bytes.h is for data of reports, runtime/ir/pack.h for kernels.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace qd {

class BytesOut {
 public:
  void number(uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(std::string_view value) {
    number(value.size());
    bytes_ += value;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads the bytes of a BytesOut. After the end, or after anything that does not fit, every value is 0 or empty, and
/// good() is false.
class BytesIn {
 public:
  explicit BytesIn(std::string_view bytes) : bytes_(bytes) {}

  uint64_t number() {
    uint64_t value = 0;
    good_ &= bytes_.size() >= sizeof value;
    if (!good_) return 0;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  /// The text is a view of the bytes that are read.
  std::string_view text() {
    const uint64_t size = number();
    good_ &= size <= bytes_.size();
    if (!good_) return {};
    const std::string_view value = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return value;
  }
  bool good() const { return good_; }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool good_ = true;
};

}  // namespace qd
