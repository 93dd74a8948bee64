// The forms of a kernel's parallel loops, for users.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/codegen/target.h"

namespace qd::codegen {

/// Forms of the parallel loops: "line 31: 16 iterations at a time, as lanes of vectors", or why one
/// runs after the other; and which form was the faster one, where both were timed. For a kernel of passes::run with its
/// locations.
std::vector<std::string> loop_forms(const ir::Kernel& kernel, std::span<const MeasuredForm> measured);

}  // namespace qd::codegen
