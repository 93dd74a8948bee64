// Adds instructions to the flat arrays of a kernel.
#include "runtime/ir/kernel.h"

namespace qd::ir {

InstId Kernel::add(Inst inst, std::span<const InstId> args) {
  inst.operand_begin = static_cast<uint32_t>(operands.size());
  inst.operand_count = static_cast<uint16_t>(args.size());
  if (!args.empty() && args.data() >= operands.data() && args.data() < operands.data() + operands.size()) {
    // `args` may be a view of another instruction's operands, which the insertion may move.
    std::vector<InstId> copy(args.begin(), args.end());
    operands.insert(operands.end(), copy.begin(), copy.end());
  } else {
    operands.insert(operands.end(), args.begin(), args.end());
  }
  insts.push_back(inst);
  return static_cast<InstId>(insts.size() - 1);
}

}  // namespace qd::ir
