// Copies what the tasks reach, in the order in which they reach it.
#include "runtime/launch/bare_kernel.h"

namespace qd {
namespace {

class Copy {
 public:
  explicit Copy(const ir::Kernel& from) : from_(from), number_(from.insts.size(), ir::InstId::None) {}

  ir::Kernel run() {
    to_.params = from_.params;
    for (ir::Param& param : to_.params) param.name.clear();
    to_.arrays = from_.arrays;
    for (ir::Array& array : to_.arrays) {
      array.name.clear();
      array.field = 0;
    }
    to_.results = from_.results;
    to_.functions.emplace_back();
    to_.locations.emplace_back();
    to_.loops = from_.loops;
    for (ir::LoopInfo& loop : to_.loops) loop.name.clear();
    for (const ir::Format& format : from_.formats) to_.formats.push_back({{}, {}, format.types});
    to_.global_temps = from_.global_temps;
    to_.counters = from_.counters;
    for (const ir::Task& task : from_.tasks) copy_task(task);
    for (const ir::Routine& routine : from_.routines) to_.routines.push_back({{}, routine.params, routine.results, copy_block(routine.body)});
    return std::move(to_);
  }

 private:
  void copy_task(const ir::Task& task) {
    ir::Task& copied = to_.tasks.emplace_back();
    copied.kind = task.kind;
    copied.bounds = task.bounds;
    if (task.loop != ir::InstId::None) {
      // Only an identity here: its bounds are the task's.
      ir::Inst loop = from_[task.loop];
      loop.operand_count = 0;
      loop.operand_begin = 0;
      loop.location = 0;
      loop.blocks = {ir::BlockId::None, ir::BlockId::None};
      number_of(task.loop) = add(loop);
      copied.loop = number_of(task.loop);
    }
    const ir::BlockId prologue = copy_block(task.prologue), body = copy_block(task.body), epilogue = copy_block(task.epilogue);
    to_.tasks.back().prologue = prologue;
    to_.tasks.back().body = body;
    to_.tasks.back().epilogue = epilogue;
  }

  ir::BlockId copy_block(ir::BlockId block) {
    if (block == ir::BlockId::None) return block;
    const ir::BlockId copied = to_.add_block();
    for (ir::InstId id : from_[block]) {
      ir::Inst inst = from_[id];
      inst.location = 0;
      ir::renumber_aux(inst, [&](ir::InstId old) { return number_of(old); });
      inst.operand_begin = static_cast<uint32_t>(to_.operands.size());
      for (ir::InstId operand : from_.operands_of(id)) to_.operands.push_back(number_of(operand));
      const ir::InstId number = number_of(id) = add(inst);
      to_[copied].push_back(number);
      for (size_t i = 0; i < inst.blocks.size(); ++i) {
        const ir::BlockId inner = copy_block(inst.blocks[i]);
        to_[number].blocks[i] = inner;
      }
    }
    return copied;
  }

  ir::InstId& number_of(ir::InstId id) { return number_[static_cast<uint32_t>(id)]; }
  ir::InstId add(const ir::Inst& inst) {
    to_.insts.push_back(inst);
    return static_cast<ir::InstId>(to_.insts.size() - 1);
  }

  const ir::Kernel& from_;
  ir::Kernel to_;
  std::vector<ir::InstId> number_;
};

}  // namespace

ir::Kernel bare_kernel(const ir::Kernel& kernel) { return Copy(kernel).run(); }

}  // namespace qd
