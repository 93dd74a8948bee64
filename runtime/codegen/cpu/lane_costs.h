// Costs of an iteration, alone and as a lane, estimated from its instructions.
#pragma once

#include <cstdint>

#include "runtime/ir/kernel.h"
#include "runtime/passes/divergence.h"

namespace qd::codegen {

/// Most numbers from one lane's element to the next one's for which vectors of memory are loaded, instead of gathers.
inline constexpr int64_t kLongestRecord = 4;

/// Costs in those of an addition of two numbers.
struct LaneCosts {
  double single = 0;  // where one iteration runs after the other; LLVM may have vectors for a loop in it
  double lanes = 0;   // of one lane
};

LaneCosts lane_costs(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence,
                     unsigned lanes);

}  // namespace qd::codegen
