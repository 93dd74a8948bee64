// Instrumentation of memory accesses, put in before code is optimised: so each access is one of the kernel's own.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

#include "runtime/ir/kernel.h"

namespace qd::simulated {

/// Puts a call of qd_simulated_access before each access to memory other than the function's own variables. Its third
/// argument is an AccessKind.
void check_accesses(llvm::Function& function);

/// Calls of qd_simulated_line and qd_simulated_fence. Null: the code that follows is of no line of the kernel.
void tell_line(llvm::IRBuilder<>& b, const ir::Kernel& kernel, const ir::Inst* inst);
void tell_fence(llvm::IRBuilder<>& b, ir::Scope scope);

}  // namespace qd::simulated
