// Constants, locations, and blocks that may run speculatively.
#include <bit>

#include "runtime/frontend/lowering.h"
#include "runtime/frontend/number_arithmetic.h"
#include "runtime/ir/half.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;

namespace {

// Above this many instructions a branch is cheaper than evaluating both sides.
constexpr size_t kMaxSpeculated = 12;

}  // namespace

InstId Lowering::constant(Type type, const Value& number) {
  Value v = convert(number, type);
  uint64_t bits = 0;
  if (type == Type::F16) {
    bits = ir::half_from_double(as_double(v));
  } else if (type == Type::F32) {
    bits = std::bit_cast<uint32_t>(static_cast<float>(as_double(v)));
  } else if (type == Type::F64) {
    bits = std::bit_cast<uint64_t>(as_double(v));
  } else {
    bits = as_big_integer(v)->low_bits();
  }
  return build_.constant(type, bits);
}

uint32_t Lowering::location(const Range& range) {
  auto key = std::make_tuple(frame().function, line_of(range), range.col, frame().caller);
  auto [it, fresh] = locations_.try_emplace(key, static_cast<uint32_t>(kernel_.locations.size()));
  if (fresh) kernel_.locations.push_back({frame().function, line_of(range), range.col, frame().caller});
  return it->second;
}

bool Lowering::speculatable(ir::BlockId block) const {
  size_t size = 0;
  for (InstId id : kernel_[block]) {
    const ir::Inst& inst = kernel_[id];
    if (ir::only_observes(inst.op) && inst.op != Op::Probe) continue;  // a probe fires where control came by
    if (++size > kMaxSpeculated) return false;
    if (inst.op == Op::Load && kernel_[kernel_.operands_of(inst)[0]].op == Op::Alloca) continue;
    if (!ir::has_value(inst.op) || ir::result_kind(inst.op) == ir::ResultKind::Pointer ||
        ir::has_effect(inst.op, ~unsigned{ir::kHere}))
      return false;
    if (inst.op == Op::Unary && ir::row(inst.unary_op()).cost != ir::Cost::Cheap) return false;
    if (inst.op == Op::Binary && ir::row(inst.binary_op()).cost != ir::Cost::Cheap) return false;
  }
  return true;
}

void Lowering::splice(ir::BlockId block, InstId test, bool when) {
  std::vector<InstId> insts = std::move(kernel_[block]);
  kernel_[block].clear();
  for (InstId id : insts) {
    if (kernel_[id].op != Op::Decide) continue;
    std::vector<InstId> tests(kernel_.operands_of(id).begin(), kernel_.operands_of(id).end());
    kernel_[id].imm |= uint64_t{when} << tests.size();
    tests.push_back(test);
    kernel_[id].operand_begin = static_cast<uint32_t>(kernel_.operands.size());
    kernel_[id].operand_count = static_cast<uint16_t>(tests.size());
    kernel_.operands.insert(kernel_.operands.end(), tests.begin(), tests.end());
  }
  std::vector<InstId>& here = kernel_[build_.block()];
  here.insert(here.end(), insts.begin(), insts.end());
}

}  // namespace qd::frontend
