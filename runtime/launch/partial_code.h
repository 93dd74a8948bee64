// Partial code: the kernel with only those counters that can still say something new, for kernels that stay partly
// covered for long.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "runtime/launch/background.h"
#include "runtime/launch/forms.h"

namespace qd {

/// Compiles partial code in the background after launches of one epoch have brought nothing new for a while. The job
/// may outlive its variant.
class PartialCode : public BackgroundJob, public std::enable_shared_from_this<PartialCode> {
 public:
  explicit PartialCode(std::shared_ptr<Forms> forms) : forms_(std::move(forms)) {}

  /// The code for a launch that counts for this epoch: it counts everything that can still be new; null while there is
  /// none.
  const KernelCode* get(uint64_t epoch) const {
    const Form* form = form_.load(std::memory_order_acquire);
    return form && form->valid_in.load(std::memory_order_acquire) == epoch ? &form->code : nullptr;
  }

  /// Called when a launch that counted in this epoch is over, unless it was the last one that had to count.
  void launched(const VariantObserver& observer, uint64_t epoch);

  void run() override;
  void dropped() override { busy_.store(false, std::memory_order_release); }

 private:
  struct Form {
    std::vector<bool> counted;
    const KernelCode& code;
    std::atomic<uint64_t> valid_in;
  };
  bool long_enough(size_t open, uint64_t epoch);

  const std::shared_ptr<Forms> forms_;
  std::atomic<const Form*> form_ = nullptr;  // the latest of compiled_
  std::atomic<uint64_t> launches_ = 0;
  std::atomic<bool> busy_ = false;               // the thread that sets it owns the members below
  std::vector<std::unique_ptr<Form>> compiled_;  // launches may still be running any of them
  std::vector<bool> open_;
  uint64_t epoch_ = 0;
  size_t open_count_ = 0;
  std::chrono::steady_clock::time_point since_;  // begin of this state of the epoch and of the number of open counters
};

}  // namespace qd
