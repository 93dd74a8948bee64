// Non-local exit from compiled code: a call notes the stack pointer; to leave, the thread goes on behind the call with
// it.
#include "runtime/device/cpu/code_call.h"

#include <csignal>

#include <atomic>
#include <cerrno>
#include <mutex>
#include <new>
#include <type_traits>

#include "runtime/codegen/signal_registers.h"

// int qd_call_code(TaskFunction, LaunchContext*, ThreadState*, int64_t begin, int64_t end, void** stack) calls the
// function and returns 0. It returns 1 when the code was left, that is, when a thread has jumped to qd_left_code with
// the stack pointer that it stored in *stack. It saves the registers that a function must keep on the stack, because
// the code may have changed all of them.
#if defined(__x86_64__)
asm(R"(
  .pushsection .text
  .globl qd_call_code
  .hidden qd_call_code
  .type qd_call_code, @function
  .globl qd_left_code
  .hidden qd_left_code
qd_call_code:
  .cfi_startproc
  pushq %rbp
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset rbp, 0
  pushq %rbx
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset rbx, 0
  pushq %r12
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r12, 0
  pushq %r13
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r13, 0
  pushq %r14
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r14, 0
  pushq %r15
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset r15, 0
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  movq %rsp, (%r9)
  movq %rdi, %rax
  movq %rsi, %rdi
  movq %rdx, %rsi
  movq %rcx, %rdx
  movq %r8, %rcx
  callq *%rax
  xorl %eax, %eax
1:
  .cfi_remember_state
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  popq %r15
  .cfi_adjust_cfa_offset -8
  .cfi_restore r15
  popq %r14
  .cfi_adjust_cfa_offset -8
  .cfi_restore r14
  popq %r13
  .cfi_adjust_cfa_offset -8
  .cfi_restore r13
  popq %r12
  .cfi_adjust_cfa_offset -8
  .cfi_restore r12
  popq %rbx
  .cfi_adjust_cfa_offset -8
  .cfi_restore rbx
  popq %rbp
  .cfi_adjust_cfa_offset -8
  .cfi_restore rbp
  retq
qd_left_code:
  .cfi_restore_state
  cld
  movl $1, %eax
  jmp 1b
  .cfi_endproc
  .size qd_call_code, .-qd_call_code
  .popsection
)");
#elif defined(__aarch64__)
asm(R"(
  .pushsection .text
  .globl qd_call_code
  .hidden qd_call_code
  .type qd_call_code, @function
  .globl qd_left_code
  .hidden qd_left_code
qd_call_code:
  .cfi_startproc
  stp x29, x30, [sp, -160]!
  .cfi_def_cfa_offset 160
  .cfi_offset x29, -160
  .cfi_offset x30, -152
  stp x19, x20, [sp, 16]
  .cfi_offset x19, -144
  .cfi_offset x20, -136
  stp x21, x22, [sp, 32]
  .cfi_offset x21, -128
  .cfi_offset x22, -120
  stp x23, x24, [sp, 48]
  .cfi_offset x23, -112
  .cfi_offset x24, -104
  stp x25, x26, [sp, 64]
  .cfi_offset x25, -96
  .cfi_offset x26, -88
  stp x27, x28, [sp, 80]
  .cfi_offset x27, -80
  .cfi_offset x28, -72
  stp d8, d9, [sp, 96]
  .cfi_offset d8, -64
  .cfi_offset d9, -56
  stp d10, d11, [sp, 112]
  .cfi_offset d10, -48
  .cfi_offset d11, -40
  stp d12, d13, [sp, 128]
  .cfi_offset d12, -32
  .cfi_offset d13, -24
  stp d14, d15, [sp, 144]
  .cfi_offset d14, -16
  .cfi_offset d15, -8
  mov x9, sp
  str x9, [x5]
  mov x9, x0
  mov x0, x1
  mov x1, x2
  mov x2, x3
  mov x3, x4
  blr x9
  mov w0, 0
1:
  ldp x19, x20, [sp, 16]
  ldp x21, x22, [sp, 32]
  ldp x23, x24, [sp, 48]
  ldp x25, x26, [sp, 64]
  ldp x27, x28, [sp, 80]
  ldp d8, d9, [sp, 96]
  ldp d10, d11, [sp, 112]
  ldp d12, d13, [sp, 128]
  ldp d14, d15, [sp, 144]
  ldp x29, x30, [sp], 160
  .cfi_remember_state
  .cfi_def_cfa_offset 0
  ret
qd_left_code:
  .cfi_restore_state
  mov w0, 1
  b 1b
  .cfi_endproc
  .size qd_call_code, .-qd_call_code
  .popsection
)");
#endif

