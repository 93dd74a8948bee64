// The target of the simulated devices.
#pragma once

#include <string_view>

#include "runtime/codegen/target.h"

namespace qd::simulated {

/// Makes images (image.h) with the code generator of GPUs. "cuda": subgroups of 32 lanes; "hip": as QD_SIMULATED_WAVE
/// says, and functions that call themselves are an error, as for AMD's GPUs. Null for another maker.
const codegen::Target* target_of(std::string_view maker);

}  // namespace qd::simulated
