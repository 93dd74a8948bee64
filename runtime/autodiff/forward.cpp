#include "runtime/autodiff/forward.h"

#include <tuple>
#include <utility>

#include "runtime/autodiff/activity.h"
#include "runtime/autodiff/derivative_probes.h"
#include "runtime/autodiff/derivatives.h"
#include "runtime/autodiff/normal_form.h"

namespace qd::autodiff {
namespace {

using ir::Derivative;
using ir::InstId;
using ir::Op;

class ForwardMode {
 public:
  ForwardMode(ir::Kernel& kernel, bool probes)
      : kernel_(kernel),
        notation_(kernel, kernel.body),
        active_(active_instructions(kernel)),
        duals_(kernel.insts.size(), InstId::None),
        probes_(probes),
        useful_(probes ? useful_for_duals(kernel) : std::vector<bool>()) {}

  void block(ir::BlockId id) {
    if (id == ir::BlockId::None) return;
    for (InstId inst : std::exchange(kernel_[id], {})) {
      kernel_[id].push_back(inst);
      for (ir::BlockId inner : std::array(kernel_[inst].blocks)) {
        if (inner != ir::BlockId::None) last_probe_ = {};  // control may not come back
        block(inner);
      }
      notation_.build().set_block(id);
      notation_.build().set_location(kernel_[inst].location);
      add_dual(inst);
    }
  }

 private:
  ir::Builder& build() { return notation_.build(); }
  InstId& dual(InstId id) { return duals_[static_cast<uint32_t>(id)]; }
  /// The dual of a number as an operand: a zero where it has none.
  InstId number(InstId id) {
    return dual(id) != InstId::None ? dual(id) : notation_.constant(kernel_[id].type, 0.0).id();
  }

  void add_dual(InstId id) {
    const ir::Inst inst = kernel_[id];
    switch (row(inst.op).derivative) {
      case Derivative::Place:
        if (is_active(id)) dual(id) = place(id, inst);
        return;
      case Derivative::Memory: return access(id, inst);
      case Derivative::Operator:
      case Derivative::Select:
      case Derivative::Pick:
      case Derivative::Fma:
      case Derivative::Cast:
        if (is_active(id)) dual(id) = sum_of_products(id, inst);
        return;
      case Derivative::None:
      case Derivative::Zero:
      case Derivative::Linear:
      case Derivative::Control: return;
    }
  }

  bool is_active(InstId id) const { return active_[static_cast<uint32_t>(id)]; }

  /// The place of the dual of the number at a place.
  InstId place(InstId id, ir::Inst inst) {
    const auto args = kernel_.operands_of(id);
    std::vector<InstId> operands(args.begin(), args.end());
    if (inst.op == Op::ElementPtr) inst.aux = kernel_.arrays[inst.aux].dual;
    if (inst.op == Op::LocalPtr) operands[0] = dual(operands[0]);
    if (inst.op == Op::GlobalTemp) {
      inst.aux = kernel_.global_temps;
      kernel_.global_temps += std::max(inst.length(), 1u);
    }
    return build().like(inst, operands);
  }

  void access(InstId id, const ir::Inst& inst) {
    const auto args = kernel_.operands_of(id);
    const InstId at = dual(args[0]);
    if (at == InstId::None) return;
    if (inst.op == Op::Load) {
      dual(id) = build().load(at);
      add_probe(id, id);
    } else {
      const InstId written = args[1];
      const bool passes_through = dual(written) != InstId::None;
      const InstId value = number(written);
      dual(id) = build().like(inst, std::array{at, value});
      if (passes_through) add_probe(id, written);
    }
  }

  InstId sum_of_products(InstId id, const ir::Inst& inst) {
    const auto args = kernel_.operands_of(id);
    const std::vector<InstId> operands(args.begin(), args.end());
    std::optional<Value> sum;
    for (size_t n = 0; n < operands.size(); ++n) {
      if (dual(operands[n]) == InstId::None) continue;
      const auto product = derivative_product(notation_, id, n, Value(notation_, dual(operands[n])), inst.type);
      if (product) sum = sum ? *sum + *product : *product;
    }
    if (sum) add_probe(id, id);
    return sum ? sum->id() : InstId::None;
  }

  /// Adds a probe of an instruction's line, unless the code has just come by one, or no array gets the dual of the
  /// number.
  void add_probe(InstId id, InstId number) {
    if (!probes_ || !useful_[static_cast<uint32_t>(number)]) return;
    const ir::Location& place = kernel_.locations[kernel_[id].location];
    const std::tuple probe(build().block(), place.function, place.line);
    if (std::exchange(last_probe_, probe) == probe) return;
    derivatives_.add(build(), kernel_[id].location);
  }

  ir::Kernel& kernel_;
  Notation notation_;
  const std::vector<bool> active_;
  std::vector<InstId> duals_;  // of the primal's instructions
  const bool probes_;          // derivative probes are wanted
  const std::vector<bool> useful_;
  DerivativeProbes derivatives_{kernel_};
  std::tuple<ir::BlockId, uint32_t, int32_t> last_probe_;  // block, function, line
};

}  // namespace

void add_duals(ir::Kernel& kernel, bool probes) {
  inline_calls(kernel);
  ForwardMode(kernel, probes).block(kernel.body);
}

}  // namespace qd::autodiff
