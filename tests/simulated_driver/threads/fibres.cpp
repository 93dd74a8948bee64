#include "tests/simulated_driver/threads/fibres.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "tests/simulated_driver/threads/stacks.h"
#include "tests/simulated_driver/threads/switch_stack.h"

/// ThreadSanitizer must not note the call of a function in which a fibre ends.
#if defined(__SANITIZE_THREAD__)
#define QD_NEVER_RETURNS [[gnu::no_sanitize("thread")]]
#else
#define QD_NEVER_RETURNS
#endif

namespace qd::simulated {
namespace {

constexpr uint32_t kWrong = 0xdeadbeef;
/// Limit on the operations of all lanes by which one may be ahead of another.
constexpr uint32_t kAhead = 64;

enum class Kind : uint8_t { Ballot, Shuffle, SubgroupBarrier, BlockBarrier, Room };

/// The word that a lane has given at an operation of all lanes.
struct Given {
  uint32_t place, word;
};

struct alignas(64) Fibre {
  SavedStack place_left;
  // The operation that it waits for, its place, its operand and its result.
  const void* place;
  uint64_t result;
  uint32_t word, lane;
  Kind kind;
  bool all;
  bool ended, waits;
  uint32_t thread;
  uint32_t come;  // to how many operations of all lanes

  bool waits_for_all() const { return waits && all && kind != Kind::BlockBarrier; }
  /// Operations of all lanes that are over for this one.
  uint32_t over() const { return waits_for_all() && kind != Kind::Room ? come - 1 : come; }
};

/// The end of an address tells places of one kernel apart.
uint32_t number_of(const void* place) { return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(place)); }

void start_present();

/// All zero at first, so that it takes no room in the library's file.
class Scheduler {
 public:
  Fibre* present = nullptr;
  Group group{};
  GroupObserver* observer = nullptr;

  void run(const Group& wanted, const std::function<void(uint32_t)>& body) {
    if (wanted.threads > kMostThreads) throw std::runtime_error("a group of too many threads");
    group = wanted;
    body_ = &body;
    ended_ = 0;
    wrong_ = nullptr;
    if (observer) observer->group_begins(group);
    for (uint32_t thread = 0; thread < group.threads; ++thread) {
      Fibre& fibre = fibres_[thread];
      make_stack(fibre.place_left, top_of_stack(thread), kWholeStack, start_present);
      fibre.thread = thread;
      fibre.ended = fibre.waits = false;
      fibre.come = 0;
    }
    enter(0);
    present = choose();
    switch_stack(outside_, present->place_left);
    present = nullptr;
    if (wrong_) throw std::runtime_error(wrong_);
  }

  uint64_t wait(Kind kind, const void* place, bool all, uint32_t word, uint32_t lane) {
    Fibre& fibre = *present;
    fibre.waits = true;
    fibre.kind = kind, fibre.place = place, fibre.all = all, fibre.word = word, fibre.lane = lane;
    leave();
    return fibre.result;
  }

  /// An operation of all lanes: notes what this one gives.
  void come(const void* place, uint32_t word) {
    while (present->come - slowest_ >= kAhead) wait(Kind::Room, place, true, 0, 0);
    given_[present->come++ % kAhead][present - first_] = {number_of(place), word};
  }

  /// The word of another lane, if that has given it; else waits for it.
  uint32_t shuffle(const void* place, uint32_t word, uint32_t lane) {
    come(place, word);
    uint32_t found = kWrong;
    if (lane >= lanes_ || take(lane, present->come - 1, place, found)) return found;
    return static_cast<uint32_t>(wait(Kind::Shuffle, place, true, word, lane));
  }

  void forget() {
    if (present) has_jumped(outside_);
    present = nullptr;
  }

  QD_NEVER_RETURNS void start() {
    (*body_)(present->thread);
    present->ended = true;
    ++ended_;
    leave();
  }

 private:
  /// Lets the next one run.
  QD_NEVER_RETURNS void leave() {
    Fibre* left = present;
    Fibre* next = choose();
    if (next == left) return;
    present = next;
    switch_stack(left->place_left, next ? next->place_left : outside_);
  }

