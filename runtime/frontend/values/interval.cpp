// Interval analysis, by the operations that make a value, a few deep.
#include "runtime/frontend/values/interval.h"

#include <algorithm>

namespace qd::frontend {

using ir::BinaryOp;
using ir::InstId;
using ir::Op;
using ir::Type;

namespace {

constexpr int kMaxIntervalDepth = 4;

Interval interval_at(const ir::Kernel& kernel, InstId id, int depth) {
  const ir::Inst& inst = kernel[id];
  auto of = [&](InstId operand) { return interval_at(kernel, operand, depth + 1); };
  const Interval any = interval(inst.type);
  if (depth > kMaxIntervalDepth || !ir::is_signed(inst.type)) return any;
  auto operands = kernel.operands_of(inst);
  switch (inst.op) {
    case Op::Const: return {inst.integer(), inst.integer()};
    case Op::Shape: return {0, any.high};
    case Op::LoopIndex: {
      auto bounds = kernel.operands_of(inst.aux_inst());
      return {of(bounds[2 * inst.axis()]).low, of(bounds[2 * inst.axis() + 1]).high - 1};
    }
    case Op::Cast:
      return ir::is_signed(kernel[operands[0]].type) &&
                     ir::bit_width(kernel[operands[0]].type) <= ir::bit_width(inst.type)
                 ? of(operands[0])
                 : any;
    case Op::Binary: {
      const auto op = inst.binary_op();
      if (op != BinaryOp::Add && op != BinaryOp::Sub && op != BinaryOp::Mul) return any;
      const Interval result = interval(op, of(operands[0]), of(operands[1]));
      return result.low < any.low || result.high > any.high ? any : result;
    }
    default: return any;
  }
}

}  // namespace

Interval interval(Type type) {
  const __int128 top = __int128{1} << (ir::bit_width(type) - 1);
  return {-top, top - 1};
}

Interval interval(BinaryOp op, Interval a, Interval b) {
  if (op == BinaryOp::Add) return {a.low + b.low, a.high + b.high};
  if (op == BinaryOp::Sub) return {a.low - b.high, a.high - b.low};
  const __int128 products[] = {a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
  return {std::ranges::min(products), std::ranges::max(products)};
}

Interval interval(const ir::Kernel& kernel, InstId id) { return interval_at(kernel, id, 0); }

}  // namespace qd::frontend
