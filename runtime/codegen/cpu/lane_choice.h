// The choice of tasks whose iterations run together, as lanes of vectors (lane_emitter.h).
#pragma once

#include <cstdint>
#include <optional>
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

/// Whether this processor has registers for masks, with a bit for each lane, and vectors of 512 bits: AVX-512.
bool has_mask_registers();

/// Iterations that run together.
struct LaneShape {
  unsigned lanes = 0;      // 0: they run one after the other
  unsigned mask_bits = 1;  // of a lane's part of a mask: 1, or those of most values
};
/// Lanes for which the vectors of most values are as long as the longest ones of the processor, or twice as long where
/// one's instructions run while the other one's results are waited for.
LaneShape lane_shape(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence);

/// The form of a parallel task.
struct LaneChoice {
  LaneShape shape;
  std::string reason;  // for which they do not run together, as a noun
  ir::InstId at = ir::InstId::None;
  std::optional<LaneShape> other = {};  // of another form, with the same bits, which may be faster: only time can tell
};
LaneChoice choose_lanes(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence);

}  // namespace qd::codegen
