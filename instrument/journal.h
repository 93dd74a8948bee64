// Writes the journal of this process. ContextHits are bits in a shared mapping of a file, where the death of the
// process does not take them back.
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
  std::string folder;  // where `_qd_kcov-journal.<pid>` goes; empty: hits are kept in memory only
  bool branch = true;
  std::string relative_to;
};

/// Bits in cells with checks; a bit that is set stays set. Any thread may set bits.
class HitBits {
 public:
  HitBits() = default;
  /// `seed`: what goes into the checks of these cells (report::journal::cell_seed).
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

/// Thread-safe. When the disk is full, or the folder cannot be written, that is reported once on stderr, and hits are
/// kept in memory from then on.
class Journal {
 public:
  explicit Journal(JournalOptions options);
  /// Leaves the file where it is; remove() deletes it.
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Declares the compiled code of a kernel with its funcs: the arcs that it measures, and the arcs that a cap left
  /// out. Returns the id of the variant.
  uint32_t add_variant(std::span<const report::JournalFunction> functions, std::span<const report::JournalArc> arcs,
                       std::span<const report::JournalArc> left_out,
                       std::span<const report::JournalDecision> decisions = {});
  /// Says what arguments a variant was compiled for.
  void add_variant_text(uint32_t variant, const std::string& text);
  /// Says for what the funcs of a variant were called: `texts` are those that `arcs` name, which are the variant's.
  void add_func_variants(uint32_t variant, std::span<const std::string> texts,
                         std::span<const report::JournalArc> arcs);
  /// Records that a variant was launched so many times more.
  void add_launches(uint32_t variant, uint64_t launches);
  /// Records that a kernel could not be compiled, and why.
  void add_error(const report::JournalFunction& kernel, const std::string& message);
  /// Records that kernels in `file` were compiled from a text with this hash (report::source_hash).
  void add_source(const std::string& file, const std::string& hash);
  /// Adds room for one bit for each arc of a variant, then one for each outcome of its decisions, under the label of a
  /// context. The bits live as long as the journal.
  HitBits add_bits(uint32_t variant, size_t size, const std::string& label);
  /// The journal's image: the bytes of its file, or what they would be if there were a place for the file. Bits that
  /// are set meanwhile may be in it.
  std::string image();
  /// Whether nothing was added yet.
  bool empty();
  /// Deletes the file; its content is safe elsewhere. Nothing may be added from now on. Bits may still be set, but only
  /// image() shows them.
  void remove();
  /// The path of the file, for messages; empty when there is none.
  const std::string& path() const { return path_; }
  /// Called in the child of a fork: the file belongs to the parent, and lives as long as the parent. Nothing may be
  /// added from now on.
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
