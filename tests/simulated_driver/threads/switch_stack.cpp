// On x86-64 a switch saves the registers that belong to the caller, some nanoseconds. Elsewhere it is the C library's,
// which asks the kernel for the signal mask each time.
#include "tests/simulated_driver/threads/switch_stack.h"

#include <cstdint>
#include <cstring>

#if defined(__x86_64__)

asm(R"(
  .text
  .p2align 4
  .type qd_simulated_switch_stack, @function
qd_simulated_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  retq
  .size qd_simulated_switch_stack, .-qd_simulated_switch_stack
)");
extern "C" [[gnu::visibility("hidden")]] void qd_simulated_switch_stack(void** from, void* to);

namespace qd::simulated {

void switch_stack(void** from, void* to) { qd_simulated_switch_stack(from, to); }

void* new_stack(char* top, void (*start)()) {
  // Six registers, the address to which the switch returns, and the one to which `start` would.
  uint64_t words[8] = {};
  words[6] = reinterpret_cast<uint64_t>(start);
  top -= sizeof words;
  std::memcpy(top, words, sizeof words);
  return top;
}

}  // namespace qd::simulated

#else

#include <ucontext.h>

#include <new>

namespace qd::simulated {
namespace {

constexpr size_t kStack = size_t{1} << 16;

}  // namespace

void switch_stack(void** from, void* to) {
  ucontext_t here;
  *from = &here;
  swapcontext(&here, static_cast<ucontext_t*>(to));
}

void* new_stack(char* top, void (*start)()) {
  char* const place = top - (sizeof(ucontext_t) + 15) / 16 * 16;
  auto* context = new (place) ucontext_t;
  getcontext(context);
  context->uc_stack.ss_sp = place - kStack;
  context->uc_stack.ss_size = kStack;
  context->uc_link = nullptr;
  makecontext(context, start, 0);
  return context;
}

}  // namespace qd::simulated

#endif
