// Slot of an array in a launch: its memory and shape, as code on a device sees them.
#pragma once

#include <cstdint>

namespace qd {

constexpr int kMaxRank = 12;

/// Memory of one array of a launch. The code itself knows the layout of the elements (ir::Layout).
struct ArraySlot {
  void*
      data;  // address of the first number, for the device: on a device with memory of its own, the host cannot read it
  int32_t shape[kMaxRank];
};

}  // namespace qd
