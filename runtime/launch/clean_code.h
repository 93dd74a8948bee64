// Clean code: the kernel without counters, the same code as in a program without coverage.
#pragma once

#include <atomic>
#include <memory>

#include "runtime/launch/background.h"
#include "runtime/launch/forms.h"

namespace qd {

/// Compiles clean code in the background after a few launches that had nothing left to record. The job may outlive its
/// variant.
class CleanCode : public BackgroundJob, public std::enable_shared_from_this<CleanCode> {
 public:
  explicit CleanCode(std::shared_ptr<Forms> forms) : forms_(std::move(forms)) {}

  /// The code for a launch that need not count: clean code, or null while there is none.
  const KernelCode* get() {
    const KernelCode* code = ready();
    return code ? code : asked();
  }
  const KernelCode* ready() const { return ready_.load(std::memory_order_acquire); }

  void run() override;
  void dropped() override { asked_.store(0, std::memory_order_relaxed); }

 private:
  const KernelCode* asked();

  const std::shared_ptr<Forms> forms_;
  std::atomic<const KernelCode*> ready_ = nullptr;
  std::atomic<uint64_t> asked_ = 0;
};

}  // namespace qd
