// Formulas of runtime/mathematics as functions of LLVM.
#pragma once

#include <llvm/IR/Module.h>

#include "runtime/ir/kernel.h"

namespace qd::codegen {

/// Registers for integers of a number alone: apart in registers of their own, or beside floats in those for vectors.
/// A processor takes as long for moving a number from one to the other and back as for some additions.
enum class Integers : uint8_t { Apart, BesideFloats };

/// Defines `function`, which must have no body, as the kernel's first routine. Its parameters and its result are
/// numbers, or vectors of some of these; then each number is computed as if it were alone. The block of an If runs when
/// one of the numbers needs it, and changes only those that do. The instructions are never approximated.
void emit_formula(const ir::Kernel& formula, llvm::Function& function, Integers integers = Integers::Apart);

}  // namespace qd::codegen
