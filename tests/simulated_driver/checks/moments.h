// Happens-before order within a kernel's run: barriers, and fences with atomic operations behind and before them, put
// threads in an order. That blocks and threads of the simulated devices take turns does not.
//
// Blocks run one after the other. So for another block it is enough to know up to which of its barriers, and of which
// of its threads up to which moment, it has been seen.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "runtime/ir/op.h"
#include "tests/simulated_driver/threads/fibres.h"

namespace qd::simulated {

/// Time of a thread's action: behind so many barriers of its block, and at which time of its own, which goes on at
/// barriers of subgroups and at fences.
struct Moment {
  uint32_t block = 0, thread = 0;
  uint32_t barriers = 0, time = 0;
};

/// Moments of one run of a kernel, and their order.
class Moments {
 public:
  void block_begins(const Group& group);
  void block_meets();
  /// Lanes of the subgroup of a thread: bit n for lane n.
  void lanes_meet(uint32_t first_thread, uint64_t lanes);
  void fence(uint32_t thread, ir::Scope scope);
  /// An atomic operation on an address, which reads it. Accesses before a fence before one that writes are seen by
  /// another thread behind a fence behind a later one.
  void atomic(uint32_t thread, uint64_t address, bool writes);

  Moment now(uint32_t thread) const { return {block_, thread, barriers_, threads_[thread].time}; }
  bool is_before(const Moment& moment, uint32_t thread) const;
  bool are_in_one_subgroup(const Moment& a, const Moment& b) const {
    return a.block == b.block && a.thread / lanes_ == b.thread / lanes_;
  }

 private:
  static constexpr uint32_t kLanes = 64;
  /// The last moments that have been seen.
  struct Seen {
    std::map<uint32_t, uint32_t> barriers;                    // by block: all before this barrier
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> times;  // by block and thread

    bool empty() const { return times.empty(); }
    bool holds(const Moment& moment) const;
    void add(const Seen& more);
    void add(const Moment& moment);
  };
  struct Thread {
    uint32_t time = 1;
    std::array<uint32_t, kLanes> lanes = {};  // the last times of the subgroup's lanes that it has seen
    Seen seen;                                // of what it has not met
    Seen found;                               // at atomic operations; seen behind the next fence
    Seen given;                               // state that its next atomic operations let others find
    bool given_to_all = false;                // by a fence for the device
  };
  /// State left at an address by atomic operations: for the block, and for all.
  struct Left {
    uint32_t block;
    Seen in_block, in_device;
  };

  uint32_t block_ = 0, barriers_ = 0, lanes_ = 32, count_ = 0;
  bool fences_ = false;  // there has been one in this kernel
  std::vector<Thread> threads_;
  std::map<uint64_t, Left> left_;
};

}  // namespace qd::simulated
