// Takes the probes of a kernel out, and closes the gaps that they leave in the numbers of its values.
#include "runtime/launch/without_probes.h"

#include "runtime/ir/clone.h"

namespace qd {

ir::Kernel without_probes(ir::Kernel kernel) {
  for (ir::Inst& inst : kernel.insts) {
    if (inst.op == ir::Op::For) inst.blocks[1] = ir::BlockId::None;  // what follows exhaustion: probes only
  }
  ir::erase_insts(kernel, [](const ir::Inst& inst) { return ir::only_observes(inst.op); });
  kernel.probes.clear();
  kernel.decisions.clear();
  return kernel;
}

}  // namespace qd
