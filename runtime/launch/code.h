// Loaded code of one kernel, and how its tasks run.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "runtime/abi/launch_context.h"
#include "runtime/device/cpu/loader.h"
#include "runtime/device/cpu/thread_pool.h"
#include "runtime/ir/kernel.h"
#include "runtime/launch/observer.h"
#include "runtime/launch/watch.h"

namespace qd {

struct Config;
class CodeCache;

/// What all launches of a program share.
struct Machine {
  explicit Machine(int threads, uint64_t seed)
      : pool(threads, [this](const std::string& text) {
          if (warn) warn(text);
        }), random_seed(seed) {}

  device::ThreadPool pool;
  uint64_t random_seed;
  std::atomic<uint64_t> launches = 0;
  std::function<void(std::string_view)> print;  // one call a launch; called by the launching thread
  std::function<void(std::string_view)> warn;   // likewise, a call for each warning

  /// Whether nobody has asked for this line and kind of warning before.
  bool first(std::string place) {
    std::lock_guard lock(mutex_);
    return places_.insert(std::move(place)).second;
  }

 private:
  std::mutex mutex_;
  std::set<std::string> places_;
};

class Code {
 public:
  using LowerProbes = std::function<void(ir::Kernel&)>;

  /// Compiles a kernel as the front end made it. `fields`: those of the kernel's arrays that are no parameters. A kernel with probes needs `lower_probes`. `cache`
  /// may be null.
  Code(ir::Kernel kernel, const Config& config, std::vector<ArraySlot> fields, const LowerProbes& lower_probes, CodeCache* cache = nullptr);

  /// Compiles a kernel that is cut into tasks, with the counters that it has left: another form of what `like` was compiled from.
  Code(ir::Kernel lowered, const Config& config, const Code& like, CodeCache* cache = nullptr);

  /// The memory of those of the kernel's arrays that are no parameters.
  const std::vector<ArraySlot>& fields() const { return fields_; }
  /// The kernel after all passes.
  const ir::Kernel& kernel() const { return kernel_; }
  std::string assembly(const Config& config) const;
  /// Whether the machine code was in the cache.
  bool found() const { return found_; }

  /// Variant::launch. The observer may be null; it has given the counters, and hears when the launch is done.
  int launch(Machine& machine, ArraySlot* arrays, const uint64_t* params, uint64_t* results, LaunchPoll* poll, VariantObserver* observer = nullptr,
             uint64_t* counters = nullptr) const;

 private:
  struct Task {
    TaskFunction function = nullptr;
    int64_t cost = 1;        // of an iteration: an estimate in tenths of nanoseconds
    bool uniform = true;     // iterations cost about the same
    bool random = false;     // draws random numbers
    ir::CounterRange counters;  // of its counts
    ir::CounterRange records;
    bool calls = false;      // leads to routines that count
    bool recursive = false;  // leads to routines that look at what is left of the stack
    bool loops = false;      // an iteration may take any time
  };
  struct Launch;
  /// Compiles kernel_, which has been through all passes.
  void load(const Config& config, CodeCache* cache);
  int64_t iterations(const ir::Task& task, const LaunchContext& context) const;
  int64_t chunk(size_t task, int64_t iterations, int threads, const LaunchContext& context) const;
  void run_task(size_t task, int64_t iterations, Machine& machine, Launch& launch) const;
  std::string failure(uint32_t format, const uint64_t* values, const std::vector<uint64_t>& calls = {}) const;
  /// Into Kernel::locations, of an assert or a warning.
  uint32_t location_of(uint32_t format) const;
  /// A line for a place and for each call of a func around it, innermost first.
  std::string trace(uint32_t location) const;

  ir::Kernel kernel_;
  bool found_ = false;
  std::unique_ptr<device::LoadedObject> code_;
  std::vector<Task> tasks_;
  ir::CounterRange routine_counters_, routine_records_;
  std::vector<ArraySlot> fields_;
  std::vector<size_t> field_rows_;  // of each field in Kernel::arrays
  std::unique_ptr<std::atomic<bool>[]> warned_;  // by format: each warns once; Machine::first says whether its line has warned before
};

}  // namespace qd
