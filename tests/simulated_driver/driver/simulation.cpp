// What the library has beside the functions of the drivers: the target of its code, and what tests ask and want of it.
#include <string_view>

#include "tests/simulated_driver/driver/entry.h"
#include "tests/simulated_driver/driver/simulated_target.h"

/// An optional function of the launcher's: it compiles for this target instead of a GPU's. `maker`: "cuda" or "hip".
QD_DRIVER_FUNCTION const qd::codegen::Target* qd_simulated_target(const char* maker) {
  return qd::simulated::target_of(maker);
}

/// Makes calls fail, as QD_SIMULATED_FAIL does (failures.h). 0: the specification is wrong.
QD_DRIVER_FUNCTION int qd_simulated_fail(const char* specification) {
  return qd::simulated::set_failures(specification);
}

/// As if the library had just been loaded. All handles are void; threads other than this one must have no contexts.
QD_DRIVER_FUNCTION void qd_simulated_reset() {
  qd::simulated::driver().reset();
  qd::simulated::reset_calls();
}

/// How many are alive: "memory", "host", "stream", "event", "module", "context", "pool", "graph". -1: no such kind.
QD_DRIVER_FUNCTION long qd_simulated_live(const char* kind) {
  const std::lock_guard lock(qd::simulated::driver().mutex);
  return qd::simulated::driver().live(kind);
}

/// How often a function was called, since the start or a reset.
QD_DRIVER_FUNCTION unsigned long qd_simulated_calls(const char* function) { return qd::simulated::calls_of(function); }
