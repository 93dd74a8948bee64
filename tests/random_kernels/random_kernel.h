// Random kernels without data races, and arguments for them.
#pragma once

#include <cstdint>

#include "runtime/ir/kernel.h"
#include "tests/random_kernels/interpret.h"

namespace qd::testing {

/// A kernel with parallel and serial loops at its top level, values and variables that cross them, nested control flow,
/// atomics on every kind of place, and probes.
struct KernelOptions {
  bool draws = false;  // most branches and loops go by random numbers, and more probes stand in them: what control flow
                       // can do, not what code computes
  bool asserts = true;   // that may fail
  bool regions = false;  // loops and ifs of the schedule
};
ir::Kernel random_kernel(uint32_t seed, KernelOptions options = {});
/// Whether a loop with this body, or several of them, mean the same in whatever order iterations run.
bool is_free_of_order(const ir::Kernel& kernel, ir::BlockId body);
/// `longest`: the largest extent of an axis of a parameter.
Launch random_launch(const ir::Kernel& kernel, uint32_t seed, uint32_t longest = 5);

}  // namespace qd::testing
