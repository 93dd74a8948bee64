// SQLite page reader: reads tables and indexes straight from the bytes of a database file, which is many times faster
// than SQL statements.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace qd::report {

/// Thrown for a file that is not in the common form: it is damaged, or has a rare feature. Then SQLite itself has to
/// read it, and reports errors.
struct UnusualDatabase {};

/// A value of a row. `bytes` is valid until the next row.
struct SqliteValue {
  enum class Kind : uint8_t { kNull, kInteger, kBlob, kText, kOther } kind = Kind::kNull;
  int64_t integer = 0;
  std::string_view bytes;
};

/// Reads a database in rollback-journal mode and UTF-8. The format is described at
/// https://www.sqlite.org/fileformat2.html. With any bytes, no access is outside of `file`, and the work is bounded by
/// the file's size. Every call throws UnusualDatabase rather than guess.
class SqlitePages {
 public:
  static constexpr size_t kMaxColumns = 8;

  explicit SqlitePages(std::string_view file);

  /// Calls use(rowid, values) for each row of the table whose tree begins at page `root`, by rowid.
  template <typename Use>
  void table(uint32_t root, Use use) {
    auto cell = [&](const Page& here, uint64_t size, int64_t rowid, const uint8_t* at) {
      use(rowid, values(payload(here, size, at, usable_ - 35)));
    };
    walk_table(root, 0, cell);
  }
  /// Hash of a row of integers, of which the last is the rowid. No two rows that differ in one number become one.
  template <size_t n>
  static uint64_t hash_of_row(const std::array<int64_t, n>& row) {
    uint64_t hash = 0;
    for (int64_t number : row) hash = (hash ^ static_cast<uint64_t>(number)) * 0x9e3779b97f4a7c15;  // odd
    return hash;
  }
  /// Sum of these over a table whose n columns are all integers.
  template <size_t n>
  uint64_t sum_of_table(uint32_t root) {
    uint64_t sum = 0;
    std::array<int64_t, n + 1> row;
    IntegerLayout<n> layout;
    auto cell = [&](const Page& here, uint64_t size, int64_t rowid, const uint8_t* at) {
      IntegerRecord<n>(here, usable_, size, at).read(layout, row.data());
      row[n] = rowid;
      sum += hash_of_row(row);
    };
    walk_table(root, 0, cell);
    return sum;
  }
  /// Calls use(integers) for each entry of an index over integers, in its order. The last is the rowid. Gives the
  /// sum_of_table() of a table whose columns are the others.
  template <size_t n, typename Use>
  uint64_t index(uint32_t root, Use use) {
    uint64_t sum = 0;
    std::array<int64_t, n> result;
    IntegerLayout<n> layout;
    auto cell = [&](const Page& here, uint64_t size, const uint8_t* at) {
      IntegerRecord<n>(here, usable_, size, at).read(layout, result.data());
      sum += hash_of_row(result);
      use(result);
    };
    walk_index(root, 0, cell);
    return sum;
  }

 private:
  struct Page {
    const uint8_t* data;  // page_size_ bytes
    uint8_t type;
    uint32_t pointers;  // offset of the cells' offsets
    uint32_t n_cells;
    uint32_t last_child;  // of interior pages
  };

