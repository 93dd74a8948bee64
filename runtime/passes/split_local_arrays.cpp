// A local array whose elements are all named by constants becomes variables.
#include <array>
#include <map>
#include <set>
#include <vector>

#include "runtime/ir/builder.h"
#include "runtime/ir/rewrite.h"
#include "runtime/ir/walk.h"
#include "runtime/passes/passes.h"

namespace qd::passes {
namespace {

using ir::BlockId;
using ir::InstId;
using ir::Op;

class ArraySplitter {
 public:
  explicit ArraySplitter(ir::Kernel& kernel) : kernel_(kernel) {}

  void run() {
    const std::vector<BlockId> bodies = ir::bodies(kernel_);
    auto visit = [&](InstId id) {
      const ir::Inst& inst = kernel_[id];
      if (inst.op != Op::LocalPtr) return;
      const auto operands = kernel_.operands_of(inst);
      if (kernel_[operands[1]].op == Op::Const) {
        pointers_[operands[0]].push_back(id);
      } else {
        indexed_.insert(operands[0]);
      }
    };
    for (BlockId body : bodies) ir::walk(kernel_, body, visit);
    for (BlockId body : bodies) split(body);
    for (BlockId body : bodies) replace(kernel_, body, replacements_);
  }

 private:
  void split(BlockId block) {
    if (block == BlockId::None) return;
    std::vector<InstId> out;
    for (InstId id : std::vector(kernel_[block])) {
      for (BlockId inner : std::array(kernel_[id].blocks)) split(inner);
      const ir::Inst inst = kernel_[id];
      if (inst.op != Op::Alloca || inst.length() == 0 || indexed_.contains(id)) {
        out.push_back(id);
        continue;
      }
      std::map<int64_t, InstId> elements;
      for (InstId pointer : pointers_[id]) {
        const int64_t index = kernel_[kernel_.operands_of(pointer)[1]].integer();
        auto [element, is_new] = elements.try_emplace(index, InstId::None);
        if (is_new) {
          element->second = ir::Builder(kernel_, out, inst.location).variable(inst.type);
        }
        replacements_.add(pointer, element->second);
      }
    }
    kernel_[block] = std::move(out);
  }

  ir::Kernel& kernel_;
  std::map<InstId, std::vector<InstId>> pointers_;  // into each array, by constants
  std::set<InstId> indexed_;                        // arrays with an element that is known at run time only
  ir::Replacements replacements_;
};

}  // namespace

void split_local_arrays(ir::Kernel& kernel) { ArraySplitter(kernel).run(); }

}  // namespace qd::passes
