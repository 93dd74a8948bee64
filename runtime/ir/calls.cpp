// Walks over the call graph. It is small, so it is walked anew for each question.
#include "runtime/ir/calls.h"

#include <algorithm>
#include <array>

namespace qd::ir {
namespace {

/// Marks the routines that a block calls, directly or through other routines.
void reach(const Kernel& kernel, BlockId block, std::vector<bool>& reached) {
  walk(kernel, block, [&](InstId id) {
    const Inst& inst = kernel[id];
    if (inst.op != Op::Call || inst.aux >= reached.size() || reached[inst.aux]) return;
    reached[inst.aux] = true;
    reach(kernel, kernel.routines[inst.aux].body, reached);
  });
}

bool fails(Op op) { return has_effect(op, kFaults) && op != Op::Call; }

}  // namespace

std::vector<bool> reached_routines(const Kernel& kernel, std::span<const BlockId> blocks) {
  std::vector<bool> reached(kernel.routines.size());
  if (reached.empty()) return reached;
  for (BlockId block : blocks) reach(kernel, block, reached);
  return reached;
}

std::vector<bool> reached_routines(const Kernel& kernel, const Task& task) {
  return reached_routines(kernel, std::array{task.prologue, task.body, task.epilogue});
}

std::vector<bool> recursive_routines(const Kernel& kernel) {
  std::vector<bool> recursive(kernel.routines.size());
  for (size_t i = 0; i < recursive.size(); i++)
    recursive[i] = reached_routines(kernel, std::array{kernel.routines[i].body})[i];
  return recursive;
}

std::vector<bool> failing_routines(const Kernel& kernel) {
  std::vector<bool> asserts(kernel.routines.size());
  for (size_t i = 0; i < asserts.size(); i++) {
    walk(kernel, kernel.routines[i].body, [&](InstId id) { asserts[i] = asserts[i] || fails(kernel[id].op); });
  }
  std::vector<bool> failing = asserts;
  for (size_t i = 0; i < failing.size(); i++) {
    const std::vector<bool> reached = reached_routines(kernel, std::array{kernel.routines[i].body});
    for (size_t k = 0; k < reached.size(); k++) failing[i] = failing[i] || (reached[k] && asserts[k]);
  }
  return failing;
}

bool may_fail(const Kernel& kernel, BlockId block) {
  const std::vector<bool> failing = failing_routines(kernel);
  bool may = false;
  walk(kernel, block, [&](InstId id) {
    const Inst& inst = kernel[id];
    may |= inst.op == Op::Call ? failing[inst.aux] : fails(inst.op);
  });
  return may;
}

uint16_t effects_of(const Kernel& kernel) {
  uint16_t effects = 0;
  walk(kernel, [&](InstId id) {
    if (kernel[id].op != Op::Call) effects |= row(kernel[id].op).effects;
  });
  return effects;
}

bool has_loops(const Kernel& kernel, const Task& task) {
  bool found = false;
  auto look = [&](InstId id) { found |= kernel[id].op == Op::For || kernel[id].op == Op::Loop; };
  walk(kernel, task.body, look);
  walk_reached(kernel, task, look);
  return found;
}

bool draws(const Kernel& kernel, const Task& task) {
  bool found = false;
  auto look = [&](InstId id) { found |= kernel[id].op == Op::Random; };
  walk(kernel, task.body, look);
  walk_reached(kernel, task, look);
  return found;
}

}  // namespace qd::ir
