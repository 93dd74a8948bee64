// How a coverage layer takes part in compiling and launching. The runtime knows nothing else of it.
#pragma once

#include <cstdint>
#include <memory>

#include "runtime/ir/kernel.h"

namespace qd {

/// One compiled variant of a kernel, as its observer sees it. Lives as long as the variant.
class VariantObserver {
 public:
  virtual ~VariantObserver() = default;
  /// Where this launch counts: at least Kernel::counters elements, valid until launch_done. Called once a launch, from any thread.
  virtual uint64_t* counters() = 0;
  /// The launch that got these counters is over: every task has finished, or one has failed.
  virtual void launch_done(uint64_t* counters) = 0;
  /// Nothing is left to learn from launches now: they may run without counting.
  virtual bool all_taken() const = 0;
};

class LaunchObserver {
 public:
  virtual ~LaunchObserver() = default;
  /// Turns the probes of a kernel that is split into tasks into counters. Null: the kernel has none left, and is launched unobserved.
  virtual std::unique_ptr<VariantObserver> lower_probes(ir::Kernel& kernel) = 0;
};

}  // namespace qd
