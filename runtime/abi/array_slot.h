// An array as code on a device sees it.
#pragma once

#include <cstdint>

namespace qd {

constexpr int kMaxRank = 12;

/// Memory of one array of a launch. Where the elements lie in it is known to the code (ir::Layout).
struct ArraySlot {
  void*
      data;  // the first number, as the device addresses it: on a device with memory of its own the host cannot read it
  int32_t shape[kMaxRank];
};

}  // namespace qd