  /// Begins a round over the threads of a subgroup.
  void enter(uint32_t subgroup) {
    subgroup_ = subgroup;
    first_ = &fibres_[size_t{subgroup} * group.subgroup_size];
    lanes_ = std::min(group.subgroup_size, group.threads - subgroup * group.subgroup_size);
    slowest_ = slowest();
    begin_round(false);
  }
  void begin_round(bool from_last) {
    step_ = from_last ? -1 : 1;
    next_ = from_last ? static_cast<int>(lanes_) - 1 : 0;
  }

  /// The next thread that can run; null when the group has ended or something is wrong.
  Fibre* choose() {
    for (;;) {
      for (; next_ >= 0 && next_ < static_cast<int>(lanes_); next_ += step_) {
        Fibre& fibre = first_[next_];
        if (fibre.ended || fibre.waits) continue;
        next_ += step_;
        return &fibre;
      }
      if (wrong_) return nullptr;
      if (meet()) continue;
      if ((subgroup_ + 1) * group.subgroup_size < group.threads) {
        enter(subgroup_ + 1);
        continue;
      }
      if (ended_ == group.threads) return nullptr;
      if (!leave_block_barrier()) {
        wrong_ = "threads wait in vain";
        return nullptr;
      }
    }
  }

  /// Lets lanes of the subgroup go on whose operation can be done. False: there are none.
  bool meet() {
    slowest_ = slowest();
    bool shuffled = false, some = false, asked = false, is_over = false;
    uint64_t ballot = 0, at_barrier = 0;
    for (Fibre& lane : lanes()) {
      if (!lane.waits_for_all()) continue;
      if (lane.kind == Kind::Room) {
        lane.waits = lane.come - slowest_ >= kAhead;
      } else if (lane.kind == Kind::Shuffle) {
        uint32_t word = kWrong;
        lane.waits = !take(lane.lane, lane.come - 1, lane.place, word);
        lane.result = word;
      } else {
        // All lanes that wait for such an operation wait for the same one.
        if (!asked) asked = true, is_over = all_have_come(lane.come - 1, lane.place, ballot);
        lane.waits = !is_over;
        lane.result = ballot;
        if (is_over && lane.kind == Kind::SubgroupBarrier) at_barrier |= uint64_t{1} << (&lane - first_);
      }
      shuffled |= !lane.waits && lane.kind != Kind::Ballot && lane.kind != Kind::SubgroupBarrier;
      some |= !lane.waits;
    }
    if (at_barrier != 0) lanes_meet(at_barrier);
    if (!some) some = meet_at_places();
    if (some) begin_round(shuffled);
    return some;
  }

  void lanes_meet(uint64_t which) {
    if (observer) observer->lanes_meet(first_->thread, which);
  }

  std::span<Fibre> lanes() { return {first_, lanes_}; }

  uint32_t slowest() {
    uint32_t least = UINT32_MAX;
    for (const Fibre& lane : lanes()) {
      if (!lane.ended) least = std::min(least, lane.over());
    }
    return least;
  }

  /// Takes a lane's word at the operation of this number; none, if it has ended before. False: it has not come there
  /// yet.
  bool take(uint32_t from, uint32_t operation, const void* place, uint32_t& word) {
    if (first_[from].come <= operation) return first_[from].ended;
    const Given& given = given_[operation % kAhead][from];
    if (given.place != number_of(place)) wrong_ = "lanes are at different operations";
    word = given.word;
    return true;
  }

  /// Whether a ballot or a barrier of all lanes is over, and the ballot's result.
  bool all_have_come(uint32_t operation, const void* place, uint64_t& ballot) {
    ballot = 0;
    for (uint32_t i = 0; i < lanes_; ++i) {
      uint32_t word = 0;
      if (!take(i, operation, place, word)) return false;
      ballot |= uint64_t{word != 0} << i;
    }
    return true;
  }

