// The threads of a group of a GPU as fibres of this computer, which meet at operations of subgroups and of blocks.
//
// One group runs at a time in a process. The threads of a subgroup run in the order of their numbers, up to the
// operation at which each waits for others. A thread that wants the word of another one waits only when that one has
// not given it yet; after such an operation they go on from the last thread to the first one, so that a sum over a
// subgroup, where words come from higher lanes, takes one round for all of its steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

namespace qd::simulated {

inline constexpr uint32_t kMostThreads = 1024;
/// Limit on the stack of a thread's code, in bytes.
inline constexpr size_t kStackBytes = size_t{1} << 16;
/// Limit on the shared variables of a group, in bytes.
inline constexpr size_t kBlockBytes = size_t{48} << 10;

struct Group {
  uint32_t number;
  uint32_t threads;
  uint32_t subgroup_size;
  char* block_memory;  // shared variables
};

/// Observer of the groups that run.
class GroupObserver {
 public:
  virtual void group_begins(const Group& group) = 0;
  /// All threads that have not ended have come to a barrier.
  virtual void block_meets() = 0;
  /// Lanes of the subgroup that begins with a thread have come to a barrier: bit n for lane n.
  virtual void lanes_meet(uint32_t first_thread, uint64_t lanes) = 0;

 protected:
  ~GroupObserver() = default;
};
/// Null: no observer.
void observe_groups(GroupObserver* observer);

/// Runs body(thread) for all threads of a group. Threads that have ended are waited for no longer. Throws
/// std::runtime_error when threads wait for each other in vain.
void run_group(const Group& group, const std::function<void(uint32_t)>& body);

/// To be called after a signal handler has left the code of a group with a jump: another group may run.
void forget_group();

// Entry points for gpu::Hardware's operations; the calling thread is the running one. `all`: all lanes of the
// subgroup that have not ended must come; else those meet that are at the same place when no lane can go on.
uint32_t thread_of_fibre();
uint32_t group_of_fibre();
char* block_memory_of_fibre();
uint64_t ballot_of_fibres(uint32_t all, uint32_t condition);
/// A number that is surely wrong where the lane is not there.
uint32_t shuffle_of_fibres(uint32_t all, uint32_t word, uint32_t lane);
void barrier_of_fibres(uint32_t all, uint32_t whole_block);

/// Symbols by which code calls these functions.
std::span<const std::pair<std::string_view, void*>> functions_of_fibres();

}  // namespace qd::simulated
