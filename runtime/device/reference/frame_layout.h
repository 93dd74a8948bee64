// Where the values of a function lie while it is interpreted.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/ir/kernel.h"

namespace qd::device {

/// A frame is an array of words: one for each value, then the variables and loop indices. A call has a frame of its own, so that routines may call themselves.
struct FrameLayout {
  uint32_t words = 0;
};

/// The frames of all functions of a kernel: its tasks and its routines.
struct FrameLayouts {
  explicit FrameLayouts(const ir::Kernel& kernel);

  std::vector<FrameLayout> tasks, routines;
  std::vector<uint32_t> value;  // by InstId: the word of its value; of a call, of its first result
  std::vector<uint32_t> room;   // by InstId: of an Alloca, its first word; of a For, that of its first index
};

}  // namespace qd::device
