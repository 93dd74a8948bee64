// The code of a block, and the instructions in its pieces.
#include "runtime/passes/block_cutter.h"

namespace qd::passes {

using ir::BinaryOp;
using ir::BlockId;
using ir::Builder;
using ir::Inst;
using ir::InstId;
using ir::Op;
using ir::Type;

void become(ir::Kernel& kernel, InstId id, const Inst& other, std::initializer_list<InstId> operands) {
  Inst& inst = kernel[id];
  const uint32_t location = inst.location;
  inst = other;
  inst.location = location;
  inst.operand_begin = static_cast<uint32_t>(kernel.operands.size());
  inst.operand_count = static_cast<uint16_t>(operands.size());
  kernel.operands.insert(kernel.operands.end(), operands);
}

BlockId BlockCutter::run(const std::vector<InstId>& body, InstId loop, const BlockRange& range) {
  loops_.location = body.empty() ? 0 : kernel_[body[0]].location;
  return loops_.nested([&] {
    Builder build = loops_.at_level();
    const InstId block = build.inst(Op::LoopIndex, range.block_type(), {}, static_cast<uint32_t>(loop));
    first_ = range.first_of_block(build, block, block_dim_);
    range_ = &range;
    if (!pieces_.meets()) loops_.set_threads(range.threads_of_block(build, first_, block_dim_));
    const size_t begin = loops_.level().size();
    sequence(body);
    loops_.close();
    reset(begin);
  });
}

InstId BlockCutter::element(Builder& build, InstId array, InstId index) {
  return ThreadLoops::element(build, kernel_, array, index);
}

void BlockCutter::close() {
  loops_.close();
  piece_++;
}

void BlockCutter::sequence(const std::vector<InstId>& insts) {
  for (InstId id : insts) {
    loops_.location = kernel_[id].location;
    if (pieces_.cuts(id)) {
      cut(id);
    } else if (pieces_.uniform(id)) {
      loops_.level().push_back(id);
    } else {
      open();
      move(id, loops_.insts());
    }
  }
}

void BlockCutter::cut(InstId id) {
  switch (kernel_[id].op) {
    case Op::Together: return together(id);
    case Op::Shuffle: return shuffle(id);
    case Op::Ballot: return ballot(id);
    case Op::If: return branch(id);
    case Op::Loop: return loop(id);
    case Op::For: return pieces_.runs_alike(id) ? loop_of_block(id) : loop_of_threads(id);
    default: return close();
  }
}

void BlockCutter::reset(size_t begin) {
  std::vector<InstId> after(loops_.level().begin() + static_cast<ptrdiff_t>(begin), loops_.level().end());
  loops_.level().resize(begin);
  if (loops_.has_off()) clear(loops_.off());
  for (const auto& [condition, array] : told_) clear(array);
  loops_.level().insert(loops_.level().end(), after.begin(), after.end());
}

void BlockCutter::clear(InstId array) {
  loops_.each([&](Builder& build, InstId thread) {
    build.store(element(build, array, thread), build.constant(type(array), 0));
  });
}

// --- instructions in pieces ---

void BlockCutter::move(InstId id, std::vector<InstId>& out) {
  const Inst inst = kernel_[id];
  if (pieces_.of_thread(id)) return;
  switch (inst.op) {
    case Op::Alloca:
      if (pieces_.spread(id)) return zero(id, out);
      break;
    case Op::Fence:
      if (inst.scope() != ir::Scope::Device) return;
      break;
    case Op::Condition:
      if (tell_later(id, out)) return;
      break;
    case Op::Decide: tell(id, out); break;
    case Op::Break:
    case Op::Continue:
      if (inner_loops_ == 0) return jump(inst, out);
      break;
    case Op::LocalPtr:
      if (spread_base(id)) return place_in_spread(id, out);
      break;
    default: break;
  }
  for (uint32_t i = 0; i < inst.operand_count; i++) {
    const InstId value = resolve(kernel_.operands[inst.operand_begin + i]);
    kernel_.operands[inst.operand_begin + i] = value;
  }
  const bool is_loop = inst.op == Op::Loop || inst.op == Op::For;
  inner_loops_ += is_loop;
  for (BlockId inner : inst.blocks) {
    if (inner == BlockId::None) continue;
    const std::vector<InstId> before = std::move(kernel_[inner]);
    std::vector<InstId> after;
    for (InstId nested : before) move(nested, after);
    kernel_[inner] = std::move(after);
  }
  inner_loops_ -= is_loop;
  out.push_back(id);
  keep(id, out);
}

void BlockCutter::keep(InstId id, std::vector<InstId>& out) {
  if (!pieces_.kept(id)) return;
  Builder build(kernel_, out, loops_.location);
  build.store(element(build, array_of(id), loops_.thread()), id);
}

InstId BlockCutter::array_of(InstId id) {
  InstId& array = arrays_.try_emplace(id, InstId::None).first->second;
  if (array == InstId::None) array = loops_.array(type(id));
  return array;
}

InstId BlockCutter::resolve(InstId id) {
  if (static_cast<uint32_t>(id) >= before_.size() || pieces_.visible(id)) return id;
  const Inst inst = before(id);
  const bool spread = inst.op == Op::Alloca && pieces_.spread(id);
  if (pieces_.of_thread(id)) return loops_.copy(id, [&] { return of_thread(inst); });
  if (!spread && pieces_.piece(id) == piece_) return id;
  return loops_.copy(id, [&] {
    Builder build = loops_.in_front();
    if (spread) return element(build, spread_array(id), loops_.thread());
    if (ir::result_kind(inst.op) != ir::ResultKind::Pointer)
      return build.load(element(build, array_of(id), loops_.thread()));
    if (spread_base(id)) return spread_element(id, build);
    std::vector<InstId> operands;
    for (uint32_t i = 0; i < inst.operand_count; i++) operands.push_back(resolve(operand_before(id, i)));
    return build.like(inst, operands);
  });
}

InstId BlockCutter::of_thread(const Inst& inst) {
  Builder build = loops_.in_front();
  switch (inst.op) {
    case Op::Thread: return loops_.thread();
    case Op::Lane:
      return build.binary(BinaryOp::BitAnd, loops_.thread(), build.constant(Type::I32, bits(subgroup_ - 1)));
    case Op::Iteration: return range_->iteration(build, first_, loops_.thread());
    default: break;
  }
  if (inst.aux_inst() == task_loop_) return range_->index(build, first_, loops_.thread(), inst.axis());
  return build.load(element(build, own_.at(inst.aux_inst()).index[inst.axis()], loops_.thread()));
}

// --- variables that several pieces use ---

InstId BlockCutter::spread_array(InstId variable) {
  InstId& array = arrays_.try_emplace(variable, InstId::None).first->second;
  if (array == InstId::None)
    array = loops_.array(before(variable).type, std::max<uint32_t>(1, before(variable).length()));
  return array;
}

bool BlockCutter::spread_base(InstId pointer) const {
  if (before(pointer).op != Op::LocalPtr) return false;
  const InstId base = operand_before(pointer, 0);
  return before(base).op == Op::Alloca && pieces_.spread(base);
}

InstId BlockCutter::spread_element(InstId pointer, Builder& build) {
  const InstId array = spread_array(operand_before(pointer, 0));
  const InstId index = resolve(operand_before(pointer, 1));
  const InstId row = build.binary(BinaryOp::Mul, index, build.constant(Type::I32, bits(block_dim_)));
  return element(build, array, build.binary(BinaryOp::Add, row, loops_.thread()));
}

void BlockCutter::place_in_spread(InstId id, std::vector<InstId>& out) {
  Builder build(kernel_, out, loops_.location);
  const InstId made = spread_element(id, build);
  become(kernel_, id, kernel_[made], {kernel_.operands_of(made)[0], kernel_.operands_of(made)[1]});
  out.back() = id;
}

void BlockCutter::zero(InstId variable, std::vector<InstId>& out) {
  const InstId array = spread_array(variable);
  const auto length = static_cast<int64_t>(before(variable).length());
  Builder build(kernel_, out, loops_.location);
  const InstId none = build.constant(before(variable).type, 0);
  if (length == 0) return build.store(element(build, array, loops_.thread()), none);
  const InstId loop = build.inst(Op::For, Type::Void,
                                 {build.constant(Type::I32, 0), build.constant(Type::I32, bits(length))}, serial_row());
  const BlockId block = kernel_.add_block();
  Builder inside(kernel_, block, loops_.location);
  const InstId index = inside.inst(Op::LoopIndex, Type::I32, {}, static_cast<uint32_t>(loop));
  const InstId row = inside.binary(BinaryOp::Mul, index, inside.constant(Type::I32, bits(block_dim_)));
  inside.store(element(inside, array, inside.binary(BinaryOp::Add, row, loops_.thread())), none);
  kernel_[loop].blocks[0] = block;
}

}  // namespace qd::passes
