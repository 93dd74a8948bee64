// The smallest kernel with coverage: its start takes (-1, 2), its end (2, -1).
#pragma once

#include "runtime/ir/kernel.h"
#include "runtime/launch/observer.h"

namespace qd::instrument::testing {

inline constexpr char kFile[] = "/project/kernels.py";

inline ir::Kernel two_arcs() {
  ir::Kernel kernel;
  kernel.functions.push_back({kFile, "k", 1});
  kernel.probes = {{0, -1, 2}, {0, 2, -1}};
  ir::Task task;
  task.body = kernel.add_block();
  task.start_probes = {0};
  kernel.tasks.push_back(task);
  kernel.end_probes = {1};
  return kernel;
}

/// Acts as the launcher; without `to_the_end` as if an assert had failed.
inline void launch(VariantObserver& variant, const ir::Kernel& kernel, bool to_the_end = true) {
  const VariantObserver::Counters counters = variant.begin(kDefaultStream);
  ++counters.words[kernel.tasks[0].start_counter];
  if (to_the_end) ++counters.words[kernel.end_counter];
  variant.launch_done(counters.id, counters.words);
}

}  // namespace qd::instrument::testing
