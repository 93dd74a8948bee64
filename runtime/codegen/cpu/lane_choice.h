// The choice of tasks whose iterations run together, as lanes of vectors (lane_emitter.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/ir/kernel.h"
#include "runtime/passes/divergence.h"

namespace qd::codegen {

/// Fewest iterations of the last axis for which lanes pay: fewer fill no vector.
inline constexpr int64_t kFewestLanes = 8;

/// The reason for which iterations of a parallel task cannot be lanes; empty: they can.
std::string_view obstacle_of_lanes(const ir::Kernel& kernel, const ir::Task& task,
                                   const passes::Divergence& divergence);

/// Lanes for which the vectors of most values are twice as long as the processor's: so one's instructions run while the
/// other one's results are waited for.
unsigned number_of_lanes(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence);

/// Whether lanes are likely faster than what LLVM makes of the loop over the iterations.
bool lanes_pay(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence);

}  // namespace qd::codegen
