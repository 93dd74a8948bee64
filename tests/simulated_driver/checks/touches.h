// Shadow memory for races: the threads of the running kernel that have touched each place, as far as races need them.
//
// A place keeps the last thread that stored, and of those that loaded, and of those that used atomic operations, two
// that no order is between. A thread that races with any of the others then races with one of these: between the
// threads of a block, all others lie behind the same barrier as one of the two.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

#include "tests/simulated_driver/checks/moments.h"
#include "tests/simulated_driver/threads/access_kind.h"

namespace qd::simulated {

struct Touch {
  Moment moment;
  const char* line = nullptr;  // of the source
  AccessKind kind = AccessKind::Load;
  bool is_there = true;
};

/// Touches of places that are told apart by numbers, such as the words of memory.
class Touches {
 public:
  /// Forgets all.
  void clear() { pages_.clear(), last_ = nullptr; }
  /// Notes a touch of a place by a thread that runs now. Gives an earlier one with which it races. `same`: a store of
  /// the value that is there, which does not race with another store.
  std::optional<Touch> add(const Moments& moments, uint64_t place, const Touch& touch, bool same);

 private:
  static constexpr Touch kNone = {{}, nullptr, AccessKind::Load, false};
  struct LastTouches {
    Touch store = kNone;
    std::array<Touch, 2> loads = {kNone, kNone}, atomics = {kNone, kNone};
  };
  static constexpr uint64_t kPageSize = 256;
  using Page = std::array<LastTouches, kPageSize>;

  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;
  uint64_t last_number_ = 0;
  Page* last_ = nullptr;
};

}  // namespace qd::simulated
