// Writes the journal of this process: hits are set in a shared mapping of a file, where no death of the process can take them back.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "instrument/compiled_decision.h"
#include "report/data/coverage_data.h"

namespace qd::instrument {

struct JournalOptions {
  std::string folder;  // for `_qd_kcov-journal.<pid>`; empty: hits are kept in memory only
  bool branch = true;
  std::string relative_to;
};

/// Bits that are set for good. Any thread may set.
class HitBits {
 public:
  HitBits() = default;
  HitBits(uint8_t* bytes, size_t size) : bytes_(bytes), size_(size) {}
  size_t size() const { return size_; }
  bool get(size_t i) const { return __atomic_load_n(bytes_ + i / 8, __ATOMIC_RELAXED) >> (i % 8) & 1; }
  void set(size_t i) { __atomic_fetch_or(bytes_ + i / 8, static_cast<uint8_t>(1u << (i % 8)), __ATOMIC_RELAXED); }

 private:
  uint8_t* bytes_ = nullptr;
  size_t size_ = 0;
};

/// A kernel or func in its file, for the journal.
struct JournalFunction {
  std::string file;
  report::KernelFunction function;
  bool operator==(const JournalFunction&) const = default;
};

/// An arc of one of the functions that go with it.
struct JournalArc {
  uint32_t function;
  report::Arc arc;
  bool operator==(const JournalArc&) const = default;
};

/// Thread-safe. A disk that is full, or a folder that cannot be written, is said once on stderr; then the hits live in memory.
class Journal {
 public:
  explicit Journal(JournalOptions options);
  /// Leaves the file. remove() deletes it.
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Declares the compiled code of a kernel with its funcs: the arcs that it measures, and those that a cap left out. Gives its id.
  uint32_t add_variant(std::span<const JournalFunction> functions, std::span<const JournalArc> arcs, std::span<const JournalArc> left_out,
                       std::span<const CompiledDecision> decisions = {});
  /// A kernel that could not be compiled, and why.
  void add_error(const JournalFunction& kernel, const std::string& message);
  /// Room for one bit for each arc of a variant, then for each outcome of its decisions, under a context. Lives as long as the journal.
  HitBits add_bits(uint32_t variant, size_t size, const std::string& context);
  /// Deletes the file: its content is safe elsewhere.
  void remove();
  /// In the child of a fork: the file lives as long as its own process does, not as long as the child. Nothing may be added any more.
  void leave_to_parent();

 private:
  struct Chunk {
    uint8_t* memory;
    size_t size;
    bool mapped;
  };
  void add_decisions(uint32_t variant, std::span<const CompiledDecision> decisions);
  uint8_t* append(uint32_t kind, const std::string& fixed, size_t free_size);
  bool open_file();
  void add_chunk(size_t size);
  void give_up(const char* what);

  JournalOptions options_;
  std::string path_;
  std::mutex mutex_;
  int file_ = -1;
  int lock_ = -1;
  bool in_memory_ = false;
  size_t file_size_ = 0;
  std::vector<Chunk> chunks_;
  size_t used_ = 0;  // of the last chunk
  uint32_t variants_ = 0;
};

}  // namespace qd::instrument
