// Journal writer of this process. Hits are bits in memory, each written to a file at once: the death of the process
// does not take them back.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "instrument/journal_file.h"
#include "report/data/coverage_data.h"
#include "report/data/journal.h"
#include "report/data/journal_meaning.h"

namespace qd::instrument {

struct JournalOptions {
  std::string folder;  // of `_qd_kcov-journal.*`; empty: hits are kept in memory only
  bool branch = true;
  std::string relative_to;
};

class Journal;

/// Results of launches in cells with checks: bits, or a value for each place. Thread-safe. Valid as long as the
/// journal.
class JournalValues {
 public:
  JournalValues() = default;
  /// Sets bits, and writes them to the journal's file. A bit that is set stays set.
  void set(std::span<const size_t> bits);
  void set(size_t bit) { set({&bit, 1}); }
  /// Replaces the values, of `width` bits each, and writes them to the journal's file. One thread at a time.
  void put(std::span<const uint64_t> values, uint32_t width);

 private:
  friend class Journal;
  /// `seed`: starting value of the cells' checks (report::journal::cell_seed). `in_journal`: offset of the cells in the
  /// journal's image, in bytes.
  JournalValues(Journal& journal, uint64_t* cells, uint64_t seed, size_t in_journal)
      : journal_(&journal), cells_(cells), seed_(seed), in_journal_(in_journal) {}
  void clear(size_t cells);

  Journal* journal_ = nullptr;
  uint64_t* cells_ = nullptr;
  uint64_t seed_ = 0;
  size_t in_journal_ = 0;
};

/// Thread-safe. A full disk, or a folder that cannot be written, is reported once on stderr, and hits are kept in
/// memory from then on. A file that others change, such as by cutting it off, does not disturb the program: the data
/// file is made from memory, and the lost bytes are written again.
class Journal {
 public:
  /// The destructor keeps the file; remove() deletes it.
  explicit Journal(JournalOptions options);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Declares the compiled code of a kernel with its funcs: the arcs that it measures, and the arcs that a cap left
  /// out. Returns the id of the variant.
  uint32_t add_variant(std::span<const report::JournalFunction> functions, std::span<const report::JournalArc> arcs,
                       std::span<const report::JournalArc> left_out,
                       std::span<const report::JournalDecision> decisions = {});
  /// Declares results of another instrument in a variant's code.
  void add_results(uint32_t variant, const report::JournalResults& results);
  /// Records the argument types that a variant was compiled for.
  void add_variant_text(uint32_t variant, const std::string& text);
  /// Records the argument types of a variant's funcs: `texts` are those that `arcs` name, which are the variant's.
  void add_func_variants(uint32_t variant, std::span<const std::string> texts,
                         std::span<const report::JournalArc> arcs);
  /// Adds to the number of launches of a variant.
  void add_launches(uint32_t variant, uint64_t launches);
  /// Records the compile error of a kernel.
  void add_error(const report::JournalFunction& kernel, const std::string& message);
  /// Records that kernels in `file` were compiled from a text with this hash (report::source_hash).
  void add_source(const std::string& file, const std::string& hash);
  /// Adds room for one bit for each arc of a variant, then one for each outcome of its decisions, under the label of a
  /// context.
  JournalValues add_hits(uint32_t variant, size_t size, const std::string& label);
  /// Adds room for the values of the variant's nth add_results, counted from 1, under the label of a context.
  JournalValues add_values(uint32_t variant, uint32_t n, const report::JournalResults& results,
                           const std::string& label);
  /// Image of the journal: the bytes of its file, or the bytes that the file would have if it could be written. Bits
  /// that are set meanwhile may be in it.
  std::string image();
  /// True when no record was added yet.
  bool empty();
  /// Deletes the file; its content is safe elsewhere. Nothing may be added from now on. Bits may still be set, but only
  /// image() shows them.
  void remove();
  /// Path of the file, for messages; empty when there is none.
  const std::string& path() const { return file_.path(); }
  /// Called in the child of a fork: the file belongs to the parent, and lives as long as the parent. Nothing may be
  /// added from now on.
  void leave_to_parent();

 private:
  friend class JournalValues;
  struct Piece {
    std::unique_ptr<uint64_t[]> cells;
    size_t size, start;  // bytes; `start` is an offset in the image
  };
  void add_decisions(uint32_t variant, std::span<const report::JournalDecision> decisions);
  JournalValues append(uint32_t kind, const std::string& fixed, size_t n_cells = 0);
  JournalValues put_record(uint32_t kind, uint64_t number, const std::string& fixed, size_t cells_size);
  JournalValues append_values(uint32_t variant, uint32_t n, size_t size, size_t n_cells, const std::string& label);
  void set_end();
  void add_piece(size_t needed);
  void write(const uint64_t* cells, size_t size, size_t at);

  JournalOptions options_;
  const uint64_t number_;  // see kStart
  std::mutex mutex_;       // guards the records; taken before file_mutex_
  std::mutex file_mutex_;  // guards the file and the pieces. A fork's child does not take it: a thread that the child
                           // does not have may have held it
  JournalFile file_;
  std::vector<Piece> pieces_;
  size_t used_ = 0;  // of the last piece
  uint32_t variants_ = 0;
};

}  // namespace qd::instrument
