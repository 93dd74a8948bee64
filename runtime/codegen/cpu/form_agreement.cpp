#include "runtime/codegen/cpu/form_agreement.h"

#include <algorithm>
#include <unordered_set>

#include "runtime/codegen/cpu/host_processor.h"
#include "runtime/ir/walk.h"

namespace qd::codegen {
namespace {

using ir::InstId;
using ir::Op;

/// Whether a serial loop gathers floats, of which LLVM and ConditionalSums make vectors that gather in another order:
///
///     for k in range(n):
///         if r[k] < h: s += w[k]
bool gathers_floats(const ir::Kernel& kernel, const ir::Inst& loop) {
  std::unordered_set<InstId> own;
  bool found = false;
  ir::walk(kernel, loop.blocks[0], [&](InstId id) {
    const ir::Inst& inst = kernel[id];
    if (inst.op == Op::Alloca) own.insert(id);
    if (inst.op != Op::Store && inst.op != Op::AtomicRmw) return;
    const InstId place = kernel.operands_of(id)[0], value = kernel.operands_of(id)[1];
    if (kernel[place].op != Op::Alloca || own.contains(place) || !ir::is_float(kernel[place].type)) return;
    found |= inst.op == Op::AtomicRmw || std::ranges::any_of(kernel.operands_of(value), [&](InstId operand) {
               return kernel[operand].op == Op::Load && kernel.operands_of(operand)[0] == place;
             });
  });
  return found;
}

}  // namespace

bool forms_agree(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence) {
  // Else libm's functions and libmvec's.
#if defined(__x86_64__)
  static const bool same_functions = host_has("fma");
#else
  constexpr bool same_functions = true;
#endif
  bool agree = true, has_root = false, has_quotient = false;
  ir::walk(kernel, task.body, [&](InstId id) {
    const ir::Inst& inst = kernel[id];
    for (InstId operand : kernel.operands_of(inst)) {  // sums of the task's part
      const bool gathers = kernel[operand].op == Op::Alloca && !divergence.is_variable(operand);
      agree &= !gathers || !ir::is_float(kernel[operand].type);
    }
    switch (inst.op) {
      case Op::Call: agree = false; break;  // a function of its own, with the arithmetic of fast maths
      case Op::Unary: {
        const ir::UnaryOp op = inst.unary_op();
        has_root |= op == ir::UnaryOp::Sqrt || op == ir::UnaryOp::Rsqrt;
        has_quotient |= op == ir::UnaryOp::Rsqrt;
        agree &= same_functions || ir::row(op).cost != ir::Cost::Library;
        break;
      }
      case Op::Binary:
        has_quotient |= inst.binary_op() == ir::BinaryOp::Div;
        agree &= same_functions || ir::row(inst.binary_op()).cost != ir::Cost::Library;
        break;
      case Op::AtomicRmw:
        if (ir::is_float(kernel[kernel.operands_of(id)[0]].type)) {
          const InstId place = kernel.operands_of(id)[0];
          agree &= divergence.is_own(place) || divergence.is_variable(place);
        }
        break;
      case Op::For: agree &= !gathers_floats(kernel, inst); break;
      default: break;
    }
  });
  // Fast maths approximates quotients by roots (FastReciprocals), which fixed arithmetic would not.
  return agree && !(has_root && has_quotient);
}

}  // namespace qd::codegen
