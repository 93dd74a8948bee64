// Takes the probes out of a kernel, and renumbers its values to close the gaps.
#include "runtime/launch/kernel_copies.h"

#include "runtime/ir/clone.h"

namespace qd {

ir::Kernel without_probes(ir::Kernel kernel) {
  for (ir::Inst& inst : kernel.insts) {
    if (inst.op == ir::Op::For) inst.blocks[1] = ir::BlockId::None;  // that block holds probes only
  }
  ir::erase_insts(kernel, [](const ir::Inst& inst) { return ir::only_observes(inst.op); });
  kernel.variants.clear();
  kernel.probes.clear();
  kernel.decisions.clear();
  return kernel;
}

}  // namespace qd
