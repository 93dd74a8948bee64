// The choice of tasks whose iterations run together, as lanes of vectors (lane_emitter.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/ir/kernel.h"
#include "runtime/passes/divergence.h"

namespace qd::codegen {

/// Fewest iterations of the last axis for which lanes pay: fewer fill no vector.
inline constexpr int64_t kFewestLanes = 8;

/// Obstacle that keeps iterations from being lanes, and its instruction.
struct LaneObstacle {
  std::string_view what;  // empty: nothing does
  ir::InstId at = ir::InstId::None;
};
/// Obstacle to lanes in a parallel task.
LaneObstacle obstacle_of_lanes(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence);

/// Lanes for which the vectors of most values are as long as the longest ones of processors, or twice as long where
/// one's instructions run while the other one's results are waited for.
unsigned number_of_lanes(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence);

/// The form of a parallel task.
struct LaneChoice {
  unsigned lanes = 0;  // iterations that run together; 0: they run one after the other
  std::string reason;  // for which they do not run together, as a noun
  ir::InstId at = ir::InstId::None;
};
LaneChoice choose_lanes(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence);

}  // namespace qd::codegen
