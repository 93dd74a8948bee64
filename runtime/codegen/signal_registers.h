// Registers of a thread at a signal, on each processor.
#pragma once

#include <ucontext.h>

namespace qd::codegen {

/// The address of the instruction at which a signal came, and the stack pointer there, of a handler's third argument.
/// The thread goes on with what is written there.
#if defined(__x86_64__)
inline auto& program_counter(void* context) { return static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]; }
inline auto& stack_pointer(void* context) { return static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]; }
#elif defined(__aarch64__)
inline auto& program_counter(void* context) { return static_cast<ucontext_t*>(context)->uc_mcontext.pc; }
inline auto& stack_pointer(void* context) { return static_cast<ucontext_t*>(context)->uc_mcontext.sp; }
#else
#error "qd-cov runs kernels on x86-64 and AArch64 only; the reporter alone is built with -DQD_RUNTIME=OFF"
#endif

}  // namespace qd::codegen