  /// No lane can go on: those that wait at the same place meet.
  bool meet_at_places() {
    bool some = false;
    for (Fibre& first : lanes()) {
      if (!first.waits || first.all || first.kind == Kind::BlockBarrier) continue;
      uint64_t here = 0, ballot = 0;
      for (uint32_t i = 0; i < lanes_; ++i) {
        const Fibre& lane = first_[i];
        const bool is_here = lane.waits && !lane.all && lane.kind == first.kind && lane.place == first.place;
        here |= uint64_t{is_here} << i;
        ballot |= uint64_t{is_here && lane.word != 0} << i;
      }
      for (uint32_t i = 0; i < lanes_; ++i) {
        if (!(here >> i & 1)) continue;
        Fibre& lane = first_[i];
        const bool is_there = lane.lane < lanes_ && (here >> lane.lane & 1);
        lane.result = first.kind == Kind::Ballot ? ballot : is_there ? first_[lane.lane].word : kWrong;
      }
      for (uint32_t i = 0; i < lanes_; ++i) {
        if (here >> i & 1) first_[i].waits = false;
      }
      if (first.kind == Kind::SubgroupBarrier) lanes_meet(here);
      some = true;
    }
    return some;
  }

  /// All threads that have not ended must be there.
  bool leave_block_barrier() {
    const std::span<Fibre> all(fibres_.data(), group.threads);
    if (std::ranges::any_of(all, [](const Fibre& f) { return !f.ended && f.kind != Kind::BlockBarrier; })) return false;
    for (Fibre& fibre : all) fibre.waits = false;
    if (observer) observer->block_meets();
    enter(0);
    return true;
  }

  std::array<Fibre, kMostThreads> fibres_ = {};
  const std::function<void(uint32_t)>* body_ = nullptr;
  SavedStack outside_ = {};
  const char* wrong_ = nullptr;
  uint32_t ended_ = 0;
  // The subgroup whose threads run now, and the next one of them.
  uint32_t subgroup_ = 0, lanes_ = 0, slowest_ = 0;
  Fibre* first_ = nullptr;
  /// Words of this subgroup, by the operation's number and the lane. Another one runs only when all lanes of this one
  /// have come to the same operations.
  Given given_[kAhead][64] = {};
  int next_ = 0, step_ = 0;
};

constinit Scheduler scheduler;

QD_NEVER_RETURNS void start_present() { scheduler.start(); }

}  // namespace

void run_group(const Group& group, const std::function<void(uint32_t)>& body) { scheduler.run(group, body); }

void observe_groups(GroupObserver* observer) { scheduler.observer = observer; }

void forget_group() { scheduler.forget(); }

uint32_t thread_of_fibre() { return scheduler.present->thread; }
uint32_t group_of_fibre() { return scheduler.group.number; }
char* block_memory_of_fibre() { return scheduler.group.block_memory; }

uint64_t ballot_of_fibres(uint32_t all, uint32_t condition) {
  const void* place = __builtin_return_address(0);
  if (all) scheduler.come(place, condition);
  return scheduler.wait(Kind::Ballot, place, all != 0, condition, 0);
}

uint32_t shuffle_of_fibres(uint32_t all, uint32_t word, uint32_t lane) {
  const void* place = __builtin_return_address(0);
  if (all) return scheduler.shuffle(place, word, lane);
  return static_cast<uint32_t>(scheduler.wait(Kind::Shuffle, place, false, word, lane));
}

void barrier_of_fibres(uint32_t all, uint32_t whole_block) {
  const void* place = __builtin_return_address(0);
  if (!whole_block && all) scheduler.come(place, 0);
  scheduler.wait(whole_block ? Kind::BlockBarrier : Kind::SubgroupBarrier, place, all != 0, 0, 0);
}

std::span<const std::pair<std::string_view, void*>> functions_of_fibres() {
  static const std::array all{
      std::pair<std::string_view, void*>{"qd_simulated_thread", reinterpret_cast<void*>(&thread_of_fibre)},
      std::pair<std::string_view, void*>{"qd_simulated_group", reinterpret_cast<void*>(&group_of_fibre)},
      std::pair<std::string_view, void*>{"qd_simulated_block_memory", reinterpret_cast<void*>(&block_memory_of_fibre)},
      std::pair<std::string_view, void*>{"qd_simulated_ballot", reinterpret_cast<void*>(&ballot_of_fibres)},
      std::pair<std::string_view, void*>{"qd_simulated_shuffle", reinterpret_cast<void*>(&shuffle_of_fibres)},
      std::pair<std::string_view, void*>{"qd_simulated_barrier", reinterpret_cast<void*>(&barrier_of_fibres)}};
  return all;
}

}  // namespace qd::simulated
