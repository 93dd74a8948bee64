// Copies all parts that the tasks use, in the order of their use.
#include "runtime/launch/kernel_copies.h"

#include "runtime/ir/clone.h"

namespace qd {

ir::Kernel bare_kernel(const ir::Kernel& kernel) {
  ir::Kernel bare;
  bare.params = kernel.params;
  for (ir::Param& param : bare.params) param.name.clear();
  bare.arrays = kernel.arrays;
  for (ir::Array& array : bare.arrays) {
    array.name.clear();
    array.field = 0;
    array.gradient = array.dual = ir::Array::kNone;
  }
  bare.results = kernel.results;
  bare.functions.emplace_back();
  bare.locations.emplace_back();
  bare.loops = kernel.loops;
  for (ir::LoopInfo& loop : bare.loops) loop.name.clear();
  for (const ir::Format& format : kernel.formats) bare.formats.push_back({{}, {}, format.types});
  bare.global_temps = kernel.global_temps;
  bare.kept_temps = kernel.kept_temps;
  bare.counters = kernel.counters;

  bare.insts.reserve(kernel.insts.size());
  bare.operands.reserve(kernel.operands.size());
  ir::Cloner cloner(kernel, bare);
  cloner.change = [](ir::Inst& inst) { inst.location = 0; };
  for (const ir::Task& task : kernel.tasks) {
    ir::Task copied;
    copied.kind = task.kind;
    copied.bounds = task.bounds;
    copied.block_dim = task.block_dim;
    copied.vectorize = task.vectorize;
    if (task.loop != ir::InstId::None) copied.loop = cloner.bare(task.loop);
    copied.prologue = cloner.block(task.prologue);
    copied.body = cloner.block(task.body);
    copied.epilogue = cloner.block(task.epilogue);
    bare.tasks.push_back(std::move(copied));
  }
  bare.schedule = kernel.schedule;
  for (const ir::Routine& routine : kernel.routines)
    bare.routines.push_back({{}, routine.params, routine.results, cloner.block(routine.body)});
  return bare;
}

}  // namespace qd
