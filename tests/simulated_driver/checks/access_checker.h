// Checks each access of a kernel to memory: that it lies in memory that there is, and that no other thread's access
// races with it. For code that was made with checked_code.h.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/simulated_driver/checks/memory_map.h"
#include "tests/simulated_driver/checks/moments.h"
#include "tests/simulated_driver/checks/touches.h"
#include "tests/simulated_driver/threads/fibres.h"

namespace qd::simulated {

/// One kernel is checked at a time, by the thread that runs it.
class AccessChecker final : public GroupObserver {
 public:
  /// Until this ends, the code of the kernel is checked. `memory`: as it is when the kernel begins.
  AccessChecker(std::string kernel, uint64_t block_bytes, MemoryMap memory);
  ~AccessChecker();

  void group_begins(const Group& group) override;
  void block_meets() override { moments_.block_meets(); }
  void lanes_meet(uint32_t first_thread, uint64_t lanes) override { moments_.lanes_meet(first_thread, lanes); }

  /// An access of the code. `value`: the bytes that a store of up to 8 bytes puts there; of a longer one, null.
  void access(uint32_t thread, uint64_t address, uint64_t bytes, AccessKind kind, const uint64_t* value);
  void fence(uint32_t thread, ir::Scope scope) { moments_.fence(thread, scope); }
  /// The line of the source that runs now: "file:12". Null: none of the kernel's own.
  void at(uint32_t thread, const char* line) { lines_[thread] = line; }

  /// Findings: lines of text, each only once for two lines of the source.
  const std::vector<std::string>& races() const { return races_; }
  const std::vector<std::string>& outside() const { return outside_; }

 private:
  bool is_shared(uint64_t address) const;
  std::optional<std::string> fault(uint64_t address, uint64_t bytes) const;
  void tell_race(const Touch& one, const Touch& two, uint64_t address);

  std::string kernel_;
  uint64_t block_begin_ = 0, block_bytes_;
  MemoryMap memory_;
  Moments moments_;
  /// Touches by words, and those by bytes that are smaller than a word; of memory, and of the block's shared variables.
  Touches words_, bytes_, shared_words_, shared_bytes_;
  std::vector<const char*> lines_;
  std::set<std::pair<std::string, std::string>> told_;
  std::vector<std::string> races_, outside_;
};

/// Symbols by which checked code calls the checker.
std::span<const std::pair<std::string_view, void*>> functions_of_checks();

}  // namespace qd::simulated
