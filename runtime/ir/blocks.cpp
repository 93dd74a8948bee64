// Searches blocks for operations that need threads of a block or subgroup.
#include "runtime/ir/blocks.h"

#include <algorithm>

#include "runtime/ir/walk.h"

namespace qd::ir {

bool is_block_loop(const Kernel& kernel, BlockId body) {
  bool found = false;
  walk(kernel, body, [&](InstId id) { found |= needs_block(kernel[id].op); });
  return found;
}

int64_t shared_bytes(const Kernel& kernel, BlockId body) {
  int64_t bytes = 0;
  walk(kernel, body, [&](InstId id) {
    const Inst& inst = kernel[id];
    if (inst.op != Op::Shared) return;
    const int64_t size = size_in_bytes(inst.type);
    bytes = (bytes + size - 1) / size * size + size * std::max<int64_t>(1, inst.length());
  });
  return bytes;
}

}  // namespace qd::ir
