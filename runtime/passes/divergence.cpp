// Divergence, by repetition until nothing changes: all values are uniform at first, and each visit only makes more of
// them vary.
#include "runtime/passes/divergence.h"

#include <algorithm>
#include <vector>

#include "runtime/ir/calls.h"
#include "runtime/ir/same_memory.h"
#include "runtime/ir/walk.h"

namespace qd::passes {

using ir::BinaryOp;
using ir::BlockId;
using ir::Inst;
using ir::InstId;
using ir::Op;

Divergence::Divergence(const ir::Kernel& kernel, const ir::Task& task) : kernel_(kernel), task_(task) {
  enter(task.body, {});
  find_shared_arrays();
  find_only_stores(task.body);
  find_last_reads();
  vary_sums(task.body);
  std::erase_if(only_stores_, [](const auto& only) { return only.second == InstId::None; });
  do {
    changed_ = false;
    visit(task.body);
  } while (changed_);
}

std::optional<InstId> Divergence::only_value(InstId load) const {
  const auto only = only_stores_.find(kernel_.operands_of(load)[0]);
  if (only == only_stores_.end()) return std::nullopt;
  return kernel_.operands_of(only->second)[1];
}

std::optional<int64_t> Divergence::distance(InstId element) const {
  const Inst& inst = kernel_[element];
  const auto operands = kernel_.operands_of(inst);
  const ir::Array& info = kernel_.arrays[inst.aux];
  const int64_t size = ir::size_in_bytes(inst.type);
  std::optional<int64_t> stride = info.layout.stride ? info.layout.stride : size * info.layout.components;
  int64_t distance = 0;
  for (size_t i = static_cast<size_t>(info.rank); i-- > 0;) {  // the innermost axis in memory first
    const size_t axis = info.layout.order.empty() ? i : static_cast<size_t>(info.layout.order[i]);
    const std::optional<int64_t> step = this->step(operands[axis]);
    if (!step || (*step != 0 && !stride)) return std::nullopt;
    if (*step != 0) distance += *step * *stride;
    stride = stride && axis < info.shape.size() ? std::optional(*stride * info.shape[axis]) : std::nullopt;
  }
  if (info.layout.components != 1) {
    const std::optional<int64_t> step = this->step(operands.back());
    if (!step) return std::nullopt;
    distance += *step * (info.layout.component_stride ? info.layout.component_stride : size);
  }
  return distance;
}

void Divergence::enter(BlockId block, Around around) {
  around_[block] = around;
  for (InstId id : kernel_[block]) {
    if (kernel_[id].op == Op::Alloca) declared_[id] = block;
    for (BlockId inner : kernel_[id].blocks) {
      if (inner != BlockId::None) enter(inner, {id, block});
    }
  }
}

/// Finds variables that are stored once, in the block that declares them, and in front of all loads.
void Divergence::find_only_stores(BlockId block) {
  for (InstId id : kernel_[block]) {
    const Inst& inst = kernel_[id];
    for (BlockId inner : inst.blocks) {
      if (inner != BlockId::None) find_only_stores(inner);
    }
    if (!ir::accesses_memory(inst.op)) continue;
    const InstId place = kernel_.operands_of(inst)[0];
    const auto home = declared_.find(place);
    if (home == declared_.end()) continue;
    const auto [only, first] = only_stores_.try_emplace(place, InstId::None);
    if (first && inst.op == Op::Store && home->second == block) {
      only->second = id;
    } else if (inst.op != Op::Load) {
      only->second = InstId::None;
    }
  }
}

void Divergence::find_shared_arrays() {
  std::unordered_set<uint32_t> changed;
  const auto look = [&](InstId id, bool in_body) {
    const Inst& inst = kernel_[id];
    if (!ir::accesses_memory(inst.op) || inst.op == Op::Load) return;
    const InstId place = kernel_.operands_of(inst)[0];
    if (kernel_[place].op != Op::ElementPtr) return;
    const uint32_t array = kernel_[place].aux;
    if (!in_body || !is_own_element(place)) shared_.insert(array);
    changed.insert(array);
  };
  ir::walk(kernel_, task_.body, [&](InstId id) { look(id, true); });
  ir::walk_reached(kernel_, task_, [&](InstId id) { look(id, false); });
  for (uint32_t array : changed) {
    const auto is_it = [&](uint32_t other) { return other != array && ir::may_be_same_memory(kernel_, array, other); };
    if (std::ranges::any_of(changed, is_it)) shared_.insert(array);
  }
}

bool Divergence::is_own_element(InstId place) const {
  if (kernel_[place].op != Op::ElementPtr) return false;
  const auto indices = kernel_.operands_of(place);
  const size_t axes = task_.bounds.size() / 2;
  if (static_cast<size_t>(kernel_.arrays[kernel_[place].aux].rank) != axes) return false;
  for (uint32_t axis = 0; axis < axes; ++axis) {
    const Inst& index = kernel_[indices[axis]];
    if (index.op != Op::LoopIndex || index.aux_inst() != task_.loop || index.axis() != axis) return false;
  }
  return true;
}

/// Variables of the task's part have a sum for each lane.
void Divergence::vary_sums(BlockId block) {
  for (InstId id : kernel_[block]) {
    for (InstId operand : kernel_.operands_of(id)) {
      if (kernel_[operand].op == Op::Alloca && !declared_.contains(operand)) vary(operand);
    }
    for (BlockId inner : kernel_[id].blocks) {
      if (inner != BlockId::None) vary_sums(inner);
    }
  }
}

void Divergence::find_last_reads() {
  size_t number = 0;
  const auto visit_reads = [&](auto&& self, BlockId block) -> void {
    for (InstId id : kernel_[block]) {
      const Inst& inst = kernel_[id];
      ++number;
      if (ir::has_effect(inst.op, ir::kReads) && ir::accesses_memory(inst.op))
        last_reads_[variable(kernel_.operands_of(id)[0])] = number;
      for (BlockId inner : inst.blocks) {
        if (inner != BlockId::None) self(self, inner);
      }
      loop_ends_[id] = number;
    }
  };
  visit_reads(visit_reads, task_.body);
}

void Divergence::visit(BlockId block) {
  for (InstId id : kernel_[block]) {
    visit(id, block);
    for (BlockId inner : kernel_[id].blocks) {
      if (inner != BlockId::None) visit(inner);
    }
  }
}

void Divergence::visit(InstId id, BlockId block) {
  const Inst& inst = kernel_[id];
  switch (inst.op) {
    case Op::If:
    case Op::For:
      if (!operands_uniform(inst)) diverge(id);
      return;
    case Op::Break:
    case Op::Continue: visit_jump(block); return;
    case Op::Store: change_variable(inst, block); return;
    case Op::AtomicRmw:
      change_variable(inst, block);
      set(id, step_of(id));
      return;
    case Op::Alloca: return;
    default: set(id, step_of(id)); return;
  }
}

/// A jump by which only some lanes go makes its loop diverge; and in a loop that diverges, other jumps are taken by the
/// lanes that are left.
void Divergence::visit_jump(BlockId block) {
  std::vector<BlockId> left;
  bool some = false;
  const bool continues = kernel_[kernel_[block].back()].op == Op::Continue;
  for (BlockId inner = block;;) {
    const Around& around = around_.at(inner);
    left.push_back(inner);
    if (around.control == InstId::None) {
      some = true;  // the end of an iteration of the task
      break;
    }
    some |= diverges(around.control);
    if (kernel_[around.control].op != Op::If) {
      if (continues) continued_.insert(around.control);
      if (some) diverge(around.control);
      break;
    }
    inner = around.block;
  }
  if (!some) return;
  for (BlockId each : left) changed_ |= narrowing_.insert(each).second;
}

/// A variable varies where lanes store different numbers, or not all lanes that have it store.
void Divergence::change_variable(const Inst& inst, BlockId block) {
  const auto operands = kernel_.operands_of(inst);
  const InstId place = variable(operands[0]);
  const auto home = declared_.find(place);
  if (home == declared_.end()) return;
  const bool same_place = operands[0] == place || is_uniform(operands[0]);
  if (!same_place || !operands_uniform(inst, 1) || diverges_between(home->second, block)) vary(place);
}

InstId Divergence::variable(InstId place) const {
  return kernel_[place].op == Op::LocalPtr ? kernel_.operands_of(place)[0] : place;
}

bool Divergence::reaches_all(BlockId block, InstId place) const {
  const auto home = declared_.find(variable(place));
  if (home == declared_.end()) return false;
  InstId outermost = InstId::None;  // loop
  InstId left = InstId::None;       // the only control by which lanes are missing
  while (block != home->second) {
    const Around& around = around_.at(block);
    const bool is_loop = kernel_[around.control].op != Op::If;
    if (is_loop) outermost = around.control;
    if (diverges(around.control)) {
      if (!is_loop || left != InstId::None || continued_.contains(around.control)) return false;
      left = around.control;
    }
    block = around.block;
  }
  if (left == InstId::None) return true;
  const auto read = last_reads_.find(home->first);
  return left == outermost && (read == last_reads_.end() || read->second <= loop_ends_.at(left));
}

bool Divergence::diverges_between(BlockId outer, BlockId inner) const {
  while (inner != outer) {
    const Around& around = around_.at(inner);
    if (diverges(around.control)) return true;
    inner = around.block;
  }
  return false;
}

bool Divergence::operands_uniform(const Inst& inst, size_t from) const {
  return std::ranges::all_of(kernel_.operands_of(inst).subspan(from), [&](InstId id) { return is_uniform(id); });
}

std::optional<int64_t> Divergence::step_of(InstId id) const {
  const Inst& inst = kernel_[id];
  const auto operands = kernel_.operands_of(inst);
  const auto uniform_if = [](bool holds) { return holds ? std::optional<int64_t>(0) : std::nullopt; };
  switch (inst.op) {
    case Op::Const:
    case Op::Arg:
    case Op::Shape:
    case Op::GlobalTemp: return 0;
    case Op::LoopIndex: return index_step(inst);
    case Op::Iteration: return 1;
    case Op::Binary: return binary_step(inst);
    case Op::Cast: {
      // An index of the task never wraps.
      const Inst& from = kernel_[operands[0]];
      const bool wider = ir::is_integer(inst.type) && ir::bit_width(inst.type) >= ir::bit_width(from.type);
      if (from.op == Op::LoopIndex && wider) return step(operands[0]);
      return uniform_if(operands_uniform(inst));
    }
    case Op::Unary:
    case Op::Compare:
    case Op::BitCast:
    case Op::Select:
    case Op::Pick:
    case Op::Fma:
    case Op::StopGrad:
    case Op::ElementPtr:
    case Op::LocalPtr: return uniform_if(operands_uniform(inst));
    case Op::Load: {
      if (const auto value = only_value(id)) return step(*value);
      return uniform_if(is_uniform(operands[0]));
    }
    case Op::AtomicRmw: {
      return uniform_if(is_variable(operands[0]) && is_uniform(operands[0]));
    }
    default: return std::nullopt;
  }
}

std::optional<int64_t> Divergence::index_step(const Inst& index) const {
  const InstId loop = index.aux_inst();
  if (loop == task_.loop) return index.axis() + 1 == task_.bounds.size() / 2 ? 1 : 0;
  // Lanes step together: those that leave earlier ask no more.
  if (is_uniform(kernel_.operands_of(loop)[2 * index.axis()])) return 0;
  return std::nullopt;
}

std::optional<int64_t> Divergence::binary_step(const Inst& inst) const {
  const auto operands = kernel_.operands_of(inst);
  const std::optional<int64_t> x = step(operands[0]), y = step(operands[1]);
  if (!x || !y) return std::nullopt;
  if (*x == 0 && *y == 0) return 0;
  if (!ir::is_integer(inst.type) || inst.type == ir::Type::U1) return std::nullopt;
  const auto wrapped = [](uint64_t bits) { return static_cast<int64_t>(bits); };
  const uint64_t a = static_cast<uint64_t>(*x), b = static_cast<uint64_t>(*y);
  if (inst.binary_op() == BinaryOp::Add) return wrapped(a + b);
  if (inst.binary_op() == BinaryOp::Sub) return wrapped(a - b);
  if (inst.binary_op() == BinaryOp::Mul) {
    const Inst &first = kernel_[operands[0]], &second = kernel_[operands[1]];
    if (second.op == Op::Const) return wrapped(a * second.imm);
    if (first.op == Op::Const) return wrapped(first.imm * b);
  }
  return std::nullopt;
}

void Divergence::set(InstId value, std::optional<int64_t> step) {
  if (step == this->step(value)) return;
  steps_[value] = step;
  changed_ = true;
}

}  // namespace qd::passes
