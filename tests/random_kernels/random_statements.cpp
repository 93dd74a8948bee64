// Statements, and the loops in them.
#include <algorithm>

#include "tests/random_kernels/random_code.h"

namespace qd::testing {

using ir::AtomicOp;
using ir::BinaryOp;
using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::Type;

void RandomCode::statements(BlockId block, int count, int depth) {
  const BlockId outer = std::exchange(block_, block);
  const size_t mark = scope_.size();
  for (int i = 0; i < count; i++) statement(depth);
  probe();
  scope_.resize(mark);
  block_ = outer;
}

void RandomCode::statement(int depth) {
  probe();
  if (chance(5)) call();
  if (draws_ && depth > 0 && chance(2)) return drawn_statement(depth);
  switch (below(depth > 0 ? 12 : 8)) {
    case 0:
    case 1: variable(); return;
    case 2:
    case 3: store(); return;
    case 4:
    case 5:
    case 6: atomic(); return;
    case 7: output(); return;
    case 8:
    case 9: branch(depth); return;
    case 10: counted_loop(depth); return;
    default: serial_for(depth); return;
  }
}

void RandomCode::drawn_statement(int depth) {
  switch (below(7)) {
    case 0:
    case 1:
    case 2: branch(depth); return;
    case 3:
    case 4: drawn_for(depth); return;
    case 5: while_loop(depth); return;
    default: endless_loop(depth); return;
  }
}

void RandomCode::variable() {
  const Type type = kTypes[below(3)];
  const InstId first = value(type, 2);
  const InstId id = inst(Op::Alloca, type, 0, {});
  inst(Op::Store, Type::Void, 0, {id, first});
  scope_.push_back(id);
  if (!in_parallel() && block_ == top_) shared_.push_back(id);
}

void RandomCode::store() {
  const Type type = kTypes[below(3)];
  const InstId what = value(type, 2);
  const InstId pointer = place(type, true, true, 2);
  if (pointer != InstId::None) inst(Op::Store, Type::Void, 0, {pointer, what});
}

void RandomCode::atomic() {
  const Type type = kTypes[below(whole_ ? 2 : 3)];
  const InstId what = value(type, 2);
  const InstId pointer = place(type, false, true, 2);
  if (pointer == InstId::None) return;
  InstId old;
  if (type != Type::F32 && chance(4)) {
    old = inst(Op::AtomicCas, type, 0, {pointer, value(type, 1), what});
  } else {
    constexpr AtomicOp kFloats[] = {AtomicOp::Add, AtomicOp::Sub, AtomicOp::Mul,
                                    AtomicOp::Min, AtomicOp::Max, AtomicOp::Exchange};
    const AtomicOp op = type == Type::F32 ? kFloats[below(6)] : static_cast<AtomicOp>(below(9));
    old = inst(Op::AtomicRmw, type, static_cast<uint32_t>(op), {pointer, what});
  }
  // Mostly, the old value is not used.
  if (chance(4)) scope_.push_back(old);
}

void RandomCode::output() {
  if (!asserts_ || chance(2)) {
    inst(Op::Print, Type::Void, 0, {value(Type::I32, 1), value(Type::F32, 1)});
  } else {
    // Most hold.
    const InstId condition = draws_ ? drawn(31) : chance(2) ? value(Type::U1, 2) : constant(Type::U1, 1);
    inst(Op::Assert, Type::Void, 1, {condition});
  }
}

void RandomCode::branch(int depth) {
  const InstId id = inst(Op::If, Type::Void, 0, {draws_ && !chance(3) ? drawn(below(33)) : value(Type::U1, 2)});
  const BlockId yes = k_.add_block();
  const BlockId no = k_.add_block();
  k_[id].blocks = {yes, no};
  statements(yes, below(3), depth - 1);
  if (may_leave_ && chance(draws_ ? 4 : 2)) {
    ir::Builder(k_, yes).inst(may_break_ && chance(2) ? Op::Break : Op::Continue, Type::Void);
  }
  if (chance(2)) statements(no, below(3), depth - 1);
}

void RandomCode::counted_loop(int depth) {
  const InstId counter = inst(Op::Alloca, Type::I32, 0, {});
  inst(Op::Store, Type::Void, 0, {counter, constant(Type::I32, 0)});
  const InstId limit = constant(Type::I32, below(4));
  const InstId loop = inst(Op::Loop, Type::Void, 0, {});
  const BlockId body = k_.add_block();
  k_[loop].blocks[0] = body;
  const BlockId outer = std::exchange(block_, body);
  const InstId turn = inst(Op::Load, Type::I32, 0, {counter});
  const InstId done = inst(Op::If, Type::Void, 0,
                           {inst(Op::Compare, Type::U1, static_cast<uint32_t>(ir::CompareOp::Ge), {turn, limit})});
  const BlockId leave = k_.add_block();
  const BlockId stay = k_.add_block();
  k_[done].blocks = {leave, stay};
  ir::Builder(k_, leave).inst(Op::Break, Type::Void);
  const InstId one = constant(Type::I32, 1);
  inst(Op::Store, Type::Void, 0,
       {counter, inst(Op::Binary, Type::I32, static_cast<uint32_t>(BinaryOp::Add), {turn, one})});
  block_ = outer;
  in_loop(true, [&] { statements(body, 1 + below(3), depth - 1); });
}

InstId RandomCode::drawn(int often) {
  const InstId number = inst(Op::Random, Type::U32, 0, {});
  const InstId part =
      inst(Op::Binary, Type::U32, static_cast<uint32_t>(BinaryOp::BitAnd), {number, constant(Type::U32, 31)});
  return inst(Op::Compare, Type::U1, static_cast<uint32_t>(ir::CompareOp::Lt), {part, constant(Type::U32, often)});
}

InstId RandomCode::drawn_number() {
  const InstId number = inst(Op::Random, Type::U32, 0, {});
  return inst(Op::Cast, Type::I32, 0,
              {inst(Op::Binary, Type::U32, static_cast<uint32_t>(BinaryOp::Mod), {number, constant(Type::U32, 5)})});
}

bool RandomCode::breaks(BlockId block) const {
  return std::ranges::any_of(k_[block], [&](InstId id) {
    const ir::Inst& inst = k_[id];
    return inst.op == Op::Break || (inst.op == Op::If && (breaks(inst.blocks[0]) || breaks(inst.blocks[1])));
  });
}

void RandomCode::drawn_for(int depth) {
  std::vector<InstId> bounds;
  const size_t rank = 1 + static_cast<size_t>(below(2));
  for (size_t axis = 0; axis < rank; axis++) {
    const Type counts = count_type();
    for (size_t i = 0; i < 2; i++) bounds.push_back(converted(drawn_number(), counts));
  }
  const InstId id = inst(Op::For, Type::Void, loop_info(false), bounds);
  k_[id].blocks[0] = k_.add_block();
  const InstId loop = std::exchange(loop_, id);
  const size_t outer_rank = std::exchange(loop_rank_, rank);
  in_loop(chance(2), [&] { statements(k_[id].blocks[0], 1 + below(3), depth - 1); });
  loop_ = loop;
  loop_rank_ = outer_rank;
  if (!breaks(k_[id].blocks[0])) return;
  const BlockId exhausted = k_.add_block();
  k_[id].blocks[1] = exhausted;
  const BlockId outer = std::exchange(block_, exhausted);
  probe();
  block_ = outer;
}

void RandomCode::while_loop(int depth) {
  const InstId loop = inst(Op::Loop, Type::Void, 0, {});
  const BlockId body = k_.add_block();
  k_[loop].blocks[0] = body;
  const BlockId outer = std::exchange(block_, body);
  const InstId left = inst(Op::If, Type::Void, 0, {drawn(12)});
  leave(left);
  block_ = outer;
  in_loop(true, [&] { statements(body, 1 + below(3), depth - 1); });
}

void RandomCode::endless_loop(int depth) {
  const InstId loop = inst(Op::Loop, Type::Void, 0, {});
  const BlockId body = k_.add_block();
  k_[loop].blocks[0] = body;
  in_loop(true, [&] { statements(body, 1 + below(3), depth - 1); });
  const BlockId outer = std::exchange(block_, body);
  leave(inst(Op::If, Type::Void, 0, {drawn(16)}));
  block_ = outer;
}

void RandomCode::leave(InstId branch) {
  const BlockId yes = k_.add_block();
  const BlockId no = k_.add_block();
  k_[branch].blocks = {yes, no};
  const BlockId outer = std::exchange(block_, yes);
  probe();
  inst(Op::Break, Type::Void, 0, {});
  block_ = outer;
}

void RandomCode::reductions(BlockId block) {
  const BlockId outer = std::exchange(block_, block);
  const size_t mark = scope_.size();
  for (InstId variable : shared_) {
    const Type type = k_[variable].type;
    if (!atomic_variables_.contains(variable) || type == Type::F32 || chance(2)) continue;
    const InstId what = value(type, 2);
    inst(Op::AtomicRmw, type, static_cast<uint32_t>(below(9)), {variable, what});
  }
  scope_.resize(mark);
  block_ = outer;
}

Type RandomCode::count_type() {
  constexpr Type kWide[] = {Type::U32, Type::I64, Type::U64};
  return chance(3) ? kWide[below(3)] : Type::I32;
}

InstId RandomCode::converted(InstId number, Type type) {
  return k_[number].type == type ? number : inst(Op::Cast, type, 0, {number});
}

InstId RandomCode::loop_index(InstId loop, uint64_t axis) {
  const Type counts = k_[k_.operands_of(loop)[2 * axis]].type;
  return inst(Op::LoopIndex, counts, static_cast<uint32_t>(loop), {}, axis);
}

uint32_t RandomCode::loop_info(bool parallel) {
  k_.loops.push_back(
      {.parallel = parallel, .block_dim = chance(3) ? 32 : 0, .name = parallel && chance(5) ? "named" : ""});
  return static_cast<uint32_t>(k_.loops.size() - 1);
}

void RandomCode::serial_for(int depth) {
  // Inside of other statements the mark `parallel` means nothing.
  const bool top = block_ == top_;
  const Type counts = count_type();
  const int64_t first = counts == Type::I64 ? int64_t{-1} << 40 : counts == Type::I32 ? 0 : int64_t{1} << 31;
  const InstId begin = constant(counts, first + below(3) - 1);
  const InstId end = constant(counts, first + below(4));
  const InstId id = inst(Op::For, Type::Void, loop_info(!top && chance(2)), {begin, end});
  k_[id].blocks[0] = k_.add_block();
  const InstId loop = std::exchange(loop_, id);
  const size_t rank = std::exchange(loop_rank_, 1);
  in_loop(true, [&] { statements(k_[id].blocks[0], 1 + below(3), depth - 1); });
  loop_ = loop;
  loop_rank_ = rank;
}

}  // namespace qd::testing
