// One compiled variant of a kernel: code for one set of argument types, and the clean code that takes its place when coverage has seen all.
#pragma once

#include "runtime/launch/clean_code.h"
#include "runtime/launch/code.h"

namespace qd {

class Variant {
 public:
  /// Compiles a kernel as the front end made it. `field_slot` gives the memory of a field by its id.
  Variant(ir::Kernel kernel, const Config& config, LaunchObserver* observer, const std::function<const ArraySlot&(uint64_t)>& field_slot);

  /// With what its observer has made of it; its arguments and results are those of the clean code too.
  const ir::Kernel& kernel() const { return code_->kernel(); }
  std::string assembly(const Config& config) const { return code_->assembly(config); }

  /// Runs all tasks and waits. `arrays` has room for Kernel::arrays, of which the parameters are filled in; params and results have a word for each.
  /// Gives the number of tasks that ran. Throws KernelAssertionError.
  int launch(Machine& machine, ArraySlot* arrays, const uint64_t* params, uint64_t* results) const;

  /// The code that a launch would run now without counting; null while launches count.
  const Code* clean() const { return clean_ && observer_->all_taken() ? clean_->ready() : nullptr; }

 private:
  std::unique_ptr<VariantObserver> observer_;
  std::unique_ptr<Code> code_;
  std::shared_ptr<CleanCode> clean_;  // null when there is nothing to switch from
};

}  // namespace qd
