// Writes the journal of this process: hits are set in a shared mapping of a file, where no death of the process can
// take them back.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "report/data/coverage_data.h"
#include "report/data/journal.h"
#include "report/data/journal_meaning.h"

namespace qd::instrument {

struct JournalOptions {
  std::string folder;  // for `_qd_kcov-journal.<pid>`; empty: hits are kept in memory only
  bool branch = true;
  std::string relative_to;
};

/// Bits that are set for good, in checked cells. Any thread may set.
class HitBits {
 public:
  HitBits() = default;
  /// `seed`: of the cells, as the journal has it.
  HitBits(uint64_t* cells, uint64_t seed) : cells_(cells), seed_(seed) {}
  void set(size_t i) {
    uint64_t* at = cells_ + i / kBits;
    uint64_t before = __atomic_load_n(at, __ATOMIC_RELAXED), after;
    do after = report::journal::cell(static_cast<uint32_t>(before) | 1u << (i % kBits), seed_, i / kBits);
    while (!__atomic_compare_exchange_n(at, &before, after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  }

 private:
  static constexpr size_t kBits = report::journal::kCellBits;
  uint64_t* cells_ = nullptr;
  uint64_t seed_ = 0;
};

/// Thread-safe. A disk that is full, or a folder that cannot be written, is said once on stderr; then the hits live in
/// memory.
class Journal {
 public:
  explicit Journal(JournalOptions options);
  /// Leaves the file. remove() deletes it.
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Declares the compiled code of a kernel with its funcs: the arcs that it measures, and those that a cap left out.
  /// Gives its id.
  uint32_t add_variant(std::span<const report::JournalFunction> functions, std::span<const report::JournalArc> arcs,
                       std::span<const report::JournalArc> left_out,
                       std::span<const report::JournalDecision> decisions = {});
  /// A kernel that could not be compiled, and why.
  void add_error(const report::JournalFunction& kernel, const std::string& message);
  /// That kernels in `file` were compiled from a text with this hash (report::source_hash).
  void add_source(const std::string& file, const std::string& hash);
  /// Room for one bit for each arc of a variant, then for each outcome of its decisions, under the label of a context.
  /// Lives as long as the journal.
  HitBits add_bits(uint32_t variant, size_t size, const std::string& label);
  /// What its file has in it, or would have were there a place for one. Bits that are set meanwhile may be in it.
  std::string image();
  /// Whether nothing was added yet.
  bool empty();
  /// Deletes the file: its content is safe elsewhere. Nothing may be added any more; bits may still be set, for nobody
  /// but image().
  void remove();
  /// Of its file, for messages; empty: it has none.
  const std::string& path() const { return path_; }
  /// In the child of a fork: the file lives as long as its own process does, not as long as the child. Nothing may be
  /// added any more.
  void leave_to_parent();

 private:
  struct Piece {
    uint8_t* memory;
    size_t size;
    bool mapped;
  };
  void add_decisions(uint32_t variant, std::span<const report::JournalDecision> decisions);
  struct Place {
    uint64_t* cells;
    uint64_t seed;
  };
  Place append(uint32_t kind, const std::string& fixed, size_t n_cells = 0);
  Place put_record(uint32_t kind, uint64_t number, const std::string& fixed, size_t cells_size);
  void set_end();
  uint64_t end_at(size_t offset) const;
  bool open_file();
  bool take_name();
  void add_piece(size_t needed);
  bool map_piece(size_t size);
  void give_up(const char* what);

  JournalOptions options_;
  const uint64_t number_;  // see kStart
  std::string path_, unlocked_;
  std::mutex mutex_;
  int file_ = -1;
  int lock_ = -1;
  bool in_memory_ = false;
  size_t file_size_ = 0;
  std::vector<Piece> pieces_;
  size_t used_ = 0;  // of the last piece
  uint32_t variants_ = 0;
};

}  // namespace qd::instrument