extern "C" {
__attribute__((visibility("hidden"))) int qd_call_code(qd::TaskFunction, qd::LaunchContext*, qd::ThreadState*, int64_t,
                                                       int64_t, void**);
__attribute__((visibility("hidden"))) void qd_left_code();
}

namespace qd::device {
namespace {

constexpr int kSignal = SIGURG;

/// The innermost call of this thread. The signal handler reads this variable at any time, so it must not lie in memory
/// that is allocated at the first access.
__attribute__((tls_model("initial-exec"))) thread_local CodeCall* volatile current = nullptr;
/// True while another handler is called for a signal that is not ours. That handler may in turn call ours.
__attribute__((tls_model("initial-exec"))) thread_local volatile bool handing_on = false;

char asked_by_us;
std::mutex installation;
// In the child of a fork, the lock may be held by a thread that the child does not have.
[[maybe_unused]] const int renews_lock = pthread_atfork(nullptr, nullptr, [] { new (&installation) std::mutex(); });
/// The handler that was installed before ours. It is never freed, because a signal handler may be reading it.
std::atomic<struct sigaction*> before = nullptr;

}  // namespace

void CodeCall::on_signal(int number, siginfo_t* info, void* context) {
  if (info->si_code != SI_QUEUE || info->si_value.sival_ptr != &asked_by_us) {
    struct sigaction* other = before.load();
    if (!other || handing_on) return;
    handing_on = true;
    if (other->sa_flags & SA_SIGINFO) {
      other->sa_sigaction(number, info, context);
    } else if (other->sa_handler != SIG_DFL && other->sa_handler != SIG_IGN) {
      other->sa_handler(number);
    }
    handing_on = false;
    return;
  }
  CodeCall* call = current;
  auto& place = codegen::program_counter(context);
  if (!call || !call->object_.contains(static_cast<uint64_t>(place))) return;
  const int error = errno;
  const bool leave = call->visit_(call->data_);
  errno = error;
  if (!leave) return;
  auto& stack = codegen::stack_pointer(context);
  stack = reinterpret_cast<std::remove_reference_t<decltype(stack)>>(call->stack_);
  place = reinterpret_cast<std::remove_reference_t<decltype(place)>>(&qd_left_code);
}

bool CodeCall::run(TaskFunction function, LaunchContext* context, ThreadState* thread, int64_t begin, int64_t end) {
  outer_ = current;
  current = this;
  const bool left = qd_call_code(function, context, thread, begin, end, &stack_) != 0;
  current = outer_;
  return !left;
}

bool CodeCall::inside() { return current != nullptr; }

void CodeCall::visit_here() {
  CodeCall* call = current;
  if (!call || !call->visit_(call->data_)) return;
#if defined(__x86_64__)
  asm volatile("movq %0, %%rsp\n\tjmp qd_left_code" : : "r"(call->stack_) : "memory");
#elif defined(__aarch64__)
  asm volatile("mov sp, %0\n\tb qd_left_code" : : "r"(call->stack_) : "memory");
#endif
  __builtin_unreachable();
}

void interrupt(pthread_t thread) {
  std::lock_guard lock(installation);
  // Another part of the program may have installed its own handler since the last time.
  struct sigaction now{};
  sigaction(kSignal, nullptr, &now);
  if (!(now.sa_flags & SA_SIGINFO) || now.sa_sigaction != CodeCall::on_signal) {
    before = new struct sigaction(now);
    struct sigaction ours{};
    ours.sa_sigaction = CodeCall::on_signal;
    // A visit may take long, and may be a launch with visits of its own.
    ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
    sigemptyset(&ours.sa_mask);
    sigaction(kSignal, &ours, nullptr);
  }
  sigval value{};
  value.sival_ptr = &asked_by_us;
  pthread_sigqueue(thread, kSignal, value);
}

}  // namespace qd::device
