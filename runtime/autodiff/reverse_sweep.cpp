#include "runtime/autodiff/reverse_sweep.h"

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/autodiff/autodiff.h"
#include "runtime/autodiff/derivatives.h"

namespace qd::autodiff {

using ir::AtomicOp;
using ir::BlockId;
using ir::Derivative;
using ir::Inst;
using ir::InstId;
using ir::Op;
using ir::Type;

ReverseSweep::ReverseSweep(const Primal& primal, mathematics::Notation& notation)
    : primal_(primal),
      kernel_(primal.kernel()),
      notation_(notation),
      blocks_(primal.blocks(), BlockId::None),
      adjoints_(primal.blocks()),
      lines_(primal.blocks()) {
  block(kernel_.body);
}

InstId ReverseSweep::origin(InstId reversed) const {
  const auto found = origins_.find(reversed);
  return found == origins_.end() ? InstId::None : found->second;
}

/// Reverses a block. False where no derivative passes through it.
bool ReverseSweep::block(BlockId id) {
  if (id == BlockId::None) return false;
  const BlockId target = kernel_.add_block();
  const BlockId before = std::exchange(current_, id);
  ir::Builder::Scope scope(build());
  const std::vector<InstId> list = kernel_[id];
  for (size_t i = list.size(); i-- > 0;) {
    build().set_block(target);
    build().set_location(kernel_[list[i]].location);
    inst(list[i]);
  }
  current_ = before;
  if (kernel_[target].empty()) return false;
  blocks_[static_cast<size_t>(id)] = target;
  return true;
}

void ReverseSweep::inst(InstId id) {
  switch (row(kernel_[id].op).derivative) {
    case Derivative::Memory: return access(id);
    case Derivative::Operator:
    case Derivative::Select:
    case Derivative::Pick:
    case Derivative::Fma:
    case Derivative::Cast:
      if (primal_.is_active(id)) operation(id);
      return;
    case Derivative::Control: break;
    case Derivative::None:
    case Derivative::Zero:
    case Derivative::Place:
    case Derivative::Linear: return;
  }
  switch (kernel_[id].op) {
    case Op::If:
    case Op::Region: return branches(id);
    case Op::For:
    case Op::Loop: return loop_of(id);
    default: return;
  }
}

/// Notes that a derivative passes through an instruction of the block that is being reversed.
void ReverseSweep::add_line(InstId id) {
  const uint32_t location = kernel_[id].location;
  if (!primal_.has_derivative(kernel_.locations[location])) return;
  auto place = [&](uint32_t of) { return std::pair(kernel_.locations[of].function, kernel_.locations[of].line); };
  std::vector<uint32_t>& lines = lines_[static_cast<size_t>(current_)];
  if (std::ranges::find(lines, place(location), place) == lines.end()) lines.push_back(location);
}

/// The adjoint of a value, behind all of its uses; nothing where it is zero.
std::optional<mathematics::Value> ReverseSweep::adjoint(InstId id) {
  std::optional<Value> sum;
  if (const auto found = sums_.find(id); found != sums_.end()) sum = found->second;
  if (const auto found = variables_.find(id); found != variables_.end()) {
    const Value inside = value(build().load(found->second));
    sum = sum ? *sum + inside : inside;
  }
  return sum;
}

void ReverseSweep::add(InstId id, Value amount) {
  const BlockId home = primal_.block_of(id);
  if (home == current_) {
    const auto [found, fresh] = sums_.try_emplace(id, amount);
    if (!fresh) found->second = found->second + amount;
    return;
  }
  auto found = variables_.find(id);
  if (found == variables_.end())
    found = variables_.emplace(id, adjoint_variable(home, {.type = kernel_[id].type})).first;
  add_to(found->second, home, amount);
}

/// Adds to a variable of the reverse block of `home`, or to an element of it. In a parallel loop, other threads may,
/// too.
void ReverseSweep::add_to(InstId place, BlockId home, Value amount) {
  if (primal_[home].root == primal_[current_].root) {
    build().store(place, (value(build().load(place)) + amount).id());
  } else {
    build().atomic(AtomicOp::Add, place, amount.id());
  }
}

InstId ReverseSweep::adjoint_variable(BlockId home, const Inst& like) {
  ir::Builder start(kernel_, adjoints_[static_cast<size_t>(home)], build().location());
  return start.inst(Op::Alloca, like.type, {}, 0, like.imm);
}

/// The place of the adjoint of the number at an active place.
InstId ReverseSweep::adjoint_place(InstId place) {
  Inst inst = kernel_[place];
  if (inst.op == Op::LocalPtr) {
    const std::vector<InstId> operands = primal_.operands(place);
    return build().inst(Op::LocalPtr, inst.type, {adjoint_place(operands[0]), operands[1]});
  }
  if (inst.op == Op::ElementPtr) {
    inst.aux = kernel_.arrays[inst.aux].gradient;
    return build().like(inst, primal_.operands(place));
  }
  const auto found = places_.find(place);
  if (found != places_.end()) return found->second;
  return places_[place] = adjoint_variable(primal_.block_of(place), inst);
}

void ReverseSweep::operation(InstId id) {
  const std::optional<Value> d = adjoint(id);
  if (!d) return;
  const std::vector<InstId> operands = primal_.operands(id);
  for (size_t n = 0; n < operands.size(); ++n) {
    if (!primal_.is_active(operands[n]) || is_constant_in(kernel_, id, n)) continue;
    const auto product = derivative_product(notation_, id, n, *d, kernel_[operands[n]].type);
    if (!product) continue;
    add(operands[n], *product);
    add_line(id);
  }
}

/// A Load gives its adjoint to that of its place. A Store takes the adjoint of its place for its number, and leaves
/// none for what was there before. An Exchange is a Load and a Store, another atomic operation a Load and an addition.
void ReverseSweep::access(InstId id) {
  const Inst inst = kernel_[id];
  const std::vector<InstId> operands = primal_.operands(id);
  if (!primal_.is_active(operands[0])) return;
  const bool element = primal_.is_element(operands[0]);
  const std::optional<Value> read = ir::has_value(inst.op) ? adjoint(id) : std::nullopt;
  const bool writes = inst.op != Op::Load;
  const bool replaces = inst.op == Op::Store || (inst.op == Op::AtomicRmw && inst.atomic_op() == AtomicOp::Exchange);
  if (!read && !replaces && !(writes && primal_.is_active(operands[1]))) return;
  const InstId place = adjoint_place(operands[0]);
  if (writes && primal_.is_active(operands[1])) {
    const Value written = value(build().load(place));
    add(operands[1], !replaces && inst.atomic_op() == AtomicOp::Sub ? -written : written);
    add_line(id);
  }
  if (replaces)
    build().store(place, notation_.constant(inst.op == Op::Store ? kernel_[place].type : inst.type, 0.0).id());
  if (!read) return;
  add_line(id);
  if (element) {
    build().atomic(AtomicOp::Add, place, read->id());
  } else {
    add_to(place, primal_.block_of(primal_.variable_of(operands[0])), *read);
  }
}

void ReverseSweep::branches(InstId id) {
  Inst reversed = kernel_[id];
  for (BlockId& inner : reversed.blocks) {
    const BlockId primal = inner;
    inner = block(primal) ? of(primal) : BlockId::None;
  }
  if (reversed.blocks[0] == BlockId::None && reversed.blocks[1] == BlockId::None) return;
  if (reversed.op == Op::Region && reversed.group())
    throw NoDerivative{id, "has no gradient: sections that run beside each other are not differentiated"};
  for (BlockId& inner : reversed.blocks) {
    if (inner == BlockId::None && reversed.op == Op::If) inner = kernel_.add_block();
  }
  origins_[build().like(reversed, primal_.operands(id))] = id;
}

void ReverseSweep::loop_of(InstId id) {
  const BlockId body = kernel_[id].blocks[0];
  if (!block(body)) return;
  Inst reversed = kernel_[id];
  reversed.blocks = {of(body), BlockId::None};
  std::vector<InstId> bounds = primal_.operands(id);
  if (const CountedLoop* counted = primal_.counted(id)) bounds = {notation_.whole(Type::I64, 0).id(), counted->count};
  const ir::LoopInfo info =
      reversed.op == Op::For ? kernel_.loops[reversed.aux] : ir::LoopInfo{.parallel = false, .name = {}};
  reversed.op = Op::For;
  reversed.aux = static_cast<uint32_t>(kernel_.loops.size());
  kernel_.loops.push_back(info);
  const InstId loop = build().like(reversed, bounds);
  origins_[loop] = id;
  loops_[id] = loop;
}

}  // namespace qd::autodiff
