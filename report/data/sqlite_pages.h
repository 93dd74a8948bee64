// Reads tables and indexes of a SQLite database straight from the bytes of its file, which is many times faster than
// SQL statements.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace qd::report {

/// Thrown when the file is not plainly what SQLite writes: it is damaged, or has something rare. Then SQLite itself has
/// to read it, and says what is wrong.
struct UnusualDatabase {};

/// A value of a row. `bytes` is valid until the next row.
struct SqliteValue {
  enum class Kind : uint8_t { kNull, kInteger, kBlob, kText, kOther } kind = Kind::kNull;
  int64_t integer = 0;
  std::string_view bytes;
};

/// Reads a database in rollback-journal mode and UTF-8. The format is described at
/// https://www.sqlite.org/fileformat2.html. Whatever the bytes are, nothing outside of `file` is read, and the work is
/// bounded by the file's size. Every call throws UnusualDatabase rather than guess.
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
  /// Calls use(rowid, integers) for each row of a table whose columns are all integers.
  template <size_t n, typename Use>
  void integer_table(uint32_t root, Use use) {
    std::array<int64_t, n> result;
    auto cell = [&](const Page& here, uint64_t size, int64_t rowid, const uint8_t* at) {
      integers(here, size, at, result);
      use(rowid, result);
    };
    walk_table(root, 0, cell);
  }
  /// Calls use(integers) for each entry of an index over integers, in its order. The last is the rowid.
  template <size_t n, typename Use>
  void index(uint32_t root, Use use) {
    walk_index<n>(root, 0, use);
  }

 private:
  struct Page {
    const uint8_t* data;  // page_size_ bytes
    uint8_t type;
    uint32_t header;  // where the header of the tree begins
    uint32_t n_cells;
    uint32_t last_child;  // of interior pages
  };
  using Values = std::span<const SqliteValue>;
  static constexpr uint8_t kInteriorIndex = 2, kInteriorTable = 5, kLeafIndex = 10, kLeafTable = 13;
  static constexpr int kMaxDepth = 20;

  Page page(uint32_t number, int depth);
  /// Offset of a cell in its page.
  uint32_t cell(const Page& page, uint32_t i) const;
  uint32_t number_at(const Page& page, uint32_t offset) const;
  static uint64_t varint(const uint8_t*& at, const uint8_t* end) {
    if (at < end && *at < 0x80) return *at++;
    return long_varint(at, end);
  }
  static uint64_t long_varint(const uint8_t*& at, const uint8_t* end);
  /// The payload of a cell, of which `most` bytes at most lie in the page.
  std::string_view payload(const Page& page, uint64_t size, const uint8_t* at, uint32_t most);
  Values values(std::string_view record);
  /// The integers that a record of `size` bytes at `at` in a page is made of.
  void integers(const Page& page, uint64_t size, const uint8_t* at, std::span<int64_t> result) const;

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

  template <size_t n, typename Use>
  void walk_index(uint32_t number, int depth, Use& use) {
    std::array<int64_t, n> result;
    const Page here = page(number, depth);
    if (here.type != kLeafIndex && here.type != kInteriorIndex) throw UnusualDatabase();
    for (uint32_t i = 0; i < here.n_cells; ++i) {
      uint32_t offset = cell(here, i);
      const uint8_t* at = here.data + offset;
      if (here.type == kInteriorIndex) {
        walk_index<n>(number_at(here, offset), depth + 1, use);
        at += 4;
      }
      uint64_t size = varint(at, here.data + usable_);
      integers(here, size, at, result);
      use(result);
    }
    if (here.type == kInteriorIndex) walk_index<n>(here.last_child, depth + 1, use);
  }

  std::string_view file_;
  uint32_t page_size_ = 0, usable_ = 0, n_pages_ = 0;
  uint32_t n_visited_ = 0;  // each page belongs to one tree, and is looked at once
  std::string overflowing_;
  std::array<SqliteValue, kMaxColumns> values_;
};

}  // namespace qd::report
