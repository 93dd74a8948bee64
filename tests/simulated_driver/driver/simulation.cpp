// Functions of the library that no driver has: the target of its code, and questions and settings of tests.
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

/// Resets the library to its state when loaded. All handles are void; other threads must have no contexts.
QD_DRIVER_FUNCTION void qd_simulated_reset() {
  qd::simulated::driver().reset();
  qd::simulated::reset_calls();
}

/// Live objects of a kind: "memory", "host", "stream", "event", "module", "context", "pool", "graph". -1: no such kind.
QD_DRIVER_FUNCTION long qd_simulated_live(const char* kind) {
  const std::lock_guard lock(qd::simulated::driver().mutex);
  return qd::simulated::driver().live(kind);
}

/// The number of calls of a function, since the start or a reset.
QD_DRIVER_FUNCTION unsigned long qd_simulated_calls(const char* function) { return qd::simulated::calls_of(function); }
