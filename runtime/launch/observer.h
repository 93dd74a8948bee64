// The interface through which coverage takes part in compiling and launching. The runtime knows nothing else about
// coverage.
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

/// The number of the default stream.
inline constexpr uint32_t kDefaultStream = 0;

/// The observer of one compiled variant of a kernel. It lives as long as the variant, and as long as a launch of the
/// variant is in flight.
class VariantObserver {
 public:
  virtual ~VariantObserver() = default;
  /// Counters of one launch in flight.
  struct Counters {
    uint32_t id = 0;  // no other launch of the variant in flight has this number; earlier launches that had it were on
                      // the same stream
    std::span<uint64_t> words;  // Kernel::counters words or more, for code that counts in the host's memory; earlier
                                // launches with this id have counted there
    uint64_t epoch = 0;         // the epoch for which the launch counts
  };
  /// Called when a launch starts, once for each launch, from any thread. Each call is followed by one of launch_done or
  /// launch_left. Code of the launch adds to `words`, or counts from 0 in memory of its device.
  virtual Counters begin(uint32_t stream) = 0;
  /// Called when a launch is over: every task has finished, or one has failed. `words` are those from begin(); or as
  /// many words that were read back from a device, with the counts of this launch alone. Called from any thread, as
  /// late as the launcher learns of the end.
  virtual void launch_done(uint32_t id, std::span<const uint64_t> words) = 0;
  /// Called when a launch was left in the middle. Its counts mean nothing.
  virtual void launch_left(uint32_t id) = 0;
  /// Whether nothing is left to learn from launches now. Then they may run without counting.
  virtual bool all_taken() const = 0;
  /// A number that changes when all_taken() may become false again. At least 1.
  virtual const std::atomic<uint64_t>& epoch() const = 0;
  /// For each counter, whether launches of this epoch can still teach something through it. From now on they may leave
  /// out the others. Empty when that is not known.
  virtual std::vector<bool> open_counters(uint64_t epoch) const { return {}; }
  /// Called when a launch starts, whether it counts or not, from any thread.
  void launched() { launches_.fetch_add(1, std::memory_order_relaxed); }

 protected:
  std::atomic<uint64_t> launches_ = 0;  // launches that are not noted yet
};

class LaunchObserver {
 public:
  virtual ~LaunchObserver() = default;
  /// Turns the probes of a kernel into counters. The kernel is split into tasks, for a device of this kind
  /// (Capabilities::arch). `counts`: from the target's plan. `variant`: types and values that the kernel is compiled
  /// for, in the form of variant_text(). Null: the kernel has no probes left, and launches are not observed.
  virtual std::unique_ptr<VariantObserver> lower_probes(ir::Kernel& kernel, const std::string& arch,
                                                        passes::LaunchCounts counts, const std::string& variant) = 0;
  /// The instruments with which kernels are compiled. lower_probes turns all of them into counters.
  virtual ir::Instruments instruments() const { return ir::instruments(ir::Instrument::Arcs); }
  /// Called when a variant does not compile for such a device. `message`: the reason, in one line.
  virtual void compile_failed(const ir::Function& kernel, const std::string& message, const std::string& arch) {}
};

}  // namespace qd
