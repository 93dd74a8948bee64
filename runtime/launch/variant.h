// One compiled variant of a kernel: code for one set of argument types, and how its tasks run.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/abi/launch_context.h"
#include "runtime/device/cpu/loader.h"
#include "runtime/device/cpu/thread_pool.h"
#include "runtime/ir/kernel.h"
#include "runtime/launch/observer.h"

namespace qd {

struct Config;

/// What all launches of a program share.
struct Machine {
  explicit Machine(int threads, uint64_t seed) : pool(threads), random_seed(seed) {}

  device::ThreadPool pool;
  uint64_t random_seed;
  std::atomic<uint64_t> launches = 0;
  std::function<void(std::string_view)> print;  // one call a launch; called by the launching thread
};

class Variant {
 public:
  /// Compiles a kernel as the front end made it. `field_slot` gives the memory of a field by its id.
  Variant(ir::Kernel kernel, const Config& config, LaunchObserver* observer, const std::function<const ArraySlot&(uint64_t)>& field_slot);

  const ir::Kernel& kernel() const { return kernel_; }
  std::string assembly(const Config& config) const;

  /// Runs all tasks and waits. `arrays` has room for Kernel::arrays, of which the parameters are filled in; params and results have a word for each.
  /// Gives the number of tasks that ran. Throws KernelAssertionError.
  int launch(Machine& machine, ArraySlot* arrays, const uint64_t* params, uint64_t* results) const;

 private:
  struct Task {
    TaskFunction function = nullptr;
    int64_t cost = 1;        // of an iteration: an estimate in tenths of nanoseconds
    bool uniform = true;     // iterations cost about the same
    bool random = false;     // draws random numbers
  };
  struct Launch;
  int64_t iterations(const ir::Task& task, const LaunchContext& context) const;
  int64_t chunk(size_t task, int64_t iterations, int threads, const LaunchContext& context) const;
  void run_task(size_t task, int64_t iterations, Machine& machine, Launch& launch) const;
  std::string failure(uint32_t format, const std::vector<uint64_t>& values) const;

  ir::Kernel kernel_;
  std::unique_ptr<VariantObserver> observer_;
  std::unique_ptr<device::LoadedObject> code_;
  std::vector<Task> tasks_;
  std::vector<ArraySlot> fields_;  // the arrays after the parameters
  size_t first_field_ = 0;
};

}  // namespace qd
