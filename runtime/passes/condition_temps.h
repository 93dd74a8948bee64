// Conditions of loops and ifs in temps, from which the schedule of a kernel reads them.
#pragma once

#include <cstdint>
#include <map>

#include "runtime/ir/kernel.h"

namespace qd::passes {

/// Stores the condition of each Region that is a loop or an if into a temp of its own, an i32 that is not 0 where the
/// loop goes on, or where the first block of the if runs. Gives the temp of each such Region. The condition of a loop
/// is that of the If at the end of its body whose first block ends with the loop's Break; the Break is taken out.
std::map<ir::InstId, uint32_t> condition_temps(ir::Kernel& kernel);

}  // namespace qd::passes
