// Forms of a variant: code with all of the kernel's counters, with some, with none.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "runtime/launch/code.h"
#include "runtime/launch/program.h"

namespace qd {

/// Key of a form: the counters that it has. A table of forms belongs to one variant, so to one device and its target.
struct FormKey {
  ir::Instruments instruments = 0;  // empty: nothing is counted, as in a program without coverage
  std::vector<bool> counters;       // for each of the kernel's counters, whether the form has it; empty: all
  bool operator==(const FormKey&) const = default;
};

/// A table of code by its counters. It keeps the kernel as long as another form may be wanted. A code lives as long as
/// the table, because launches may still be running any of it.
class Forms {
 public:
  /// Compiles the first form. `kernel` is as from the front end. A kernel with probes needs `lower_probes`, which
  /// returns whether the kernel has an observer; then the form counts everything that `instruments` asks for. `cache`
  /// may be null.
  Forms(ir::Kernel kernel, const Config& config, std::shared_ptr<device::Device> device, ir::Instruments instruments,
        const std::function<bool(ir::Kernel&)>& lower_probes, std::shared_ptr<CodeCache> cache);

  /// The instruments of the first form.
  ir::Instruments instruments() const { return codes_.front().first.instruments; }
  const KernelCode& first() const { return *codes_.front().second; }
  /// Whether launches may change to another form.
  bool may_switch() const { return kernel_ != nullptr; }
  const Config& config() const { return config_; }

  /// Compiles a form unless it is there already. Only one thread at a time may call this, which jobs in the background
  /// do. Throws all that compilation throws.
  const KernelCode& compile(const FormKey& key);

 private:
  Config config_;
  const std::shared_ptr<device::Device> device_;
  std::shared_ptr<CodeCache> cache_;
  std::unique_ptr<const ir::Kernel> kernel_;   // as the front end made it; null: no other form will be needed
  std::unique_ptr<const ir::Kernel> lowered_;  // cut into tasks, with all its counters
  std::vector<std::pair<FormKey, std::unique_ptr<KernelCode>>> codes_;
};

}  // namespace qd
