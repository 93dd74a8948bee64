#include "tests/unit/codegen/gpu/fibres.h"

#include <ucontext.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace qd::codegen::gpu::testing {
namespace {

constexpr size_t kStack = 1 << 17;
constexpr uint32_t kWrong = 0xdeadbeef;

enum class Kind { Ballot, Shuffle, SubgroupBarrier, BlockBarrier };

struct Fibre {
  ucontext_t context;
  std::vector<char> stack = std::vector<char>(kStack);
  bool ended = false, waits = false;
  // What it waits for, where, what it gives and what it gets.
  Kind kind = Kind::Ballot;
  const void* place = nullptr;
  bool all = false;
  uint32_t word = 0, lane = 0;
  uint64_t result = 0;
};

struct Group {
  std::vector<Fibre> fibres;
  ucontext_t scheduler;
  uint32_t present = 0;
  const std::function<void(uint32_t)>* body = nullptr;
};
Group* group = nullptr;

void start() {
  (*group->body)(group->present);
  group->fibres[group->present].ended = true;
}

/// Alone, because compilers think that getcontext may return twice.
[[gnu::noinline]] void make_ready(Fibre& fibre, ucontext_t& after) {
  getcontext(&fibre.context);
  fibre.context.uc_stack.ss_sp = fibre.stack.data();
  fibre.context.uc_stack.ss_size = fibre.stack.size();
  fibre.context.uc_link = &after;
  makecontext(&fibre.context, start, 0);
}

uint64_t wait(Kind kind, const void* place, bool all, uint32_t word, uint32_t lane) {
  Fibre& fibre = group->fibres[group->present];
  fibre.waits = true;
  fibre.kind = kind, fibre.place = place, fibre.all = all, fibre.word = word, fibre.lane = lane;
  swapcontext(&fibre.context, &group->scheduler);
  return fibre.result;
}

/// Lets the lanes go on that wait at the same place as `first`. False: some are missing.
bool meet(std::vector<Fibre*>& lanes, Fibre& first) {
  auto is_here = [&](const Fibre* lane) {
    return lane && lane->waits && lane->kind == first.kind && lane->place == first.place;
  };
  if (first.all && std::ranges::any_of(lanes, [&](const Fibre* lane) { return !lane->ended && !is_here(lane); }))
    return false;
  uint64_t ballot = 0;
  for (size_t i = 0; i < lanes.size(); ++i) ballot |= uint64_t{is_here(lanes[i]) && lanes[i]->word != 0} << i;
  std::vector<Fibre*> here;
  for (Fibre* lane : lanes) {
    if (!is_here(lane)) continue;
    here.push_back(lane);
    const Fibre* from = lane->lane < lanes.size() ? lanes[lane->lane] : nullptr;
    lane->result = first.kind == Kind::Ballot ? ballot : is_here(from) ? from->word : kWrong;
  }
  for (Fibre* lane : here) lane->waits = false;
  return true;
}

bool meet_in_subgroups(uint32_t size) {
  bool some = false;
  for (size_t begin = 0; begin < group->fibres.size(); begin += size) {
    std::vector<Fibre*> lanes;
    for (size_t i = begin; i < std::min<size_t>(begin + size, group->fibres.size()); ++i)
      lanes.push_back(&group->fibres[i]);
    for (Fibre* lane : lanes) some |= lane->waits && lane->kind != Kind::BlockBarrier && meet(lanes, *lane);
  }
  return some;
}

}  // namespace

void run_group(uint32_t threads, uint32_t subgroup_size, const std::function<void(uint32_t)>& body) {
  Group now{std::vector<Fibre>(threads), {}, 0, &body};
  group = &now;
  for (Fibre& fibre : now.fibres) make_ready(fibre, now.scheduler);
  auto ended = [](const Fibre& fibre) { return fibre.ended; };
  while (!std::ranges::all_of(now.fibres, ended)) {
    for (now.present = 0; now.present < threads; ++now.present) {
      Fibre& fibre = now.fibres[now.present];
      if (!fibre.ended && !fibre.waits) swapcontext(&now.scheduler, &fibre.context);
    }
    if (std::ranges::all_of(now.fibres, ended) || meet_in_subgroups(subgroup_size)) continue;
    for (const Fibre& fibre : now.fibres) {
      if (!fibre.ended && fibre.kind != Kind::BlockBarrier) throw std::runtime_error("threads wait in vain");
    }
    for (Fibre& fibre : now.fibres) fibre.waits = false;
  }
}

uint32_t thread_of_fibre() { return group->present; }

uint64_t ballot_of_fibres(uint32_t all, uint32_t condition) {
  return wait(Kind::Ballot, __builtin_return_address(0), all != 0, condition, 0);
}

uint32_t shuffle_of_fibres(uint32_t all, uint32_t word, uint32_t lane) {
  return static_cast<uint32_t>(wait(Kind::Shuffle, __builtin_return_address(0), all != 0, word, lane));
}

void barrier_of_fibres(uint32_t all, uint32_t whole_block) {
  const Kind kind = whole_block ? Kind::BlockBarrier : Kind::SubgroupBarrier;
  wait(kind, __builtin_return_address(0), all != 0, 0, 0);
}

}  // namespace qd::codegen::gpu::testing
