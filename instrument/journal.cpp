// The journal of this process: what its launches reached, in a file that any death of the process leaves behind.
//
// A process can be killed at any time, and by a kernel more easily than by most code. So there is no list that is
// written at the end: the file is mapped shared, and a hit is a bit that is set in that memory. The kernel of the
// operating system writes it, whether the process lives or not. Only a crash of the machine can lose it.
//
//   head | kStart | kVariant: the arcs of `step` | kBits: a bit for each, label "test_a" | kVariant ... | kPad
//                                                         ^ launches set bits here, at any time
//
// A record is appended in this order: its bytes, its kind, and last the cell that says where the records end. A reader
// that comes at any moment sees whole records. Bits stand in cells of 8 bytes, each with a check of its value and
// place, and are changed by compare-and-exchange: a cell is never half written. See report/data/journal.h for the
// layout, and report/data/journal_records.cpp for the reader, which believes no byte without its check.
//
// Data files are always made by reading these bytes back, so every run tests what is done after a crash.
#include "instrument/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <utility>

namespace qd::instrument {

namespace format = report::journal;

namespace {

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_text(std::string& out, const std::string& text) {
  put<uint32_t>(out, static_cast<uint32_t>(text.size()));
  out += text;
}

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
    : options_(std::move(options)), number_(random_number()), in_memory_(options_.folder.empty()) {}

Journal::~Journal() {
  for (const Piece& piece : pieces_) {
    if (piece.mapped) {
      munmap(piece.memory, piece.size);
    } else {
      delete[] piece.memory;
    }
  }
  if (file_ >= 0) close(file_);
  if (lock_ >= 0) close(lock_);
}

void Journal::give_up(const char* what) {
  std::fprintf(stderr, "qd: kernel coverage journal %s: %s: %s; a crash of this process would lose kernel coverage\n",
               path_.c_str(), what, std::strerror(errno));
  in_memory_ = true;
}

bool Journal::open_file() {
  std::error_code ignored;  // opening the file will say what is wrong
  std::filesystem::create_directories(options_.folder, ignored);
  path_ = options_.folder + "/" + report::kJournalPrefix + std::to_string(getpid());
  static std::atomic<int> counter = 0;
  unlocked_ = fmt::format("{}/.qd-cov.{}.{}.journal", options_.folder, getpid(), counter++);
  unlink(unlocked_.c_str());  // left by a process that died between these lines
  file_ = open(unlocked_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file_ < 0) return false;
  // Readers take this lock to see whether the process lives; one of them may be this process itself. The lock has a
  // descriptor of its own, which the child of a fork closes. (The mapping would keep a lock of its own descriptor.)
  lock_ = open(unlocked_.c_str(), O_RDWR | O_CLOEXEC);
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  fcntl(lock_, F_OFD_SETLK, &lock);
  return true;
}

/// Gives the file its own name. Nobody has seen the file under that name unlocked, or without a head.
bool Journal::take_name() {
  const std::string name = path_;
  // A file of that name belongs to a dead process that had the same number, or to a live one elsewhere. It stays.
  for (int i = 1; i < 1000; ++i) {
    if (renameat2(AT_FDCWD, unlocked_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) == 0) return true;
    if (errno == EINVAL && !std::filesystem::exists(path_))
      return std::rename(unlocked_.c_str(), path_.c_str()) == 0;  // for file systems that cannot do the above
    if (errno != EEXIST && errno != EINVAL) break;
    path_ = fmt::format("{}.{}", name, i);
  }
  const int error = errno;
  unlink(unlocked_.c_str());
  close(std::exchange(file_, -1));
  close(std::exchange(lock_, -1));
  errno = error;
  return false;
}

/// Maps a piece at the end of the file. The piece is allocated, not only added to the file's length: a page for which
/// the disk has no room would end the process.
bool Journal::map_piece(size_t size) {
  int error = posix_fallocate(file_, static_cast<off_t>(file_size_), static_cast<off_t>(size));
  void* memory = MAP_FAILED;
  errno = error;
  if (error == 0)
    memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file_, static_cast<off_t>(file_size_));
  if (memory == MAP_FAILED) return false;
  pieces_.push_back({static_cast<uint8_t*>(memory), size, true});
  file_size_ += size;
  return true;
}

/// Adds a piece that has room for `needed` bytes behind what each piece begins with.
void Journal::add_piece(size_t needed) {
  std::string fixed;
  put<uint64_t>(fixed, number_);
  put<uint32_t>(fixed, options_.branch);
  put_text(fixed, options_.relative_to);
  const bool first = pieces_.empty();
  size_t size = sizeof(format::Head) + 2 * sizeof(format::Record) + format::padded(fixed.size()) + needed;
  size = (size + format::kPiece - 1) / format::kPiece * format::kPiece;
  if (!in_memory_ && file_ < 0 && !open_file()) give_up("cannot be made");
  if (!in_memory_ && !map_piece(size)) {
    give_up("cannot grow");
    if (first) unlink(unlocked_.c_str());
  }
  if (in_memory_) pieces_.push_back({new uint8_t[size](), size, false});
  used_ = 0;
  if (first) {
    std::memcpy(pieces_.back().memory, format::kMagic, sizeof format::Head::magic);
    used_ = sizeof(format::Head);
  }
  put_record(format::kStart, format::kVersion, fixed, 0);
  set_end();
  if (first && !in_memory_ && !take_name()) give_up("cannot be made");
}

/// Writes a record at the present place, where there is room for it.
Journal::Place Journal::put_record(uint32_t kind, uint64_t number, const std::string& fixed, size_t cells_size) {
  std::string padded = fixed;
  padded.resize(format::padded(fixed.size()));
  format::Record record{kind, static_cast<uint32_t>(padded.size() + cells_size), static_cast<uint32_t>(padded.size()),
                        0};
  record.check = format::check_of(record, padded.data(), number);
  uint8_t* at = pieces_.back().memory + used_;
  uint8_t* behind = at + sizeof record + padded.size();
  std::memcpy(at + sizeof record, padded.data(), padded.size());
  const Place place{reinterpret_cast<uint64_t*>(behind), format::cell_seed(number_, record.check)};
  if (kind == format::kBits) {
    for (size_t i = 0; i < cells_size / sizeof(uint64_t); ++i) place.cells[i] = format::cell(0, place.seed, i);
  }
  std::memcpy(at + sizeof record.kind, &record.size, sizeof record - sizeof record.kind);
  __atomic_store_n(reinterpret_cast<uint32_t*>(at), kind, __ATOMIC_RELEASE);
  used_ += sizeof record + record.size;
  return place;
}

/// Makes the records that were written so far visible to readers.
void Journal::set_end() {
  if (!pieces_.front().mapped || !pieces_.back().mapped) return;
  auto* head = reinterpret_cast<format::Head*>(pieces_.front().memory);
  const size_t end = file_size_ - pieces_.back().size + used_;
  __atomic_store_n(&head->end, end_at(end), __ATOMIC_RELEASE);
}

/// The cell in the head that says that records end at `offset`.
uint64_t Journal::end_at(size_t offset) const {
  return format::cell(static_cast<uint32_t>(offset / 8), format::cell_seed(number_, 0), 0);
}

Journal::Place Journal::append(uint32_t kind, const std::string& fixed, size_t n_cells) {
  const size_t needed = sizeof(format::Record) + format::padded(fixed.size()) + n_cells * sizeof(uint64_t);
  // The rest of a piece becomes a record of its own. There is always room for its head.
  if (pieces_.empty()) {
    add_piece(needed);
  } else if (const size_t left = pieces_.back().size - used_; left < needed + sizeof(format::Record)) {
    put_record(format::kPad, number_, "", left - sizeof(format::Record));
    add_piece(needed);
  }
  const Place place = put_record(kind, number_, fixed, n_cells * sizeof(uint64_t));
  set_end();
  return place;
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

HitBits Journal::add_bits(uint32_t variant, size_t size, const std::string& label) {
  std::lock_guard lock(mutex_);
  std::string fixed;
  put<uint32_t>(fixed, variant);
  put<uint32_t>(fixed, static_cast<uint32_t>(size));
  put_text(fixed, label);
  const Place place = append(format::kBits, fixed, (size + format::kCellBits - 1) / format::kCellBits);
  return HitBits(place.cells, place.seed);
}

std::string Journal::image() {
  std::lock_guard lock(mutex_);
  size_t size = 0, end = 0;
  for (const Piece& piece : pieces_) {
    end = size + used_;
    size += piece.size;
  }
  std::string bytes(size, '\0');
  char* to = bytes.data();
  for (const Piece& piece : pieces_) {
    // Copied cell by cell, as cells are written. Pieces are whole pages.
    const auto* from = reinterpret_cast<const uint64_t*>(piece.memory);
    for (size_t i = 0; i < piece.size / sizeof *from; ++i, to += sizeof *from) {
      const uint64_t value = __atomic_load_n(from + i, __ATOMIC_RELAXED);
      std::memcpy(to, &value, sizeof value);
    }
  }
  if (pieces_.empty()) return bytes;
  const uint64_t end_cell = end_at(end);  // the head of a file that could not grow says where the file ends
  std::memcpy(bytes.data() + offsetof(format::Head, end), &end_cell, sizeof end_cell);
  return bytes;
}

bool Journal::empty() {
  std::lock_guard lock(mutex_);
  return pieces_.empty();
}

void Journal::leave_to_parent() {
  if (lock_ >= 0) close(lock_);
  lock_ = -1;
  in_memory_ = true;
}

void Journal::remove() {
  std::lock_guard lock(mutex_);
  if (file_ < 0) return;  // only once: the next journal has the same name
  unlink(path_.c_str());
  close(std::exchange(file_, -1));
  if (lock_ >= 0) close(std::exchange(lock_, -1));
  in_memory_ = true;
}

}  // namespace qd::instrument
