// Derivative probes of the kernel of a mode.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "runtime/ir/builder.h"
#include "runtime/ir/derivative_probe.h"
#include "runtime/ir/kernel.h"

namespace qd::autodiff {

/// Adds derivative probes to a kernel: a row of Kernel::probes for each line, and instructions that name it.
class DerivativeProbes {
 public:
  explicit DerivativeProbes(ir::Kernel& kernel) : kernel_(kernel) {}

  /// Adds a probe of the line of a location, into Kernel::locations, at the builder's place.
  void add(ir::Builder& build, uint32_t location) {
    const ir::Location& place = kernel_.locations[location];
    const auto [row, fresh] =
        rows_.try_emplace({place.function, place.line}, static_cast<uint32_t>(kernel_.probes.size()));
    if (fresh) kernel_.probes.push_back({place.function, ir::kDerivative, place.line});
    const ir::Builder::Scope scope(build, location);
    build.inst(ir::Op::Probe, ir::Type::Void, {}, row->second);
  }

 private:
  ir::Kernel& kernel_;
  std::map<std::pair<uint32_t, int32_t>, uint32_t> rows_;  // by function and line
};

}  // namespace qd::autodiff
