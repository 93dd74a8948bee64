// Serialisation of values as bytes: numbers of variable length, lists of lines as runs, each string once.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "report/data/arc.h"
#include "report/data/bytes.h"

namespace qd::report {

/// T or const T: the fields of a struct are listed once, for both directions, in `each_field(archive, value)`, found by
/// argument-dependent lookup.
template <typename T, typename Struct>
concept Like = std::same_as<std::remove_const_t<T>, Struct>;

template <typename T>
concept ByteNumber = std::integral<T> || std::is_enum_v<T>;

inline uint64_t zigzag(int64_t n) { return static_cast<uint64_t>(n) << 1 ^ static_cast<uint64_t>(n >> 63); }
inline int64_t unzigzag(uint64_t n) { return static_cast<int64_t>(n >> 1) ^ -static_cast<int64_t>(n & 1); }

/// Appends values to a string.
class Packer {
 public:
  std::string take() { return std::move(out_); }

  template <typename... Values>
  void operator()(const Values&... values) {
    (pack(values), ...);
  }
  void number(uint64_t n) { put_varint(out_, n); }

 private:
  void pack(const ByteNumber auto& n) { number(zigzag(static_cast<int64_t>(n))); }
  void pack(const std::string& text) {
    auto [known, is_new] = strings_.emplace(text, strings_.size());
    number(known->second);
    if (!is_new) return;
    number(text.size());
    out_ += text;
  }
  /// Runs of consecutive numbers: distance from the last one, length.
  void pack(const std::vector<int32_t>& lines) {
    number(lines.size());
    int64_t last = 0;
    for (size_t i = 0; i < lines.size();) {
      size_t end = i + 1;
      while (end < lines.size() && int64_t{lines[end]} == int64_t{lines[end - 1]} + 1) ++end;
      number(zigzag(int64_t{lines[i]} - last));
      number(end - i);
      last = lines[end - 1];
      i = end;
    }
  }
  void pack(const std::vector<Arc>& arcs) {
    number(arcs.size());
    int64_t last = 0;
    for (const Arc& arc : arcs) {
      number(zigzag(int64_t{arc.from} - last));
      number(zigzag(int64_t{arc.to} - int64_t{arc.from}));
      last = arc.from;
    }
  }
  template <typename T>
  void pack(const std::vector<T>& list) {
    number(list.size());
    for (const T& item : list) pack(item);
  }
  template <typename T>
  void pack(const std::set<T>& items) {
    number(items.size());
    for (const T& item : items) pack(item);
  }
  template <typename K, typename V>
  void pack(const std::map<K, V>& map) {
    number(map.size());
    for (const auto& [key, value] : map) pack(key), pack(value);
  }
  template <typename T>
  void pack(const std::optional<T>& value) {
    number(value.has_value());
    if (value) pack(*value);
  }
  template <typename T>
    requires std::is_class_v<T>
  void pack(const T& value) {
    each_field(*this, value);
  }

  std::string out_;
  std::unordered_map<std::string, size_t> strings_;
};

/// Reads the bytes of a Packer. With other bytes, good() is false and values are anything, but memory use stays in
/// proportion.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_{bytes} {}
  bool good() const { return bytes_.ok; }
  bool at_end() const { return bytes_.rest.empty(); }

  template <typename... Values>
  void operator()(Values&... values) {
    (unpack(values), ...);
  }
  uint64_t number() { return bytes_.varint(); }

 private:
  static constexpr uint64_t kMostLines = 1 << 26;

  /// Reads the number of items of at least one byte each.
  size_t count() {
    uint64_t n = number();
    if (n <= bytes_.rest.size()) return n;
    bytes_.ok = false;
    return 0;
  }
  template <ByteNumber T>
  void unpack(T& n) {
    n = static_cast<T>(unzigzag(number()));
  }
  void unpack(std::string& text) {
    uint64_t known = number();
    if (known == strings_.size()) {
      strings_.emplace_back(bytes_.bytes(count()));
    }
    if (known < strings_.size())
      text = strings_[known];
    else
      bytes_.ok = false;
  }
  void unpack(std::vector<int32_t>& lines) {
    uint64_t n = number();
    bytes_.ok = bytes_.ok && n <= kMostLines;
    uint32_t last = 0;  // unsigned, so that bytes of no Packer wrap around instead of overflowing
    if (bytes_.ok) lines.resize(n);
    for (size_t i = 0; bytes_.ok && i < n;) {
      uint32_t next = last + static_cast<uint32_t>(unzigzag(number()));
      uint64_t length = number();
      if (length == 0 || length > n - i)
        bytes_.ok = false;
      else
        last = next + static_cast<uint32_t>(length) - 1;
      for (size_t end = i + (bytes_.ok ? length : 0); i < end; ++i) lines[i] = static_cast<int32_t>(next++);
    }
  }
  void unpack(std::vector<Arc>& arcs) {
    arcs.resize(count());
    uint32_t last = 0;
    for (Arc& arc : arcs) {
      last += static_cast<uint32_t>(unzigzag(number()));
      arc = {static_cast<int32_t>(last), static_cast<int32_t>(last + static_cast<uint32_t>(unzigzag(number())))};
    }
  }
  template <typename T>
  void unpack(std::vector<T>& list) {
    size_t n = count();
    list.resize(n);
    for (T& item : list) unpack(item);
  }
  template <typename T>
  void unpack(std::set<T>& items) {
    for (size_t n = count(); bytes_.ok && n > 0; --n) {
      T item;
      unpack(item);
      items.insert(items.end(), std::move(item));
    }
  }
  template <typename K, typename V>
  void unpack(std::map<K, V>& map) {
    for (size_t n = count(); bytes_.ok && n > 0; --n) {
      K key;
      unpack(key);
      unpack(map.emplace_hint(map.end(), std::move(key), V())->second);
    }
  }
  template <typename T>
  void unpack(std::optional<T>& value) {
    if (number() != 0) unpack(value.emplace());
  }
  template <typename T>
    requires std::is_class_v<T>
  void unpack(T& value) {
    each_field(*this, value);
  }

  ByteReader bytes_;
  std::vector<std::string> strings_;
};

}  // namespace qd::report
