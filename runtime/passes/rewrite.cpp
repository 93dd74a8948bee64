// Changes to a kernel that several passes make.
#include "runtime/passes/rewrite.h"

namespace qd::passes {

void replace(ir::Kernel& kernel, ir::BlockId block, const Replacements& replacements) {
  if (block == ir::BlockId::None || replacements.empty()) return;
  std::erase_if(kernel[block], [&](ir::InstId id) { return replacements.contains(id); });
  for (ir::InstId id : kernel[block]) {
    const ir::Inst& inst = kernel[id];
    for (uint32_t i = 0; i < inst.operand_count; i++) {
      ir::InstId& operand = kernel.operands[inst.operand_begin + i];
      operand = replacements.follow(operand);
    }
    for (ir::BlockId inner : inst.blocks) replace(kernel, inner, replacements);
  }
}

}  // namespace qd::passes
