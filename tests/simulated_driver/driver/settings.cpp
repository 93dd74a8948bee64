#include "tests/simulated_driver/driver/settings.h"

#include <cstdlib>

namespace qd::simulated {
namespace {

std::optional<uint64_t> number(const char* name) {
  const char* text = std::getenv(name);
  if (!text || !*text) return std::nullopt;
  return std::strtoull(text, nullptr, 0);
}

}  // namespace

Settings settings_of_environment() {
  Settings settings;
  settings.devices = static_cast<int>(number("QD_SIMULATED_DEVICES").value_or(1));
  settings.memory = number("QD_SIMULATED_MEMORY").value_or(settings.memory);
  settings.compute_capability = static_cast<int>(number("QD_SIMULATED_COMPUTE").value_or(75));
  settings.wave = number("QD_SIMULATED_WAVE") == 32 ? 32 : 64;
  settings.processors = static_cast<int>(number("QD_SIMULATED_PROCESSORS").value_or(4));
  settings.keys = number("QD_SIMULATED_KEYS") != 0;
  const char* checks = std::getenv("QD_SIMULATED_CHECKS");
  if (checks && *checks == '/') settings.checks_file = checks;
  settings.checks = !settings.checks_file.empty() || number("QD_SIMULATED_CHECKS").value_or(0) != 0;
  settings.seed = number("QD_SIMULATED_SEED");
  return settings;
}

}  // namespace qd::simulated
