// Takes the probes of a kernel out, and closes the gaps that they leave in the numbers of its values.
#include "runtime/launch/without_probes.h"

namespace qd {

ir::Kernel without_probes(ir::Kernel kernel) {
  std::vector<ir::InstId> number(kernel.insts.size(), ir::InstId::None);
  std::vector<ir::Inst> insts;
  for (size_t i = 0; i < kernel.insts.size(); ++i) {
    ir::Inst inst = kernel.insts[i];
    if (ir::only_observes(inst.op)) continue;
    if (inst.op == ir::Op::For) inst.blocks[1] = ir::BlockId::None;  // what follows exhaustion: probes only
    number[i] = static_cast<ir::InstId>(insts.size());
    insts.push_back(inst);
  }
  auto renumber = [&](ir::InstId& id) { id = number[static_cast<uint32_t>(id)]; };
  for (ir::Inst& inst : insts) ir::renumber_aux(inst, [&](ir::InstId old) { return number[static_cast<uint32_t>(old)]; });
  for (auto& block : kernel.blocks) {
    std::erase_if(block, [&](ir::InstId id) { return ir::only_observes(kernel[id].op); });
    for (ir::InstId& id : block) renumber(id);
  }
  for (ir::InstId& id : kernel.operands) renumber(id);
  kernel.insts = std::move(insts);
  kernel.probes.clear();
  kernel.decisions.clear();
  return kernel;
}

}  // namespace qd
