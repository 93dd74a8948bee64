#include "runtime/autodiff/autodiff.h"

#include <fmt/format.h>

#include "runtime/autodiff/forward.h"
#include "runtime/autodiff/record.h"
#include "runtime/autodiff/reverse.h"

namespace qd::autodiff {

std::vector<ElementRecord> differentiate(ir::Kernel& kernel, ir::AutodiffMode mode, Options options) {
  switch (mode) {
    case ir::AutodiffMode::Primal: return {};
    case ir::AutodiffMode::Forward: add_duals(kernel, options.probes); return {};
    case ir::AutodiffMode::Reverse: reverse(kernel, options, false); return {};
    case ir::AutodiffMode::StackSizes: count_stack(kernel, false); return {};
    case ir::AutodiffMode::Validation:
    case ir::AutodiffMode::Recorded: return record_elements(kernel, options);
    case ir::AutodiffMode::RecordedReverse: return records_of(reverse(kernel, options, true));
    case ir::AutodiffMode::RecordedStackSizes: return records_of(count_stack(kernel, true));
  }
  return {};
}

std::string description(const ir::Kernel& kernel, ir::InstId id) {
  if (id == ir::InstId::None) return fmt::format("kernel {}", kernel.name);
  const ir::Inst& inst = kernel[id];
  switch (inst.op) {
    case ir::Op::Store: return "the assignment";
    case ir::Op::Load: return "the element";
    case ir::Op::Random: return "a random number";
    case ir::Op::Clock: return "the clock";
    case ir::Op::Loop: return "the loop";
    case ir::Op::Region: return "the loop around parallel loops, or the section,";
    case ir::Op::AtomicRmw: return fmt::format("`atomic_{}`", ir::row(inst.atomic_op()).name);
    case ir::Op::AtomicCas: return "`atomic_cas`";
    case ir::Op::VolatileLoad: return "`volatile_load`";
    case ir::Op::BitCast: return "`bit_cast`";
    case ir::Op::Shuffle: return "a shuffle of a subgroup";
    case ir::Op::Call: return fmt::format("the call of `{}`", kernel.routines[inst.aux].name);
    default: return fmt::format("`{}`", ir::name(inst.op));
  }
}

}  // namespace qd::autodiff
