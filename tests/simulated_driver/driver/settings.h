// Settings of the simulated devices, from the environment. Read once, and again after qd_simulated_reset.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace qd::simulated {

struct Settings {
  int devices = 1;                      // QD_SIMULATED_DEVICES
  uint64_t memory = uint64_t{4} << 30;  // QD_SIMULATED_MEMORY: bytes of each device
  int compute_capability = 75;          // QD_SIMULATED_COMPUTE: 10 * major + minor
  uint32_t wave = 64;                   // QD_SIMULATED_WAVE: lanes of a subgroup of HIP, 32 or 64
  int processors = 4;                   // QD_SIMULATED_PROCESSORS
  bool keys = true;                     // QD_SIMULATED_KEYS=0: as if the processor had no protection keys
  bool checks = false;                  // QD_SIMULATED_CHECKS: kernels are checked for races and wrong addresses
  std::string checks_file;              // the same, where it is a path: findings are written there, and are no error
  std::optional<uint64_t> seed;         // QD_SIMULATED_SEED: of the order of streams
};

Settings settings_of_environment();

}  // namespace qd::simulated
