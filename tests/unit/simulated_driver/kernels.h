// Kernels for the simulated devices: compiled by the library's target, loaded and launched by its functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "instrument/lower_probes.h"
#include "runtime/abi/array_slot.h"
#include "runtime/abi/device_launch.h"
#include "tests/unit/simulated_driver/library.h"

namespace qd::simulated::testing {

/// A kernel of IR as a launcher makes it ready, with a task that runs.
struct Ready {
  ir::Kernel kernel;
  instrument::CoverageMap map;
  codegen::Binary binary;
};
Ready compiled(std::string_view text, const char* maker = "cuda");

/// A loaded kernel with memory for the arguments that a launch gives to tasks.
class WithKernel : public Simulated {
 protected:
  /// Compiles and loads.
  void load(std::string_view text, const char* maker = "cuda");
  /// Arrays of i32 with one axis, by their addresses and lengths.
  void bind(const std::vector<std::pair<uint64_t, int32_t>>& arrays, const std::vector<uint64_t>& params = {});
  /// Launches the last task of the kernel for so many iterations. Gives what the launching function does.
  int launch(uint32_t iterations, void* on = nullptr);
  int launch_groups(uint32_t groups, uint32_t threads, void* on = nullptr);
  std::vector<uint64_t> counters();
  Ready ready_;
  void* module_ = nullptr;
  void* function_ = nullptr;
  uint64_t launch_ = 0, counters_ = 0;
  uint32_t group_size_ = 0;
};

/// y[i] = x[i] + 1, counted: how many were greater than 5.
extern const std::string_view kAddOne;
/// A block of 128 threads turns its part of an array round, through two shared arrays, whose sum it stores.
extern const std::string_view kTurn;
/// y[i] is x[i + 1], which a shuffle gives, and both halves of a ballot of x[i] > x[i + 1].
extern const std::string_view kLanes;
/// Waits until x[0] is 1, and sets y[i] to 2.
extern const std::string_view kWait;

}  // namespace qd::simulated::testing
