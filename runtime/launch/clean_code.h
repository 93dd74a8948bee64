// The same kernel without probes: what a program without coverage would have compiled.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "runtime/launch/background.h"
#include "runtime/launch/code.h"
#include "runtime/launch/program.h"

namespace qd {

/// Compiles itself in the background once launches have asked for it a few times. Outlives its variant when that ends meanwhile.
class CleanCode : public BackgroundJob, public std::enable_shared_from_this<CleanCode> {
 public:
  /// `kernel` as the front end made it, with probes.
  CleanCode(ir::Kernel kernel, const Config& config, std::vector<ArraySlot> fields, std::shared_ptr<CodeCache> cache = nullptr);

  /// For a launch that need not count: the code, or null while there is none.
  const Code* get() {
    const Code* code = ready();
    return code ? code : asked();
  }
  const Code* ready() const { return ready_.load(std::memory_order_acquire); }

  void run() override;
  void dropped() override { asked_.store(0, std::memory_order_relaxed); }

 private:
  const Code* asked();

  ir::Kernel kernel_;
  Config config_;
  std::vector<ArraySlot> fields_;
  std::shared_ptr<CodeCache> cache_;
  std::unique_ptr<Code> code_;
  std::atomic<const Code*> ready_ = nullptr;
  std::atomic<uint64_t> asked_ = 0;
};

}  // namespace qd
