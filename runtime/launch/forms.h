// Everything that one variant of a kernel is compiled to.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "runtime/launch/code.h"
#include "runtime/launch/program.h"

namespace qd {

/// What a form of a kernel tells. The table is of one variant, and so of one device and its target.
struct FormKey {
  ir::Instruments instruments = 0;  // none: nothing, as a program without coverage compiles it
  std::vector<bool> counters;       // which of the kernel's; empty: all
  bool operator==(const FormKey&) const = default;
};

/// A table of code by what it counts. Keeps the kernel as long as another form of it may be wanted. Code lives as long
/// as the table: launches may still run all of it.
class Forms {
 public:
  /// Compiles the first form for a device. `kernel`: as the front end made it. A kernel with probes needs
  /// `lower_probes`, which gives whether somebody observes it: then the form counts all that `instruments` want.
  /// `cache` may be null.
  Forms(ir::Kernel kernel, const Config& config, std::shared_ptr<device::Device> device, ir::Instruments instruments,
        const std::function<bool(ir::Kernel&)>& lower_probes, std::shared_ptr<CodeCache> cache);

  /// What the first form tells.
  ir::Instruments instruments() const { return codes_.front().first.instruments; }
  const Code& first() const { return *codes_.front().second; }
  /// Whether there is another form to change to.
  bool may_switch() const { return kernel_ != nullptr; }
  const Config& config() const { return config_; }

  /// Compiles a form unless it is there. For one thread at a time: for jobs in the background. Throws what compilation
  /// throws.
  const Code& compile(const FormKey& key);

 private:
  Config config_;
  const std::shared_ptr<device::Device> device_;
  std::shared_ptr<CodeCache> cache_;
  std::unique_ptr<const ir::Kernel> kernel_;   // as the front end made it; null: no other form will be wanted
  std::unique_ptr<const ir::Kernel> lowered_;  // cut into tasks, with all its counters
  std::vector<std::pair<FormKey, std::unique_ptr<Code>>> codes_;
};

}  // namespace qd
