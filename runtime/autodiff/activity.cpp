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
  /// `companion`: the member of Array that names its dual or its gradient. `useful`: the values that an element of an
  /// array with a companion depends on; null: all.
  Activity(const ir::Kernel& kernel, uint32_t ir::Array::* companion, const std::vector<bool>* useful = nullptr)
      : kernel_(kernel), companion_(companion), useful_(useful), active_(kernel.insts.size()) {}

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
  bool is_useful(InstId id) const { return !useful_ || (*useful_)[static_cast<uint32_t>(id)]; }
  void set_active(InstId id) {
    if (is_active(id) || !is_useful(id)) return;
    active_[static_cast<uint32_t>(id)] = true;
    changed_ = true;
  }

  void visit(InstId id) {
    const ir::Inst& inst = kernel_[id];
    const auto operands = kernel_.operands_of(id);
    switch (row(inst.op).derivative) {
      case Derivative::Place:
        if (inst.op == Op::ElementPtr && kernel_.arrays[inst.aux].*companion_ != ir::Array::kNone) set_active(id);
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
  uint32_t ir::Array::* const companion_;
  const std::vector<bool>* const useful_;
  std::vector<bool> active_;
  bool changed_ = false;
};

/// The values, variables and places of a kernel that an element of an array with a companion depends on.
class Usefulness {
 public:
  Usefulness(const ir::Kernel& kernel, uint32_t ir::Array::* companion)
      : kernel_(kernel), companion_(companion), useful_(kernel.insts.size()) {}

  std::vector<bool> find() {
    std::vector<InstId> order;
    walk(kernel_, [&](InstId id) { order.push_back(id); });
    do {
      changed_ = false;
      for (size_t i = order.size(); i-- > 0;) visit(order[i]);
    } while (changed_);
    return std::move(useful_);
  }

 private:
  bool is_useful(InstId id) const { return useful_[static_cast<uint32_t>(id)]; }
  void set_useful(InstId id) {
    if (is_useful(id)) return;
    useful_[static_cast<uint32_t>(id)] = true;
    changed_ = true;
  }

  void visit(InstId id) {
    const ir::Inst& inst = kernel_[id];
    const auto operands = kernel_.operands_of(id);
    switch (row(inst.op).derivative) {
      case Derivative::Place:
        if (inst.op == Op::ElementPtr && kernel_.arrays[inst.aux].*companion_ != ir::Array::kNone) set_useful(id);
        // A place in a variable is useful with it, and the variable with it.
        if (inst.op == Op::LocalPtr && (is_useful(id) || is_useful(operands[0])))
          set_useful(id), set_useful(operands[0]);
        return;
      case Derivative::Memory:
        if (operands.size() > 1 && is_useful(operands[0])) set_useful(operands[1]);
        if (ir::has_value(inst.op) && is_useful(id)) set_useful(operands[0]);
        return;
      case Derivative::Operator:
      case Derivative::Select:
      case Derivative::Pick:
      case Derivative::Fma:
      case Derivative::Cast:
        if (!is_useful(id)) return;
        for (size_t n = 0; n < operands.size(); ++n) {
          if (!is_constant_in(kernel_, id, n)) set_useful(operands[n]);
        }
        return;
      case Derivative::None:  // refused, whatever becomes of the result
        for (InstId operand : operands) set_useful(operand);
        return;
      case Derivative::Zero:
      case Derivative::Linear:
      case Derivative::Control: return;
    }
  }

  const ir::Kernel& kernel_;
  uint32_t ir::Array::* const companion_;
  std::vector<bool> useful_;
  bool changed_ = false;
};

}  // namespace

std::vector<bool> active_instructions(const ir::Kernel& kernel) { return Activity(kernel, &ir::Array::dual).find(); }

std::vector<bool> active_in_reverse(const ir::Kernel& kernel) {
  const std::vector<bool> useful = Usefulness(kernel, &ir::Array::gradient).find();
  return Activity(kernel, &ir::Array::gradient, &useful).find();
}

std::vector<bool> useful_for_duals(const ir::Kernel& kernel) { return Usefulness(kernel, &ir::Array::dual).find(); }

}  // namespace qd::autodiff
