// The list of passes from the front end's kernel to the code generator's.
#include "runtime/passes/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "runtime/ir/blocks.h"
#include "runtime/ir/walk.h"
#include "runtime/passes/iteration_cost.h"
#include "runtime/passes/passes.h"

namespace qd::passes {
namespace {

void refuse_probes(const ir::Kernel& kernel) {
  bool probes = !kernel.end_probes.empty();
  for (const ir::Task& task : kernel.tasks) probes |= !task.start_probes.empty();
  walk(kernel, [&](ir::InstId id) { probes |= ir::only_observes(kernel[id].op); });
  if (probes) throw std::logic_error(fmt::format("kernel {} has probes, but nothing lowers them", kernel.name));
}

bool has_block_loops(const ir::Kernel& kernel) {
  return std::ranges::any_of(kernel.tasks, [&](const ir::Task& task) {
    return task.kind == ir::Task::Kind::Parallel && ir::is_block_loop(kernel, task.body);
  });
}

}  // namespace

void simplify_variables(ir::Kernel& kernel) {
  constant_arrays(kernel);
  split_local_arrays(kernel);
  forward_stores(kernel);
}

void run(ir::Kernel& kernel, const PassOptions& options) {
  const bool is_cut = kernel.body == ir::BlockId::None;
  auto done = [&](std::string_view pass, bool verify) {
    if (verify || options.verify_each) ir::require_valid(kernel, pass);
    if (options.after_pass) options.after_pass(pass, kernel);
  };
  done("lower", false);
  if (!is_cut) {
    constant_arrays(kernel);
    done("constant_arrays", false);
    split_local_arrays(kernel);
    done("split_local_arrays", false);
    forward_stores(kernel);
    done("forward_stores", false);
    split_tasks(kernel, options.plan);
    done("split_tasks", false);
    if (!options.plan.blocks && has_block_loops(kernel)) {
      cut_blocks(kernel, options.subgroup_size);
      done("cut_blocks", true);
    }
    if (options.plan.costs) {
      // Estimated before there are counters. So coverage changes neither the chunks of a range, nor the random numbers
      // of a chunk.
      for (ir::Task& task : kernel.tasks) task.cost = iteration_cost(kernel, task);
    }
    if (options.lower_probes) {
      options.lower_probes(kernel);
      done("lower_probes", false);
    }
  }
  refuse_probes(kernel);
  demote_atomics(kernel);
  done("demote_atomics", !options.plan.chunks);
  if (!options.plan.chunks) return;
  privatize_reductions(kernel, options.plan.gathering);
  done("privatize_reductions", true);
}

}  // namespace qd::passes
