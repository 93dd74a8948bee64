// Changes to a kernel that several passes make.
#include "runtime/ir/rewrite.h"

namespace qd::ir {

void replace(Kernel& kernel, BlockId block, const Replacements& replacements) {
  if (block == BlockId::None || replacements.empty()) return;
  std::erase_if(kernel[block], [&](InstId id) { return replacements.contains(id); });
  for (InstId id : kernel[block]) {
    const Inst& inst = kernel[id];
    for (uint32_t i = 0; i < inst.operand_count; i++) {
      InstId& operand = kernel.operands[inst.operand_begin + i];
      operand = replacements.follow(operand);
    }
    for (BlockId inner : inst.blocks) replace(kernel, inner, replacements);
  }
}

}  // namespace qd::ir
