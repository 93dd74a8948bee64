// One compiled variant of a kernel: code for one set of argument types, and what takes its place when coverage has seen all, or much.
#pragma once

#include "runtime/launch/clean_code.h"
#include "runtime/launch/forms.h"
#include "runtime/launch/partial_code.h"

namespace qd {

class Variant {
 public:
  /// Compiles a kernel as the front end made it. `field_slot` gives the memory of a field by its id. `cache` may be null.
  Variant(ir::Kernel kernel, const Config& config, LaunchObserver* observer, const std::function<const ArraySlot&(uint64_t)>& field_slot,
          std::shared_ptr<CodeCache> cache = nullptr);

  /// With what its observer has made of it; its arguments and results are those of the clean code too.
  const ir::Kernel& kernel() const { return code_->kernel(); }
  std::string assembly(const Config& config) const { return code_->assembly(config); }

  /// Runs all tasks and waits. `arrays` has room for Kernel::arrays, of which the parameters are filled in; params and results have a word for each.
  /// `poll` may be null. Gives the number of tasks that ran. Throws KernelAssertionError, KernelInterrupted.
  int launch(Machine& machine, ArraySlot* arrays, const uint64_t* params, uint64_t* results, LaunchPoll* poll = nullptr) const {
    const bool clean = epoch_ && clean_in_.load(std::memory_order_acquire) == epoch_->load(std::memory_order_acquire);
    if (clean) return ready_.load(std::memory_order_relaxed)->launch(machine, arrays, params, results, poll);
    return launch_observed(machine, arrays, params, results, poll);
  }

  /// Whether its code was in the cache.
  bool code_found() const { return code_->found(); }

  /// The code that a launch would run now without counting; null while launches count.
  const Code* clean() const { return clean_ && observer_->all_taken() ? clean_->ready() : nullptr; }

 private:
  int launch_observed(Machine& machine, ArraySlot* arrays, const uint64_t* params, uint64_t* results, LaunchPoll* poll) const;

  std::unique_ptr<VariantObserver> observer_;
  std::shared_ptr<Forms> forms_;
  const Code* code_ = nullptr;  // the first form
  std::shared_ptr<CleanCode> clean_;  // null when there is nothing to switch from
  std::shared_ptr<PartialCode> partial_;  // likewise
  // What launches look at first: clean code is run without another question in an epoch in which it has been run once.
  const std::atomic<uint64_t>* epoch_ = nullptr;  // null: clean_ is, too
  mutable std::atomic<uint64_t> clean_in_ = 0;
  mutable std::atomic<const Code*> ready_ = nullptr;
};

}  // namespace qd
