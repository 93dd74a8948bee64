// Words are given out in the order of the instructions.
#include "runtime/device/reference/frame_layout.h"

#include <algorithm>

#include "runtime/ir/walk.h"

namespace qd::device {

FrameLayouts::FrameLayouts(const ir::Kernel& kernel) : value(kernel.insts.size()), room(kernel.insts.size()) {
  auto place = [&](FrameLayout& frame, ir::InstId id) {
    const ir::Inst& inst = kernel[id];
    const auto index = static_cast<uint32_t>(id);
    value[index] = frame.words;
    frame.words += inst.op == ir::Op::Call ? static_cast<uint32_t>(kernel.routines[inst.aux].results.size()) : 1;
    room[index] = frame.words;
    if (inst.op == ir::Op::Alloca) frame.words += std::max<uint32_t>(1, inst.length());
    if (inst.op == ir::Op::For) frame.words += inst.operand_count / 2;
  };
  for (const ir::Task& task : kernel.tasks) {
    FrameLayout& frame = tasks.emplace_back();
    if (task.loop != ir::InstId::None) {
      room[static_cast<uint32_t>(task.loop)] = frame.words;
      frame.words += static_cast<uint32_t>(task.bounds.size() / 2);
    }
    for (ir::BlockId block : {task.prologue, task.body, task.epilogue}) ir::walk(kernel, block, [&](ir::InstId id) { place(frame, id); });
  }
  for (const ir::Routine& routine : kernel.routines) {
    FrameLayout& frame = routines.emplace_back();
    ir::walk(kernel, routine.body, [&](ir::InstId id) { place(frame, id); });
  }
}

}  // namespace qd::device
