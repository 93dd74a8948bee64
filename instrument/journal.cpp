// Journal of this process: the hits of its launches, in a file that survives any death of the process.
//
// A process can be killed at any time, and by a kernel more easily than by most code. So there is no list that is
// written at the end: a hit is a bit that is written to the file before the launch returns. It is then in the memory of
// the operating system, which writes it to the disk whether the process lives or not. Only a crash of the machine can
// lose it. Launches have new hits a few times in the life of a kernel, so a system call for these costs next to
// nothing.
//
//   head | kStart | kVariant: the arcs of `step` | kValues: a bit for each, label "test_a" | kVariant ... | kPad
//                                                         ^ launches set bits here, at any time
//
// A record is written first, and then the cell with the end of the records. A reader that comes at any moment sees
// whole records. Bits stand in cells of 8 bytes, each with a check of its value and place, and are changed by
// compare-and-exchange: a cell is never half written. See report/data/journal.h for the layout, and
// report/data/journal_records.cpp for the reader, which believes no byte without its check.
//
// Data files are always made by reading these bytes back, so every run tests the recovery after a crash.
#include "instrument/journal.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <random>
#include <utility>

#include "report/data/bytes.h"

namespace qd::instrument {

namespace format = report::journal;

namespace {

using report::put;
using report::put_text;

void put_function(std::string& out, const report::JournalFunction& function) {
  put<int32_t>(out, function.function.first_line);
  put<uint32_t>(out, function.function.is_kernel);
  for (const std::string* text : {&function.file, &function.function.name, &function.function.arch})
    put_text(out, *text);
}

void put_range(std::string& out, const SourceRange& range) {
  for (int32_t part : {range.line, range.col, range.end_line, range.end_col}) put(out, part);
}

uint64_t random_number() {
  std::random_device random;
  return uint64_t{random()} << 32 | random();
}

}  // namespace

Journal::Journal(JournalOptions options)
    : options_(std::move(options)), number_(random_number()), file_(options_.folder) {}

/// Writes a part of the image to the file. The caller holds the lock of the file.
void Journal::write(const uint64_t* cells, size_t size, size_t at) {
  if (file_.write(cells, size, at)) return;
  for (const Piece& piece : pieces_) file_.write(piece.cells.get(), piece.size, piece.start);
}

/// Adds a piece with room for `needed` bytes behind the records that begin each piece.
void Journal::add_piece(size_t needed) {
  report::LockReach reach;
  {
    std::lock_guard lock(file_mutex_);
    reach = file_.open();
  }
  std::string fixed;
  put<uint64_t>(fixed, number_);
  put<uint32_t>(fixed, options_.branch);
  put_text(fixed, options_.relative_to);
  report::ProcessMark::present(reach).put_to(fixed);
  const bool first = pieces_.empty();
  size_t size = sizeof(format::Head) + 2 * sizeof(format::Record) + format::padded(fixed.size()) + needed;
  size = (size + format::kPiece - 1) / format::kPiece * format::kPiece;
  {
    std::lock_guard lock(file_mutex_);
    file_.grow(size);
    const size_t start = first ? 0 : pieces_.back().start + pieces_.back().size;
    pieces_.push_back({std::make_unique<uint64_t[]>(size / sizeof(uint64_t)), size, start});
    if (first) std::memcpy(pieces_.back().cells.get(), format::kMagic, sizeof format::Head::magic);
  }
  used_ = first ? sizeof(format::Head) : 0;
  put_record(format::kStart, format::kVersion, fixed, 0);
  set_end();
  if (!first) return;
  std::lock_guard lock(file_mutex_);
  file_.take_name();
}

/// Writes a record at the present place, where there is room for it. Returns the bits of its cells.
JournalValues Journal::put_record(uint32_t kind, uint64_t number, const std::string& fixed, size_t cells_size) {
  std::string padded = fixed;
  padded.resize(format::padded(fixed.size()));
  format::Record record{kind, static_cast<uint32_t>(padded.size() + cells_size), static_cast<uint32_t>(padded.size()),
                        0};
  record.check = format::check_of(record, padded.data(), number);
  const size_t head_size = sizeof record + padded.size(), size = head_size + cells_size;
  std::lock_guard lock(file_mutex_);
  const Piece& piece = pieces_.back();
  uint64_t* at = piece.cells.get() + used_ / sizeof *at;
  JournalValues values(*this, at + head_size / sizeof *at, format::cell_seed(number_, record.check),
                       piece.start + used_ + head_size);
  std::memcpy(at, &record, sizeof record);
  std::memcpy(at + sizeof record / sizeof *at, padded.data(), padded.size());
  if (kind == format::kValues) values.clear(cells_size / sizeof *at);
  write(at, size, piece.start + used_);
  used_ += size;
  return values;
}

/// Makes the records that were written so far visible to readers.
void Journal::set_end() {
  std::lock_guard lock(file_mutex_);
  uint64_t* head = pieces_.front().cells.get();
  const size_t end = pieces_.back().start + used_;
  head[offsetof(format::Head, end) / sizeof *head] =
      format::cell(static_cast<uint32_t>(end / 8), format::cell_seed(number_, 0), 0);
  write(head, sizeof(format::Head), 0);
}

JournalValues Journal::append(uint32_t kind, const std::string& fixed, size_t n_cells) {
  const size_t needed = sizeof(format::Record) + format::padded(fixed.size()) + n_cells * sizeof(uint64_t);
  // The rest of a piece becomes a record of its own. There is always room for its head.
  if (pieces_.empty()) {
    add_piece(needed);
  } else if (const size_t left = pieces_.back().size - used_; left < needed + sizeof(format::Record)) {
    put_record(format::kPad, number_, "", left - sizeof(format::Record));
    add_piece(needed);
  }
  const JournalValues values = put_record(kind, number_, fixed, n_cells * sizeof(uint64_t));
  set_end();
  return values;
}

void JournalValues::clear(size_t cells) {
  for (size_t i = 0; i < cells; ++i) cells_[i] = format::cell(0, seed_, i);
}

void JournalValues::set(std::span<const size_t> bits) {
  constexpr size_t kBits = format::kCellBits;
  if (bits.empty()) return;
  size_t first = SIZE_MAX, last = 0;
  for (const size_t bit : bits) {
    const size_t i = bit / kBits;
    uint64_t before = __atomic_load_n(cells_ + i, __ATOMIC_RELAXED), after;
    do after = format::cell(static_cast<uint32_t>(before) | 1u << (bit % kBits), seed_, i);
    while (!__atomic_compare_exchange_n(cells_ + i, &before, after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    first = std::min(first, i);
    last = std::max(last, i);
  }
  std::lock_guard lock(journal_->file_mutex_);
  journal_->write(cells_ + first, (last - first + 1) * sizeof *cells_, in_journal_ + first * sizeof *cells_);
}

/// Values of several cells change under the lock of the file, so that image() never has a part of a new one.
void JournalValues::put(std::span<const uint64_t> values, uint32_t width) {
  std::lock_guard lock(journal_->file_mutex_);
  size_t i = 0;
  for (uint64_t value : values) {
    for (uint32_t n = format::cells_of(width); n > 0; --n, ++i, value >>= format::kCellBits)
      __atomic_store_n(cells_ + i, format::cell(static_cast<uint32_t>(value), seed_, i), __ATOMIC_RELAXED);
  }
  journal_->write(cells_, i * sizeof *cells_, in_journal_);
}

uint32_t Journal::add_variant(std::span<const report::JournalFunction> functions,
                              std::span<const report::JournalArc> arcs, std::span<const report::JournalArc> left_out,
                              std::span<const report::JournalDecision> decisions) {
  std::lock_guard lock(mutex_);
  std::string fixed;
  put<uint32_t>(fixed, variants_);
  put<uint32_t>(fixed, static_cast<uint32_t>(functions.size()));
  put<uint32_t>(fixed, static_cast<uint32_t>(arcs.size()));
  put<uint32_t>(fixed, static_cast<uint32_t>(left_out.size()));
  for (std::span<const report::JournalArc> list : {arcs, left_out}) {
    for (const report::JournalArc& arc : list) {
      put<uint32_t>(fixed, arc.function);
      put<int32_t>(fixed, arc.arc.from);
      put<int32_t>(fixed, arc.arc.to);
    }
  }
  for (const report::JournalFunction& function : functions) put_function(fixed, function);
  append(format::kVariant, fixed);
  if (!decisions.empty()) add_decisions(variants_, decisions);
  return variants_++;
}

void Journal::add_decisions(uint32_t variant, std::span<const report::JournalDecision> decisions) {
  std::string fixed;
  put<uint32_t>(fixed, variant);
  put<uint32_t>(fixed, static_cast<uint32_t>(decisions.size()));
  for (const report::JournalDecision& decision : decisions) {
    put<uint32_t>(fixed, decision.function);
    put_text(fixed, decision.kind);
    put_range(fixed, decision.range);
    put<uint32_t>(fixed, static_cast<uint32_t>(decision.conditions.size()));
    for (const SourceRange& condition : decision.conditions) put_range(fixed, condition);
    put<uint32_t>(fixed, static_cast<uint32_t>(decision.outcomes.size()));
    for (const report::Evaluation& outcome : decision.outcomes) fixed += outcome.conditions + outcome.result;
  }
  append(format::kDecisions, fixed);
}

void Journal::add_variant_text(uint32_t variant, const std::string& text) {
  std::lock_guard lock(mutex_);
  std::string fixed;
  put<uint32_t>(fixed, variant);
  put_text(fixed, text);
  append(format::kVariantText, fixed);
}

void Journal::add_func_variants(uint32_t variant, std::span<const std::string> texts,
                                std::span<const report::JournalArc> arcs) {
  std::lock_guard lock(mutex_);
  std::string fixed;
  put<uint32_t>(fixed, variant);
  put<uint32_t>(fixed, static_cast<uint32_t>(texts.size()));
  for (const std::string& text : texts) put_text(fixed, text);
  for (const report::JournalArc& arc : arcs) put<uint32_t>(fixed, arc.variant);
  append(format::kFuncVariants, fixed);
}

void Journal::add_launches(uint32_t variant, uint64_t launches) {
  std::lock_guard lock(mutex_);
  std::string fixed;
  put<uint32_t>(fixed, variant);
  put<uint64_t>(fixed, launches);
  append(format::kLaunches, fixed);
}

void Journal::add_error(const report::JournalFunction& kernel, const std::string& message) {
  std::lock_guard lock(mutex_);
  std::string fixed;
  put_function(fixed, kernel);
  put_text(fixed, message);
  append(format::kError, fixed);
}

void Journal::add_source(const std::string& file, const std::string& hash) {
  std::lock_guard lock(mutex_);
  std::string fixed;
  put_text(fixed, file);
  put_text(fixed, hash);
  append(format::kSource, fixed);
}

void Journal::add_results(uint32_t variant, const report::JournalResults& results) {
  std::lock_guard lock(mutex_);
  std::string fixed;
  put<uint32_t>(fixed, variant);
  put_text(fixed, results.kind.name);
  put<uint32_t>(fixed, results.kind.width);
  put<uint32_t>(fixed, static_cast<uint32_t>(results.kind.merge));
  put<uint32_t>(fixed, static_cast<uint32_t>(results.places.size()));
  for (const auto& [function, range] : results.places) {
    put<uint32_t>(fixed, function);
    put_range(fixed, range);
  }
  append(format::kResults, fixed);
}

JournalValues Journal::add_hits(uint32_t variant, size_t size, const std::string& label) {
  return append_values(variant, 0, size, (size + format::kCellBits - 1) / format::kCellBits, label);
}

JournalValues Journal::add_values(uint32_t variant, uint32_t n, const report::JournalResults& results,
                                  const std::string& label) {
  const size_t size = results.places.size();
  return append_values(variant, n, size, size * format::cells_of(results.kind.width), label);
}

JournalValues Journal::append_values(uint32_t variant, uint32_t n, size_t size, size_t n_cells,
                                     const std::string& label) {
  std::lock_guard lock(mutex_);
  std::string fixed;
  put<uint32_t>(fixed, variant);
  put<uint32_t>(fixed, n);
  put<uint32_t>(fixed, static_cast<uint32_t>(size));
  put_text(fixed, label);
  return append(format::kValues, fixed, n_cells);
}

std::string Journal::image() {
  std::lock_guard lock(mutex_);
  std::lock_guard file_lock(file_mutex_);
  size_t size = 0;
  for (const Piece& piece : pieces_) size += piece.size;
  std::string bytes(size, '\0');
  char* to = bytes.data();
  for (const Piece& piece : pieces_) {
    // Copied cell by cell, as cells are written.
    for (size_t i = 0; i < piece.size / sizeof(uint64_t); ++i, to += sizeof(uint64_t)) {
      const uint64_t value = __atomic_load_n(piece.cells.get() + i, __ATOMIC_RELAXED);
      std::memcpy(to, &value, sizeof value);
    }
  }
  return bytes;
}

bool Journal::empty() {
  std::lock_guard lock(mutex_);
  return pieces_.empty();
}

void Journal::leave_to_parent() { file_.leave_to_parent(); }

void Journal::remove() {
  std::lock_guard lock(file_mutex_);
  file_.remove();
}

}  // namespace qd::instrument
