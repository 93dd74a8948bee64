// Switch from one stack to another: the only part of a fibre that depends on the processor.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace qd::simulated {

/// A stack that code was left on, to go on there.
struct SavedStack {
  void* stack;
  void* fiber;  // ThreadSanitizer's handle of the stack; else null
};

#if defined(__x86_64__)
/// Inlined, and without a call or a return of its own: so each function that a stack was left in returns to the place
/// that the processor has noted for the call of another one, which is the same, and predicts it.
[[gnu::always_inline]] inline void switch_stack_pointer(void** from, void* to) {
  asm volatile(
      "leaq -128(%%rsp), %%rsp\n\t"  // below what a function without calls may use
      "pushq %%rbp\n\t"
      "pushq %%rbx\n\t"
      "leaq 1f(%%rip), %%rax\n\t"
      "pushq %%rax\n\t"
      "movq %%rsp, (%0)\n\t"
      "movq %1, %%rsp\n\t"
      "popq %%rax\n\t"
      "jmpq *%%rax\n"
      "1:\n\t"
      "popq %%rbx\n\t"
      "popq %%rbp\n\t"
      "leaq 128(%%rsp), %%rsp\n\t"
      : "+D"(from), "+S"(to)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3",
        "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc",
        "memory");
}
#else
void switch_stack_pointer(void** from, void* to);
#endif

/// Goes on at `to`, and leaves this place in `from`.
[[gnu::always_inline]] inline void switch_stack(SavedStack& from, const SavedStack& to) {
#if defined(__SANITIZE_THREAD__)
  from.fiber = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.fiber, 0);
#endif
  switch_stack_pointer(&from.stack, to.stack);
}

/// Makes a place on a stack of its own, which calls `start`; that must not return. The stack's memory ends at `top`, a
/// multiple of 16 bytes, and must stay while the stack is used. A place that is made again must not be in use.
void make_stack(SavedStack& place, char* top, size_t bytes, void (*start)());

/// To be called when a jump out of a signal handler has led from some stack to the one that was left at `to`.
void has_jumped(const SavedStack& to);

}  // namespace qd::simulated
