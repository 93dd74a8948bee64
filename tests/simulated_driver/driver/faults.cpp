#include "tests/simulated_driver/driver/faults.h"

#include <csetjmp>
#include <csignal>
#include <memory>
#include <mutex>

namespace qd::simulated {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
constexpr size_t kHandlerStack = 1 << 16;

/// Jump target of this thread after a fault; null: it does not run for a device. In thread-local memory that is there
/// from the thread's start, since a signal handler reads it.
[[gnu::tls_model("initial-exec")]] constinit thread_local sigjmp_buf* after_fault = nullptr;
[[gnu::tls_model("initial-exec")]] constinit thread_local bool forwarding = false;

std::mutex mutex;
struct sigaction previous[NSIG];

Result result_of(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS: return Result::IllegalAddress;
    case SIGILL: return Result::IllegalInstruction;
    default: return Result::LaunchFailed;
  }
}

void forward(int signal, siginfo_t* info, void* context) {
  const struct sigaction& to = previous[signal];
  const bool has_handler = (to.sa_flags & SA_SIGINFO) || (to.sa_handler != SIG_DFL && to.sa_handler != SIG_IGN);
  if (forwarding || !has_handler) {
    struct sigaction ends = {};
    ends.sa_handler = SIG_DFL;
    sigaction(signal, &ends, nullptr);  // and the instruction faults again
    return;
  }
  forwarding = true;
  if (to.sa_flags & SA_SIGINFO) {
    to.sa_sigaction(signal, info, context);
  } else {
    to.sa_handler(signal);
  }
  forwarding = false;
}

void handle(int signal, siginfo_t* info, void* context) {
  if (after_fault) siglongjmp(*after_fault, static_cast<int>(result_of(signal)));
  forward(signal, info, context);
}

/// Installs the handlers again where others have set theirs meanwhile.
void install_handlers() {
  const std::lock_guard lock(mutex);
  for (int signal : kSignals) {
    struct sigaction now = {};
    sigaction(signal, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handle) continue;
    previous[signal] = now;
    struct sigaction own = {};
    own.sa_sigaction = handle;
    // The handler is left by a jump, which does not change the signal mask.
    own.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(signal, &own, nullptr);
  }
}

}  // namespace

SignalsLeft::SignalsLeft() {
  sigset_t blocked;
  sigfillset(&blocked);
  for (int signal : kSignals) sigdelset(&blocked, signal);
  pthread_sigmask(SIG_SETMASK, &blocked, &before_);
}

SignalsLeft::~SignalsLeft() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void prepare_thread() {
  thread_local const auto memory = std::make_unique<char[]>(kHandlerStack);
  stack_t stack = {};
  stack.ss_sp = memory.get();
  stack.ss_size = kHandlerStack;
  sigaltstack(&stack, nullptr);
}

Result guarded(const std::function<void()>& work) {
  install_handlers();
  const struct Reset {
    ~Reset() { after_fault = nullptr; }
  } reset;
  sigjmp_buf here;
  const int fault = sigsetjmp(here, 0);
  if (fault == 0) {
    after_fault = &here;
    work();
  }
  return static_cast<Result>(fault);
}

}  // namespace qd::simulated
