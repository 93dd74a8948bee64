// If, Loop and For. The control flow of the IR is structured as SPIR-V wants it; a construct that nothing leaves at its
// end merges in a block that is never reached.
#include <utility>

#include "runtime/codegen/spirv/function_emitter.h"

namespace qd::codegen::spirv {

void FunctionEmitter::emit_if(const ir::Inst& inst) {
  const Id merge = code_.label();
  Id arms[2];
  for (size_t i = 0; i < 2; ++i) {
    const bool empty = inst.blocks[i] == ir::BlockId::None || kernel_[inst.blocks[i]].empty();
    arms[i] = empty ? merge : code_.label();
  }
  if (arms[0] == arms[1]) return;
  code_.choose(value(kernel_.operands_of(inst)[0]), arms[0], arms[1], merge);
  const bool together = all_threads_here_;
  bool merges = arms[0] == merge || arms[1] == merge;
  for (size_t i = 0; i < 2; ++i) {
    if (arms[i] == merge) continue;
    code_.begin(arms[i]);
    all_threads_here_ = inst.blocks[i] == body_of_all_;
    emit_block(inst.blocks[i]);
    if (code_.ended()) continue;
    merges = true;
    code_.branch(merge);
  }
  all_threads_here_ = together;
  code_.begin(merge);
  if (!merges) code_.unreachable();
}

void FunctionEmitter::emit_loop(const ir::Inst& inst) {
  const Id header = code_.label(), body = code_.label();
  loops_.push_back({code_.label(), code_.label()});
  code_.branch(header);
  code_.begin(header);
  code_.loop(loops_.back().broken, loops_.back().next, body);
  code_.begin(body);
  const bool together = std::exchange(all_threads_here_, false);
  emit_block(inst.blocks[0]);
  all_threads_here_ = together;
  const Loop loop = loops_.back();
  loops_.pop_back();
  if (!code_.ended()) code_.branch(loop.next);
  code_.begin(loop.next);
  code_.branch(header);
  code_.begin(loop.broken);
  if (!loop.breaks) code_.unreachable();
}

/// Emits one loop for all axes, so that a Break leaves all of them. Behind an iteration the last index is counted up;
/// at its end it begins anew, and the one before it is counted up.
void FunctionEmitter::emit_for(ir::InstId id, const ir::Inst& inst) {
  auto operands = kernel_.operands_of(inst);
  const size_t axes = operands.size() / 2;
  auto begin = [&](size_t axis) { return value(operands[2 * axis]); };
  auto end = [&](size_t axis) { return value(operands[2 * axis + 1]); };
  auto counts = [&](size_t axis) { return kernel_[operands[2 * axis]].type; };
  auto below = [&](size_t axis, Id index) {
    return arithmetic_.test(ir::is_signed(counts(axis)) ? spv::OpSLessThan : spv::OpULessThan, index, end(axis));
  };
  const Id truth = arithmetic_.truth();
  auto both = [&](Id a, Id b) { return a == 0 ? b : code_.op(spv::OpLogicalAnd, truth, {a, b}); };
  Id filled = 0;  // no inner axis is empty
  for (size_t axis = 1; axis < axes; ++axis) filled = both(filled, below(axis, begin(axis)));
  if (loads_ahead(id)) load_ahead(id, both(filled, below(0, begin(0))));

  const Id before = code_.block(), header = code_.label(), body = code_.label();
  const Loop loop{code_.label(), code_.label()};
  const bool tells = inst.blocks[1] != ir::BlockId::None && !kernel_[inst.blocks[1]].empty();
  const Id exhausted = tells ? code_.label() : loop.broken;
  std::vector<Id> index(axes), following(axes);
  code_.branch(header);
  code_.begin(header);
  for (size_t axis = 0; axis < axes; ++axis) {
    following[axis] = module_.fresh();
    const Id type = arithmetic_.type(counts(axis));
    index[axis] = code_.op(spv::OpPhi, type, {begin(axis), before, following[axis], loop.next});
  }
  const Id goes_on = both(filled, below(0, index[0]));
  code_.loop_if(goes_on, body, exhausted, loop.broken, loop.next);

  code_.begin(body);
  indices_[id] = index;
  loops_.push_back(loop);
  const bool together = std::exchange(all_threads_here_, false);
  emit_block(inst.blocks[0]);
  all_threads_here_ = together;
  loops_.pop_back();
  if (!code_.ended()) code_.branch(loop.next);

  code_.begin(loop.next);
  Id carry = 0;  // whether the next axis is counted up; 0: yes
  for (size_t axis = axes; axis-- > 0;) {
    const Id type = arithmetic_.type(counts(axis)), one = arithmetic_.whole(counts(axis), 1);
    const Id step = carry == 0 ? one : code_.op(spv::OpSelect, type, {carry, one, arithmetic_.whole(counts(axis), 0)});
    const Id counted[] = {index[axis], step};
    if (axis == 0) {
      code_.op_as(following[axis], spv::OpIAdd, type, counted);
      break;
    }
    const Id next = code_.op(spv::OpIAdd, type, counted);
    carry = both(carry, arithmetic_.test(spv::OpIEqual, next, end(axis)));
    const Id chosen[] = {carry, begin(axis), next};
    code_.op_as(following[axis], spv::OpSelect, type, chosen);
  }
  code_.branch(header);

  if (tells) {
    code_.begin(exhausted);
    emit_block(inst.blocks[1]);
    if (!code_.ended()) code_.branch(loop.broken);
  }
  code_.begin(loop.broken);
}

}  // namespace qd::codegen::spirv