  /// The 8 bytes at `at`.
  static uint64_t big_endian(const uint8_t* at) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
    return word;
  }

  /// Layout of the integers in a record. Consecutive records mostly have the same types.
  template <size_t n>
  struct IntegerLayout {
    struct Part {
      uint8_t offset = 0, shift = 0;
      int64_t mask = 0, constant = 0;  // types 8 and 9 are 0 and 1, in no bytes

      int64_t value(const uint8_t* body) const {
        return (static_cast<int64_t>(big_endian(body + offset)) >> shift & mask) + constant;
      }
    };
    std::array<uint8_t, n> types{};  // 0, NULL, is none of them
    std::array<Part, n> parts;
    size_t size = SIZE_MAX;  // bytes of all

    void become(const uint8_t* new_types) {
      constexpr std::array<uint8_t, 10> kSizes = {0, 1, 2, 3, 4, 6, 8, 0, 0, 0};
      std::copy_n(new_types, n, types.begin());
      size = 0;
      for (size_t i = 0; i < n; ++i) {
        const uint8_t type = types[i];
        if (type == 0 || type == 7 || type >= kSizes.size()) throw UnusualDatabase();
        const size_t its_size = kSizes[type];
        const auto offset = static_cast<uint8_t>(size);
        parts[i] =
            its_size == 0 ? Part{offset, 0, 0, type - 8} : Part{offset, static_cast<uint8_t>(64 - 8 * its_size), -1, 0};
        size += its_size;
      }
    }
  };

  /// A record of n integers. Each has a type of one byte, which gives its number of bytes.
  template <size_t n>
  class IntegerRecord {
   public:
    /// The record of `size` bytes at `at`, whose page has `usable` bytes.
    IntegerRecord(const Page& page, uint32_t usable, uint64_t size, const uint8_t* at) : types_(at + 1) {
      const auto left = static_cast<uint64_t>(page.data + usable - at);
      if (size > left || size <= n || size > kMostBytes || *at != n + 1) throw UnusualDatabase();
      if (left < size + 8) {  // near the end of the page
        std::memcpy(copy_, at, size);
        types_ = copy_ + 1;
      }
      size_ = size - n - 1;
    }

    void read(IntegerLayout<n>& layout, int64_t* result) const {
      if (std::memcmp(layout.types.data(), types_, n) != 0) layout.become(types_);
      if (layout.size != size_) throw UnusualDatabase();
      for (size_t i = 0; i < n; ++i) result[i] = layout.parts[i].value(types_ + n);
    }

   private:
    static constexpr size_t kMostBytes = 1 + n + 8 * n;

    const uint8_t* types_;  // behind the last one stand the integers
    size_t size_;           // of all integers together
    uint8_t copy_[kMostBytes + 8];
  };

  using Values = std::span<const SqliteValue>;
  static constexpr uint8_t kInteriorIndex = 2, kInteriorTable = 5, kLeafIndex = 10, kLeafTable = 13;
  static constexpr int kMaxDepth = 20;

  Page page(uint32_t number, int depth);
  /// Offset of a cell in its page.
  uint32_t cell(const Page& page, uint32_t i) const {
    const uint8_t* at = page.data + page.pointers + 2 * i;
    const uint32_t offset = static_cast<uint32_t>(at[0]) << 8 | at[1];
    if (offset < page.pointers + 2 * page.n_cells || offset + 4 > usable_) throw UnusualDatabase();
    return offset;
  }
  uint32_t number_at(const Page& page, uint32_t offset) const;
  [[gnu::always_inline]] static uint64_t varint(const uint8_t*& at, const uint8_t* end) {
    if (at < end && *at < 0x80) return *at++;
    if (end - at > 2 && at[1] < 0x80) {
      at += 2;
      return (at[-2] & 0x7fu) << 7 | at[-1];
    }
    if (end - at > 2 && at[2] < 0x80) {
      at += 3;
      return (at[-3] & 0x7fu) << 14 | (at[-2] & 0x7fu) << 7 | at[-1];
    }
    return long_varint(at, end);
  }
  static uint64_t long_varint(const uint8_t*& at, const uint8_t* end);
  /// Payload of a cell, of which `most` bytes at most lie in the page.
  std::string_view payload(const Page& page, uint64_t size, const uint8_t* at, uint32_t most);
  Values values(std::string_view record);

  template <typename UseCell>
  void walk_table(uint32_t number, int depth, UseCell& use) {
    const Page here = page(number, depth);
    if (here.type != kLeafTable && here.type != kInteriorTable) throw UnusualDatabase();
    for (uint32_t i = 0; i < here.n_cells; ++i) {
      uint32_t offset = cell(here, i);
      if (here.type == kInteriorTable) {
        walk_table(number_at(here, offset), depth + 1, use);
        continue;
      }
      const uint8_t* at = here.data + offset;
      uint64_t size = varint(at, here.data + usable_);
      auto rowid = static_cast<int64_t>(varint(at, here.data + usable_));
      use(here, size, rowid, at);
    }
    if (here.type == kInteriorTable) walk_table(here.last_child, depth + 1, use);
  }

  template <typename UseCell>
  void walk_index(uint32_t number, int depth, UseCell& use) {
    const Page here = page(number, depth);
    if (here.type != kLeafIndex && here.type != kInteriorIndex) throw UnusualDatabase();
    for (uint32_t i = 0; i < here.n_cells; ++i) {
      uint32_t offset = cell(here, i);
      const uint8_t* at = here.data + offset;
      if (here.type == kInteriorIndex) {
        walk_index(number_at(here, offset), depth + 1, use);
        at += 4;
      }
      uint64_t size = varint(at, here.data + usable_);
      use(here, size, at);
    }
    if (here.type == kInteriorIndex) walk_index(here.last_child, depth + 1, use);
  }

  std::string_view file_;
  uint32_t page_size_ = 0, usable_ = 0, n_pages_ = 0;
  uint32_t n_visited_ = 0;  // limit on visits: each page belongs to one tree, and is visited once
  std::string overflowing_;
  std::array<SqliteValue, kMaxColumns> values_;
};

}  // namespace qd::report
