// How a coverage layer takes part in compiling and launching. The runtime knows nothing else of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/ir/instruments.h"
#include "runtime/ir/kernel.h"
#include "runtime/passes/plan.h"

namespace qd {

/// The stream of launches that name none.
inline constexpr uint32_t kDefaultStream = 0;

/// One compiled variant of a kernel, as its observer sees it. Lives as long as the variant, and as long as a launch of
/// it is in flight.
class VariantObserver {
 public:
  virtual ~VariantObserver() = default;
  /// A launch in flight.
  struct Counters {
    uint32_t id =
        0;  // no other launch of the variant in flight has it; launches that are over had it on the same stream
    std::span<uint64_t> words;  // at least Kernel::counters, for code that counts in the host's memory; earlier
                                // launches of this id have counted there
    uint64_t epoch = 0;         // that it counts for
  };
  /// A launch starts. Called once for each, from any thread; it ends with launch_done or launch_left. Code counts on in
  /// `words`, or from 0 in memory of its device.
  virtual Counters begin(uint32_t stream) = 0;
  /// The launch is over: every task has finished, or one has failed. `words`: those that begin() gave, or as many that
  /// were read back and have the counts of this launch alone. From any thread, and as late as the launcher hears of the
  /// end.
  virtual void launch_done(uint32_t id, std::span<const uint64_t> words) = 0;
  /// The launch was left in the middle: its counts say nothing.
  virtual void launch_left(uint32_t id) = 0;
  /// Nothing is left to learn from launches now: they may run without counting.
  virtual bool all_taken() const = 0;
  /// Changes when all_taken may become false again. From 1.
  virtual const std::atomic<uint64_t>& epoch() const = 0;
  /// For each counter, whether launches of this epoch can still teach something through it: they may leave out the
  /// others from now on. Empty when that is not known.
  virtual std::vector<bool> open_counters(uint64_t epoch) const { return {}; }
};

class LaunchObserver {
 public:
  virtual ~LaunchObserver() = default;
  /// Turns the probes of a kernel that is split into tasks, to run on a device of this kind (as Capabilities::arch),
  /// into counters. `counts`: what the target's plan says. Null: the kernel has none left, and is launched unobserved.
  virtual std::unique_ptr<VariantObserver> lower_probes(ir::Kernel& kernel, const std::string& arch,
                                                        passes::LaunchCounts counts) = 0;
  /// What kernels are compiled to tell; lower_probes turns all of it into counters.
  virtual ir::Instruments instruments() const { return ir::instruments(ir::Instrument::Arcs); }
  /// A variant of a kernel does not compile for such a device: `message` says why in one line.
  virtual void compile_failed(const ir::Function& kernel, const std::string& message, const std::string& arch) {}
};

}  // namespace qd
