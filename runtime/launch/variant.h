// One compiled variant of a kernel: the code for one set of argument types, and the code that replaces it when coverage
// has seen all, or much.
#pragma once

#include "runtime/launch/clean_code.h"
#include "runtime/launch/field_place.h"
#include "runtime/launch/forms.h"
#include "runtime/launch/launcher.h"
#include "runtime/launch/partial_code.h"

namespace qd {

/// A field that a kernel uses.
struct FieldUse {
  std::shared_ptr<FieldPlace> place;
  bool captured = false;  // the kernel has it, and keeps it alive; else it comes with the arguments of each launch
};
/// Finds a field by its id.
using FieldOf = std::function<FieldUse(uint64_t)>;

class Variant : public std::enable_shared_from_this<Variant> {
 public:
  /// Compiles a kernel in the form from the front end. `text` names the variant for the observer (variant_text).
  /// `cache` may be null.
  Variant(ir::Kernel kernel, const std::string& text, const Config& config, std::shared_ptr<device::Device> device,
          LaunchObserver* observer, const FieldOf& field_of, std::shared_ptr<CodeCache> cache = nullptr);

  /// The kernel with its counters. Arguments and results are the same in clean code.
  const ir::Kernel& kernel() const { return code_->kernel(); }
  std::string assembly(const Config& config) const { return code_->assembly(config); }

  /// Whether the fields that came with the arguments, when it was compiled, are there: if not, it never runs again.
  bool fields_are_there() const;
  /// The same for a launch. Throws KernelRuntimeError when a captured field has been destroyed.
  bool check_fields() const {
    return there_at_.load(std::memory_order_relaxed) == FieldPlace::endings() || look_at_fields();
  }

  /// Runs a launch in place (Launcher::run). `arrays` has room for Kernel::arrays, and has the parameters filled in;
  /// `params` and `results` have a word for each parameter and result. `poll` may be null; `kept` is Invocation::kept.
  void run(Launcher& launcher, ArraySlot* arrays, const uint64_t* params, uint64_t* results, LaunchPoll* poll = nullptr,
           uint64_t* kept = nullptr) const {
    for (const FieldRow& field : fields_) arrays[field.row] = field.slot;
    const bool clean = epoch_ && clean_in_.load(std::memory_order_acquire) == epoch_->load(std::memory_order_acquire);
    if (clean) {
      observer_->launched();
      return launcher.run(*ready_.load(std::memory_order_relaxed), arrays, params, results, poll, kept);
    }
    return run_observed(launcher, arrays, params, results, poll, kept);
  }

  /// Enqueues a launch (Launcher::enqueue). `launch` has its arrays, params, results, and the memories of its
  /// arguments.
  void enqueue(Launcher& launcher, LaunchStream& stream, const std::shared_ptr<LaunchInFlight>& launch) const;
  /// Called when a launch that was enqueued is over, whether it succeeded or not.
  void launch_over(LaunchInFlight& launch) const;

  /// Whether the code was in the offline cache.
  bool code_found() const { return code_->found(); }

  /// The code that a launch would run now if it did not count; null while launches count.
  const KernelCode* clean() const { return clean_ && observer_->all_taken() ? clean_->ready() : nullptr; }
  /// The clean code, or else that with all counters.
  const KernelCode& code() const { return clean() ? *clean() : *code_; }

 private:
  /// The code of a launch, and its counters' epoch.
  struct Choice {
    const KernelCode* code;
    Counting counting;
  };
  struct FieldRow {
    size_t row;  // an index into Kernel::arrays
    ArraySlot slot;
    std::shared_ptr<FieldPlace> place;
    std::shared_ptr<const void> hold;  // of a captured field
  };
  /// Chooses code for a launch on the stream with this number.
  Choice choose(uint32_t stream) const;
  /// Notes that a launch that may have counted is over: perhaps fewer counters are enough from now on.
  void counted(const Counting& counting) const;
  void run_observed(Launcher& launcher, ArraySlot* arrays, const uint64_t* params, uint64_t* results, LaunchPoll* poll,
                    uint64_t* kept) const;

  bool look_at_fields() const;
  void check_captured_fields() const;

  std::vector<FieldRow> fields_;
  mutable std::atomic<uint64_t> there_at_ = UINT64_MAX;  // FieldPlace::endings when all fields were seen last
  std::unique_ptr<VariantObserver> observer_;
  std::shared_ptr<Forms> forms_;
  const KernelCode* code_ = nullptr;      // the first form
  std::shared_ptr<CleanCode> clean_;      // null when there is no other code to change to
  std::shared_ptr<PartialCode> partial_;  // as clean_
  // The first checks of a launch. When clean code has run once in an epoch, later launches of that epoch run it without
  // a further question.
  const std::atomic<uint64_t>* epoch_ = nullptr;  // null when clean_ is null
  mutable std::atomic<uint64_t> clean_in_ = 0;
  mutable std::atomic<const KernelCode*> ready_ = nullptr;
};

}  // namespace qd
