// File format of SQLite: header, b-tree pages, records.
#include "report/data/sqlite_pages.h"

#include <algorithm>

namespace qd::report {

namespace {

constexpr uint32_t kHeaderSize = 100;

uint32_t big_endian_16(const uint8_t* at) { return static_cast<uint32_t>(at[0]) << 8 | at[1]; }
uint32_t big_endian_32(const uint8_t* at) { return big_endian_16(at) << 16 | big_endian_16(at + 2); }

/// A signed big-endian number of 1 to 8 bytes.
int64_t signed_number(const uint8_t* at, size_t size) {
  if (size == 2) return static_cast<int16_t>(big_endian_16(at));
  uint64_t value = at[0] & 0x80 ? ~uint64_t{0} : 0;
  for (size_t i = 0; i < size; ++i) value = value << 8 | at[i];
  return static_cast<int64_t>(value);
}

}  // namespace

SqlitePages::SqlitePages(std::string_view file) : file_(file) {
  if (file.size() < 512 || !file.starts_with(std::string_view("SQLite format 3\0", 16))) throw UnusualDatabase();
  auto header = reinterpret_cast<const uint8_t*>(file.data());
  page_size_ = big_endian_16(header + 16);
  if (page_size_ == 1) page_size_ = 65536;
  if (page_size_ < 512 || (page_size_ & (page_size_ - 1)) != 0) throw UnusualDatabase();
  usable_ = page_size_;
  n_pages_ = big_endian_32(header + 28);
  const bool rollback_journal = header[18] == 1 && header[19] == 1;
  const bool no_reserve = header[20] == 0 && header[21] == 64 && header[22] == 32 && header[23] == 32;
  const bool size_is_valid =
      big_endian_32(header + 24) == big_endian_32(header + 92) && uint64_t{n_pages_} * page_size_ == file.size();
  const bool no_vacuum = big_endian_32(header + 52) == 0;
  const uint32_t schema_format = big_endian_32(header + 44);
  const bool utf8 = big_endian_32(header + 56) == 1;
  if (!rollback_journal || !no_reserve || !size_is_valid || !no_vacuum || schema_format < 1 || schema_format > 4 ||
      !utf8)
    throw UnusualDatabase();
}

SqlitePages::Page SqlitePages::page(uint32_t number, int depth) {
  if (number < 1 || number > n_pages_ || depth > kMaxDepth || ++n_visited_ > n_pages_) throw UnusualDatabase();
  Page page;
  page.data = reinterpret_cast<const uint8_t*>(file_.data()) + uint64_t{number - 1} * page_size_;
  const uint32_t start = number == 1 ? kHeaderSize : 0;
  const uint8_t* header = page.data + start;
  page.type = header[0];
  page.n_cells = big_endian_16(header + 3);
  const bool interior = page.type == kInteriorIndex || page.type == kInteriorTable;
  page.last_child = interior ? big_endian_32(header + 8) : 0;
  page.pointers = start + (interior ? 12 : 8);
  // A page without cells is an empty tree; below the root there is no such page.
  if (page.pointers + 2 * page.n_cells > usable_ || (page.n_cells == 0 && (interior || depth > 0)))
    throw UnusualDatabase();
  return page;
}

uint32_t SqlitePages::number_at(const Page& page, uint32_t offset) const { return big_endian_32(page.data + offset); }

uint64_t SqlitePages::long_varint(const uint8_t*& at, const uint8_t* end) {
  uint64_t value = 0;
  for (int i = 0; i < 9; ++i) {
    if (at >= end) throw UnusualDatabase();
    uint8_t byte = *at++;
    if (i == 8) return value << 8 | byte;
    value = value << 7 | (byte & 0x7f);
    if (byte < 0x80) return value;
  }
  return value;
}

std::string_view SqlitePages::payload(const Page& page, uint64_t size, const uint8_t* at, uint32_t most) {
  const auto left = static_cast<uint64_t>(page.data + usable_ - at);
  if (size <= most) {
    if (size > left) throw UnusualDatabase();
    return {reinterpret_cast<const char*>(at), size};
  }
  if (size > file_.size()) throw UnusualDatabase();
  const uint32_t least = (usable_ - 12) * 32 / 255 - 23;
  uint64_t local = least + (size - least) % (usable_ - 4);
  if (local > most) local = least;
  if (local + 4 > left) throw UnusualDatabase();
  overflowing_.assign(reinterpret_cast<const char*>(at), local);
  uint32_t next = big_endian_32(at + local);
  while (overflowing_.size() < size) {
    if (next < 2 || next > n_pages_ || ++n_visited_ > n_pages_) throw UnusualDatabase();
    const char* data = file_.data() + uint64_t{next - 1} * page_size_;
    next = big_endian_32(reinterpret_cast<const uint8_t*>(data));
    overflowing_.append(data + 4, std::min<uint64_t>(size - overflowing_.size(), usable_ - 4));
  }
  if (next != 0) throw UnusualDatabase();
  return overflowing_;
}

SqlitePages::Values SqlitePages::values(std::string_view record) {
  auto begin = reinterpret_cast<const uint8_t*>(record.data());
  const uint8_t* at = begin;
  const uint8_t* end = begin + record.size();
  uint64_t header_size = varint(at, end);
  if (header_size > record.size() || static_cast<uint64_t>(at - begin) > header_size) throw UnusualDatabase();
  const uint8_t* header_end = begin + header_size;
  const uint8_t* body = header_end;
  size_t n = 0;
  while (at < header_end) {
    if (n == kMaxColumns) throw UnusualDatabase();
    SqliteValue& value = values_[n++];
    const uint64_t type = varint(at, header_end);
    static constexpr uint8_t kSizes[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0};
    const uint64_t size = type < 12 ? (type < 10 ? kSizes[type] : record.size() + 1) : (type - 12) / 2;
    if (size > static_cast<uint64_t>(end - body)) throw UnusualDatabase();
    value.bytes = {reinterpret_cast<const char*>(body), size};
    if (type == 0) {
      value.kind = SqliteValue::Kind::kNull;
    } else if (type == 7) {
      value.kind = SqliteValue::Kind::kOther;
    } else if (type < 10) {
      value.kind = SqliteValue::Kind::kInteger;
      value.integer = type == 1   ? static_cast<int8_t>(*body)
                      : type >= 8 ? static_cast<int64_t>(type - 8)
                                  : signed_number(body, size);
    } else {
      value.kind = type % 2 ? SqliteValue::Kind::kText : SqliteValue::Kind::kBlob;
    }
    body += size;
  }
  if (body != end) throw UnusualDatabase();
  return {values_.data(), n};
}

}  // namespace qd::report
