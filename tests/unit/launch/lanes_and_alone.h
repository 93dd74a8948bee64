// Iterations that run as lanes of vectors against the same ones one after the other: one random kernel, with counters.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "instrument/lower_probes.h"
#include "runtime/codegen/cpu/lane_choice.h"
#include "runtime/ir/walk.h"
#include "runtime/passes/divergence.h"
#include "runtime/passes/pipeline.h"
#include "tests/unit/launch/compiled_kernel.h"

namespace qd::testing {

/// The comparison of a kernel's lanes.
struct LaneComparison {
  int divergent = 0;       // tasks whose lanes took control flow differently; 0: nothing was compared
  std::string difference;  // empty: none
};

/// The tasks of a kernel whose lanes take control flow differently; 0 where a task that could run as lanes means
/// something in one order of iterations alone.
inline int divergent_tasks(ir::Kernel kernel) {
  passes::run(kernel, {.lower_probes = [](ir::Kernel& lowered) { instrument::lower_probes(lowered); }});
  int found = 0;
  for (const ir::Task& task : kernel.tasks) {
    if (task.kind != ir::Task::Kind::Parallel) continue;
    const passes::Divergence divergence(kernel, task);
    if (!codegen::obstacle_of_lanes(kernel, task, divergence).what.empty()) continue;
    if (!is_free_of_order(kernel, task.body)) return 0;
    bool diverges = false;
    ir::walk(kernel, task.body, [&](ir::InstId id) { diverges |= divergence.diverges(id); });
    found += diverges;
  }
  return found;
}

/// The runs of a kernel; nothing where the interpreter gives up, because random numbers keep it in a loop.
inline std::optional<BothRuns> runs_that_end(uint32_t seed, Counting* observer, const MadeUp& made_up) {
  try {
    return run_both(seed, observer, made_up);
  } catch (const std::runtime_error& error) {
    if (error.what() != std::string_view("endless")) throw;
    return std::nullopt;
  }
}

/// `longest`: as in MadeUp.
inline LaneComparison compare_lanes(uint32_t seed, const KernelOptions& options, uint32_t longest) {
  LaneComparison found;
  const int divergent = divergent_tasks(random_kernel(seed, options));
  if (divergent == 0) return found;
  MadeUp made_up{options, ir::Vectorize::Yes, longest};
  Counting together(instrument::lower_probes), alone(instrument::lower_probes);
  const std::optional<BothRuns> runs = runs_that_end(seed, &together, made_up);
  if (!runs) return found;
  found.divergent = divergent;
  made_up.vectorize = ir::Vectorize::No;
  const BothRuns runs_alone = run_both(seed, &alone, made_up);
  const Outcome &one = runs->actual, &other = runs_alone.actual;
  // The interpreter's kernel is not cut into tasks, of which each draws numbers of its own.
  if (!options.draws && !runs->same()) {
    found.difference = "the interpreter's results";
  } else if (one.failed != other.failed || one.results != other.results || one.arrays != other.arrays) {
    found.difference = "results";
  } else if (!runs->inside || !runs_alone.inside) {
    found.difference = "memory beside the arrays";
  } else if (together.buffer != alone.buffer) {
    found.difference = "counters";
  }
  if (!found.difference.empty()) found.difference += "\n" + ir::print(runs->kernel) + runs->compiled;
  return found;
}

}  // namespace qd::testing
