// Store-to-load forwarding: a variable that is stored once is replaced by the value.
#include <vector>

#include "runtime/ir/rewrite.h"
#include "runtime/ir/walk.h"
#include "runtime/passes/passes.h"

namespace qd::passes {
namespace {

using ir::BlockId;
using ir::InstId;
using ir::Op;

/// Uses of one variable (an Alloca).
struct Uses {
  std::vector<InstId> loads;
  std::vector<InstId> stores;
  bool atomic = false;  // or an array
  bool load_before_store = false;
};

class Forwarder {
 public:
  explicit Forwarder(ir::Kernel& kernel)
      : kernel_(kernel), block_of_(kernel.insts.size(), BlockId::None), uses_(kernel.insts.size()) {}

  void run() {
    const std::vector<BlockId> bodies = ir::bodies(kernel_);
    for (BlockId body : bodies) scan(body);
    for (uint32_t i = 0; i < uses_.size(); i++) {
      const InstId alloca = static_cast<InstId>(i);
      if (kernel_[alloca].op != Op::Alloca || block_of_[i] == BlockId::None) continue;
      const Uses& uses = uses_[i];
      if (uses.atomic) continue;
      if (uses.loads.empty()) {
        forget(alloca, uses);
      } else if (uses.stores.size() == 1 && !uses.load_before_store && block_of(uses.stores[0]) == block_of(alloca)) {
        const InstId value = kernel_.operands_of(uses.stores[0])[1];
        for (InstId load : uses.loads) replacements_.add(load, value);
        forget(alloca, uses);
      }
    }
    for (BlockId body : bodies) replace(kernel_, body, replacements_);
  }

 private:
  BlockId block_of(InstId id) const { return block_of_[static_cast<uint32_t>(id)]; }

  void forget(InstId alloca, const Uses& uses) {
    replacements_.add(alloca, InstId::None);
    for (InstId store : uses.stores) replacements_.add(store, InstId::None);
  }

  void scan(BlockId block) {
    if (block == BlockId::None) return;
    for (InstId id : kernel_[block]) {
      block_of_[static_cast<uint32_t>(id)] = block;
      const ir::Inst& inst = kernel_[id];
      if (ir::accesses_memory(inst.op)) {
        const InstId pointer = kernel_.operands_of(inst)[0];
        Uses& uses = uses_[static_cast<uint32_t>(pointer)];
        if (inst.op == Op::Load) {
          uses.loads.push_back(id);
          uses.load_before_store |= uses.stores.empty();
        } else if (inst.op == Op::Store) {
          uses.stores.push_back(id);
        } else {
          uses.atomic = true;
        }
      }
      if (inst.op == Op::LocalPtr) uses_[static_cast<uint32_t>(kernel_.operands_of(inst)[0])].atomic = true;
      for (BlockId inner : inst.blocks) scan(inner);
    }
  }

  ir::Kernel& kernel_;
  std::vector<BlockId> block_of_;
  std::vector<Uses> uses_;
  ir::Replacements replacements_;
};

}  // namespace

void forward_stores(ir::Kernel& kernel) { Forwarder(kernel).run(); }

}  // namespace qd::passes
