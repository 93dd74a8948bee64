// Journal records: finds them, also behind damage, and counts the bytes that cannot be used.
#include "report/data/journal_records.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>

namespace qd::report {

uint32_t journal::check_of(const Record& record, const void* fixed, uint64_t journal) {
  const uint64_t seed = mixed(journal ^ mixed(uint64_t{record.size} << 32 | record.kind) ^ record.fixed_size);
  return static_cast<uint32_t>(XXH3_64bits_withSeed(fixed, record.fixed_size, seed));
}

namespace {

size_t count_set(std::string_view bytes) {
  return bytes.size() - static_cast<size_t>(std::count(bytes.begin(), bytes.end(), '\0'));
}

}  // namespace

JournalRecords::JournalRecords(std::string_view bytes)
    : bytes_(bytes), patience_(64 * (bytes.size() + journal::kPiece)) {
  for (size_t offset = next_; offset < bytes.size() && !good_; offset += 8) good_ = start(offset);
  if (!good_) return;
  if (!bytes.starts_with(journal::kMagic)) lost_ += sizeof journal::Head::magic;
  journal::Head head;
  std::memcpy(&head, bytes.data(), sizeof head);
  if (journal::is_cell(head.end, journal::cell_seed(number_, 0), 0))
    end_ = size_t{static_cast<uint32_t>(head.end)} * 8;
  else
    lost_ += sizeof head.end;
}

/// Returns the record at a place of the file, if there is one and its checks are right; else null.
const journal::Record* JournalRecords::at(size_t offset) {
  if (bytes_.size() < offset + sizeof(journal::Record) || offset % 8 != 0) return nullptr;
  // The text was allocated for any type, and records stand at multiples of 8.
  const auto* record = reinterpret_cast<const journal::Record*>(bytes_.data() + offset);
  const size_t room = bytes_.size() - offset - sizeof *record;
  if (record->kind == journal::kEnd || record->kind >= journal::kKinds || record->size > room || record->size % 8 != 0)
    return nullptr;
  if (record->fixed_size > record->size || record->fixed_size % 8 != 0 || record->fixed_size > patience_)
    return nullptr;
  patience_ -= record->fixed_size;
  const uint64_t number = record->kind == journal::kStart ? journal::kVersion : number_;
  return journal::check_of(*record, record + 1, number) == record->check ? record : nullptr;
}

bool JournalRecords::start(size_t offset) {
  const journal::Record* record = at(offset);
  if (record == nullptr || record->kind != journal::kStart) return false;
  ByteReader fixed{{reinterpret_cast<const char*>(record + 1), record->fixed_size}};
  number_ = fixed.number<uint64_t>();
  branch_ = fixed.number<uint32_t>() != 0;
  relative_to_ = fixed.text();
  const bool whole = fixed.ok;
  writer_ = ProcessMark::read(fixed);
  return whole;
}

std::optional<JournalRecords::Record> JournalRecords::next() {
  for (;;) {
    const journal::Record* record = at(next_);
    if (record == nullptr) {
      if (end_ ? next_ >= *end_ : next_ >= zeros_from()) {
        end_at(next_);
        return std::nullopt;
      }
      const size_t before = next_, limit = end_ ? std::min(*end_, bytes_.size()) : zeros_from();
      while (next_ < limit && at(next_) == nullptr) next_ += 8;
      lost_ += std::min(next_, limit) - before;
      if (next_ < limit) continue;
      end_at(limit);
      return std::nullopt;
    }
    std::string_view payload(reinterpret_cast<const char*>(record + 1), record->size);
    next_ += sizeof *record + record->size;
    if (record->kind == journal::kStart) continue;
    if (record->kind == journal::kPad) {
      spoilt_ += count_set(payload);
      continue;
    }
    return Record{record->kind, payload.substr(0, record->fixed_size), payload.substr(record->fixed_size),
                  journal::cell_seed(number_, record->check)};
  }
}

/// Position from which on there are only zeros, as a multiple of 8.
size_t JournalRecords::zeros_from() const {
  size_t last = bytes_.find_last_not_of('\0');
  return last == std::string_view::npos ? 0 : journal::padded(last + 1);
}

void JournalRecords::end_at(size_t offset) {
  next_ = bytes_.size();
  if (end_ && *end_ > bytes_.size()) lost_ += *end_ - bytes_.size();
  if (offset < bytes_.size()) spoilt_ += count_set(bytes_.substr(offset));
  if (bytes_.size() % journal::kPiece != 0) spoilt_ += bytes_.size() % journal::kPiece;
}

std::string JournalRecords::damage() const {
  if (lost_ > 0)
    return fmt::format("is damaged: {} of {} bytes cannot be used, and their data of kernels is missing", lost_,
                       std::max(bytes_.size(), end_.value_or(0)));
  if (spoilt_ > 0) return "is damaged in places where nothing was written: everything else could be used";
  return {};
}

}  // namespace qd::report
