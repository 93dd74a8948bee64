// Functions of a module that are emitted from formulas, when they are first called.
#pragma once

#include "runtime/codegen/spirv/shared.h"

namespace qd::codegen::spirv {

/// The function of f32 or f64.
Id mathematical_function(Shared& shared, mathematics::Function function, ir::Type type);
Id software_function(Shared& shared, Software function, ir::Type type);

}  // namespace qd::codegen::spirv
