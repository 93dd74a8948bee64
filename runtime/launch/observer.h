// How a coverage layer takes part in compiling and launching. The runtime knows nothing else of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/ir/kernel.h"
#include "runtime/passes/plan.h"

namespace qd {

/// One compiled variant of a kernel, as its observer sees it. Lives as long as the variant.
class VariantObserver {
 public:
  virtual ~VariantObserver() = default;
  /// Where a launch counts, and the epoch that it counts for.
  struct Counters {
    uint64_t* data = nullptr;  // at least Kernel::counters elements
    uint64_t epoch = 0;
  };
  /// Valid until launch_done or launch_left. Called once a launch, from any thread.
  virtual Counters counters() = 0;
  /// The launch that got these counters is over: every task has finished, or one has failed.
  virtual void launch_done(uint64_t* counters) = 0;
  /// That launch was left in the middle: its counters say nothing.
  virtual void launch_left(uint64_t* counters) = 0;
  /// Nothing is left to learn from launches now: they may run without counting.
  virtual bool all_taken() const = 0;
  /// Changes when all_taken may become false again. From 1.
  virtual const std::atomic<uint64_t>& epoch() const = 0;
  /// For each counter, whether launches of this epoch can still teach something through it: they may leave out the others from now on. Empty when that is not known.
  virtual std::vector<bool> open_counters(uint64_t epoch) const { return {}; }
};

class LaunchObserver {
 public:
  virtual ~LaunchObserver() = default;
  /// Turns the probes of a kernel that is split into tasks into counters; `counts`: what the target's plan says. Null: the kernel has none left, and is launched unobserved.
  virtual std::unique_ptr<VariantObserver> lower_probes(ir::Kernel& kernel, passes::LaunchCounts counts) = 0;
  /// Whether kernels are compiled with notes of what their conditions were (ir::Kernel::decisions), which lower_probes turns into counters too.
  virtual bool wants_conditions() const { return false; }
  /// A variant of a kernel does not compile: `message` says why in one line.
  virtual void compile_failed(const ir::Function& kernel, const std::string& message) {}
};

}  // namespace qd
