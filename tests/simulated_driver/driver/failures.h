// Counts of calls of each function of the drivers, and the calls among them that are to fail.
#pragma once

#include <cstdint>
#include <string_view>

#include "tests/simulated_driver/driver/results.h"

namespace qd::simulated {

/// A function by its exported name; its version does not matter ("cuMemAlloc_v2" is "cuMemAlloc").
class Function;
Function& function_named(std::string_view name);

/// Counts a call. Gives what it shall fail with, which is Result::Success for most.
Result begin_call(Function& function);

/// The functions that shall fail: "cuMemHostAlloc=2@3,cuStreamQuery=700@1+": the third call of the first gives 2, and
/// all calls of the second from the first one on give 700. Without @ all calls fail. Calls are counted anew. False: the
/// text is wrong, and nothing fails.
bool set_failures(std::string_view specification);
uint64_t calls_of(std::string_view function);
/// Counts from 0 again; QD_SIMULATED_FAIL names the calls that are to fail.
void reset_calls();

}  // namespace qd::simulated
