#include "runtime/codegen/cpu/fixed_arithmetic.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/ir/builder.h"
#include "runtime/ir/walk.h"

namespace qd::codegen {
namespace {

using ir::BinaryOp;
using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::Type;

/// The bits of 1 / x, for the bits of a constant x; nothing where products with it mean something else.
std::optional<uint64_t> reciprocal(Type type, uint64_t bits) {
  if (type == Type::F32) {
    const float inverse = 1 / std::bit_cast<float>(static_cast<uint32_t>(bits));
    if (std::isnormal(inverse)) return std::bit_cast<uint32_t>(inverse);
  } else if (type == Type::F64) {
    const double inverse = 1 / std::bit_cast<double>(bits);
    if (std::isnormal(inverse)) return std::bit_cast<uint64_t>(inverse);
  }
  return std::nullopt;
}

class FixedArithmetic {
 public:
  FixedArithmetic(ir::Kernel& kernel, BlockId body) : kernel_(kernel) {
    ir::walk(kernel, body, [&](InstId id) {
      for (InstId operand : kernel.operands_of(id)) ++uses_[operand];
      inside_.push_back(id);
    });
    std::ranges::sort(inside_);
    block(body);
  }

 private:
  bool is(InstId id, BinaryOp op) const { return kernel_[id].op == Op::Binary && kernel_[id].binary_op() == op; }
  bool is_fusible(InstId id) const { return is(id, BinaryOp::Mul) && uses_.at(id) == 1; }
  bool is_of_launch(InstId id) const { return kernel_[id].op == Op::Arg || !std::ranges::binary_search(inside_, id); }

  void block(BlockId id) {
    std::map<InstId, int> quotients;  // in this block, by divisor
    for (InstId inst : kernel_[id]) {
      if (is(inst, BinaryOp::Div)) ++quotients[kernel_.operands_of(inst)[1]];
    }
    std::map<InstId, InstId> reciprocals;
    std::vector<InstId> out;
    for (InstId inst : std::vector(kernel_[id])) {  // a copy, because the kernel's list moves
      for (BlockId inner : std::array(kernel_[inst].blocks)) {
        if (inner != BlockId::None) block(inner);
      }
      ir::Builder builder(kernel_, out, kernel_[inst].location);
      const Type type = kernel_[inst].type;
      if (kernel_[inst].op == Op::Binary && (type == Type::F32 || type == Type::F64)) {
        if (kernel_[inst].binary_op() == BinaryOp::Div) multiply(inst, quotients, reciprocals, builder);
        fuse(inst, builder);
      }
      out.push_back(inst);
    }
    kernel_[id] = std::move(out);
  }

  /// Makes a product of a quotient.
  void multiply(InstId inst, const std::map<InstId, int>& quotients, std::map<InstId, InstId>& reciprocals,
                ir::Builder& builder) {
    const InstId value = kernel_.operands_of(inst)[0], divisor = kernel_.operands_of(inst)[1];
    const Type type = kernel_[inst].type;
    InstId& factor = reciprocals.try_emplace(divisor, InstId::None).first->second;
    if (kernel_[divisor].op == Op::Const) {
      const auto bits = reciprocal(type, kernel_[divisor].imm);
      if (!bits) return;
      if (factor == InstId::None) factor = builder.constant(type, *bits);
    } else if (is_of_launch(divisor) || quotients.at(divisor) > 1) {
      if (factor == InstId::None) {
        const InstId one =
            builder.constant(type, type == Type::F32 ? std::bit_cast<uint32_t>(1.0F) : std::bit_cast<uint64_t>(1.0));
        factor = builder.binary(BinaryOp::Div, one, divisor);
      }
    } else {
      return;
    }
    replace(inst, Op::Binary, {value, factor});
    kernel_[inst].aux = static_cast<uint32_t>(BinaryOp::Mul);
  }

  /// Fuses a sum or a difference with a product.
  void fuse(InstId inst, ir::Builder& builder) {
    const bool subtracts = is(inst, BinaryOp::Sub);
    if (!subtracts && !is(inst, BinaryOp::Add)) return;
    const InstId left = kernel_.operands_of(inst)[0], right = kernel_.operands_of(inst)[1];
    const auto negated = [&](InstId value) { return subtracts ? builder.unary(ir::UnaryOp::Neg, value) : value; };
    if (is_fusible(left)) {
      const InstId a = kernel_.operands_of(left)[0], b = kernel_.operands_of(left)[1];
      replace(inst, Op::Fma, {a, b, negated(right)});
    } else if (is_fusible(right)) {
      const InstId a = kernel_.operands_of(right)[0], b = kernel_.operands_of(right)[1];
      replace(inst, Op::Fma, {negated(a), b, left});
    }
  }

  void replace(InstId id, Op op, std::vector<InstId> operands) {
    ir::Inst& inst = kernel_[id];
    inst.op = op;
    inst.aux = 0;
    inst.operand_begin = static_cast<uint32_t>(kernel_.operands.size());
    inst.operand_count = static_cast<uint16_t>(operands.size());
    kernel_.operands.insert(kernel_.operands.end(), operands.begin(), operands.end());
  }

  ir::Kernel& kernel_;
  std::unordered_map<InstId, int> uses_;
  std::vector<InstId> inside_;  // sorted
};

}  // namespace

ir::Kernel with_fixed_arithmetic(ir::Kernel kernel, std::span<const uint32_t> tasks) {
  for (uint32_t task : tasks) FixedArithmetic(kernel, kernel.tasks[task].body);
  return kernel;
}

}  // namespace qd::codegen
