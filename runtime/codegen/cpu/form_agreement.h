// Agreement of the two forms of a parallel loop: iterations as lanes of vectors, and one at a time.
#pragma once

#include "runtime/ir/kernel.h"
#include "runtime/passes/divergence.h"

namespace qd::codegen {

/// Whether both forms give the same bits, with the arithmetic of with_fixed_arithmetic. They do not where an order of
/// sums of floats is the form's, or where functions and approximations are others in vectors.
bool forms_agree(const ir::Kernel& kernel, const ir::Task& task, const passes::Divergence& divergence);

}  // namespace qd::codegen
