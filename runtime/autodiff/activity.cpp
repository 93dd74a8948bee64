#include "runtime/autodiff/activity.h"

#include <algorithm>

#include "runtime/autodiff/autodiff.h"
#include "runtime/autodiff/derivatives.h"
#include "runtime/ir/walk.h"

namespace qd::autodiff {
namespace {

using ir::Derivative;
using ir::InstId;
using ir::Op;

class Activity {
 public:
  explicit Activity(const ir::Kernel& kernel) : kernel_(kernel), active_(kernel.insts.size()) {}

  std::vector<bool> find() {
    do {
      changed_ = false;
      walk(kernel_, [&](InstId id) { visit(id); });
    } while (changed_);
    walk(kernel_, [&](InstId id) { refuse(id); });
    return std::move(active_);
  }

 private:
  bool is_active(InstId id) const { return active_[static_cast<uint32_t>(id)]; }
  void set_active(InstId id) {
    if (is_active(id)) return;
    active_[static_cast<uint32_t>(id)] = true;
    changed_ = true;
  }

  void visit(InstId id) {
    const ir::Inst& inst = kernel_[id];
    const auto operands = kernel_.operands_of(id);
    switch (row(inst.op).derivative) {
      case Derivative::Place:
        if (inst.op == Op::ElementPtr && kernel_.arrays[inst.aux].dual != ir::Array::kNone) set_active(id);
        if (inst.op == Op::LocalPtr && is_active(operands[0])) set_active(id);
        return;
      case Derivative::Memory:
        if (operands.size() > 1 && is_active(operands[1])) set_variable_active(operands[0]);
        if (ir::has_value(inst.op) && is_active(operands[0])) set_active(id);
        return;
      case Derivative::Operator:
      case Derivative::Select:
      case Derivative::Pick:
      case Derivative::Fma:
      case Derivative::Cast:
        if (!ir::is_float(inst.type)) return;
        for (size_t n = 0; n < operands.size(); ++n) {
          if (is_active(operands[n]) && !is_constant_in(kernel_, id, n)) set_active(id);
        }
        return;
      case Derivative::None:
      case Derivative::Zero:
      case Derivative::Linear:
      case Derivative::Control: return;
    }
  }

  /// Marks the variable that a place belongs to. An array without a dual has no place for derivatives.
  void set_variable_active(InstId place) {
    const InstId variable = kernel_[place].op == Op::LocalPtr ? kernel_.operands_of(place)[0] : place;
    if (kernel_[variable].op != Op::ElementPtr) set_active(variable);
  }

  void refuse(InstId id) const {
    const ir::Inst& inst = kernel_[id];
    auto operands = kernel_.operands_of(id);
    Derivative rule = row(inst.op).derivative;
    if (inst.op == Op::AtomicRmw) {
      rule = derivative(inst.atomic_op());
      operands = operands.first(1);  // a place without a derivative takes any number
    }
    if (rule != Derivative::None) return;
    bool refused = std::ranges::any_of(operands, [&](InstId operand) { return is_active(operand); });
    if (inst.op == Op::Call)
      walk(kernel_, kernel_.routines[inst.aux].body, [&](InstId inner) { refused |= is_active(inner); });
    if (refused) throw NoDerivative{id};
  }

  const ir::Kernel& kernel_;
  std::vector<bool> active_;
  bool changed_ = false;
};

}  // namespace

std::vector<bool> active_instructions(const ir::Kernel& kernel) { return Activity(kernel).find(); }

}  // namespace qd::autodiff
