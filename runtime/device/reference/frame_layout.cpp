// Words of instructions in a frame: each has its own. Frames are small, and no two values of one frame share a word.
#include "runtime/device/reference/frame_layout.h"

#include <algorithm>

#include "runtime/ir/walk.h"

namespace qd::device::reference {

using ir::InstId;
using ir::Op;

namespace {

uint32_t words_of(const ir::Kernel& kernel, const ir::Inst& inst) {
  switch (inst.op) {
    case Op::Alloca: return 1 + std::max<uint32_t>(1, inst.length());
    case Op::For: return 3 * (inst.operand_count / 2u);
    case Op::Call: return static_cast<uint32_t>(kernel.routines[inst.aux].results.size());
    default: return 1;
  }
}

}  // namespace

FrameLayout::FrameLayout(const ir::Kernel& kernel) : at_(kernel.insts.size()) {
  place(kernel, kernel.body, kernel_size_);
  for (const ir::Task& task : kernel.tasks) {
    uint32_t size = 0;
    if (task.loop != InstId::None) place(task.loop, 3 * static_cast<uint32_t>(task.bounds.size() / 2), size);
    for (ir::BlockId block : {task.prologue, task.body, task.epilogue}) place(kernel, block, size);
    kernel_size_ = std::max(kernel_size_, size);
  }
  for (const ir::Routine& routine : kernel.routines) {
    uint32_t size = static_cast<uint32_t>(routine.params.size());
    place(kernel, routine.body, size);
    routine_sizes_.push_back(size);
  }
}

void FrameLayout::place(InstId id, uint32_t words, uint32_t& size) {
  at_[static_cast<uint32_t>(id)] = size;
  size += words;
}

void FrameLayout::place(const ir::Kernel& kernel, ir::BlockId block, uint32_t& size) {
  ir::walk(kernel, block, [&](InstId id) { place(id, words_of(kernel, kernel[id]), size); });
}

}  // namespace qd::device::reference
