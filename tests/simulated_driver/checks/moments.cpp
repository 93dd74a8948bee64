#include "tests/simulated_driver/checks/moments.h"

#include <algorithm>

namespace qd::simulated {

bool Moments::Seen::holds(const Moment& moment) const {
  const auto all = barriers.find(moment.block);
  if (all != barriers.end() && moment.barriers < all->second) return true;
  const auto one = times.find({moment.block, moment.thread});
  return one != times.end() && moment.time <= one->second;
}

void Moments::Seen::add(const Seen& more) {
  for (const auto& [block, barrier] : more.barriers) barriers[block] = std::max(barriers[block], barrier);
  for (const auto& [thread, time] : more.times) times[thread] = std::max(times[thread], time);
}

void Moments::Seen::add(const Moment& moment) {
  uint32_t &barrier = barriers[moment.block], &time = times[{moment.block, moment.thread}];
  barrier = std::max(barrier, moment.barriers);
  time = std::max(time, moment.time);
}

void Moments::block_begins(const Group& group) {
  block_ = group.number;
  barriers_ = 0;
  lanes_ = group.subgroup_size;
  count_ = group.threads;
  threads_.assign(count_, {});
}

void Moments::block_meets() {
  ++barriers_;
  if (!fences_) return;
  Seen all;
  for (const Thread& thread : threads_) all.add(thread.seen);
  for (Thread& thread : threads_) thread.seen = all;
}

void Moments::lanes_meet(uint32_t first_thread, uint64_t lanes) {
  std::array<uint32_t, kLanes> times = {};
  Seen all;
  for (uint32_t lane = 0; lane < lanes_ && first_thread + lane < count_; ++lane) {
    if (!(lanes >> lane & 1)) continue;
    Thread& thread = threads_[first_thread + lane];
    thread.lanes[lane] = thread.time;
    for (uint32_t i = 0; i < lanes_; ++i) times[i] = std::max(times[i], thread.lanes[i]);
    if (fences_) all.add(thread.seen);
  }
  for (uint32_t lane = 0; lane < lanes_ && first_thread + lane < count_; ++lane) {
    if (!(lanes >> lane & 1)) continue;
    Thread& thread = threads_[first_thread + lane];
    thread.lanes = times;
    ++thread.time;
    if (fences_) thread.seen = all;
  }
}

void Moments::fence(uint32_t number, ir::Scope scope) {
  fences_ = true;
  Thread& thread = threads_[number];
  thread.seen.add(thread.found);
  thread.found = {};
  thread.given = thread.seen;
  thread.given.add(now(number));
  const uint32_t first = number / lanes_ * lanes_;
  for (uint32_t lane = 0; lane < lanes_; ++lane) {
    if (thread.lanes[lane] > 0) thread.given.add({block_, first + lane, barriers_, thread.lanes[lane]});
  }
  thread.given_to_all = scope == ir::Scope::Device;
  ++thread.time;
}

void Moments::atomic(uint32_t number, uint64_t address, bool writes) {
  if (!fences_) return;
  Thread& thread = threads_[number];
  const auto known = left_.find(address);
  if (known != left_.end()) {
    thread.found.add(known->second.in_device);
    if (known->second.block == block_) thread.found.add(known->second.in_block);
  }
  if (!writes || thread.given.empty()) return;
  Left& left = known != left_.end() ? known->second : left_[address];
  if (left.block != block_) left.in_block = {};
  left.block = block_;
  (thread.given_to_all ? left.in_device : left.in_block).add(thread.given);
}

bool Moments::is_before(const Moment& moment, uint32_t number) const {
  const Thread& thread = threads_[number];
  if (moment.block == block_) {
    if (moment.thread == number || moment.barriers < barriers_) return true;
    if (moment.thread / lanes_ == number / lanes_ && moment.time <= thread.lanes[moment.thread % lanes_]) return true;
  }
  return fences_ && thread.seen.holds(moment);
}

}  // namespace qd::simulated
