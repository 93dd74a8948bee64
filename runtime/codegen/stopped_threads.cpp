// The signal that stops a thread, and the parts of memory with code that must not be stopped.
#include "runtime/codegen/stopped_threads.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <ranges>

#include "runtime/codegen/signal_registers.h"

namespace qd::codegen {
namespace {

constexpr int kSignal = SIGURG;  // ignored where nobody handles it; device/cpu/code_call uses it too

// The signal handler reads these variables at any time, so they must not lie in memory that is allocated at the first
// access.
__attribute__((tls_model("initial-exec"))) thread_local std::atomic<bool> stopped_here = false;

struct Range {
  uintptr_t begin, end;
};

/// Code that may hold a lock of the process.
struct LockingCode {
  std::array<uintptr_t, 4> objects{};  // an address in each of them
  std::array<Range, 16> ranges{};
  size_t count = 0;

  LockingCode() {
    objects = {address("malloc"), address("pthread_mutex_lock"), address("__cxa_guard_acquire"), getauxval(AT_BASE)};
    dl_iterate_phdr(&LockingCode::visit, this);
  }
  bool contains(uintptr_t place) const {
    for (const Range& range : ranges | std::views::take(count)) {
      if (place >= range.begin && place < range.end) return true;
    }
    return false;
  }

 private:
  static uintptr_t address(const char* name) { return reinterpret_cast<uintptr_t>(dlsym(RTLD_DEFAULT, name)); }

  static int visit(dl_phdr_info* object, size_t, void* self) {
    auto& all = *static_cast<LockingCode*>(self);
    bool wanted = false;
    std::array<Range, 4> code{};
    size_t count = 0;
    for (const auto& part : std::views::counted(object->dlpi_phdr, object->dlpi_phnum)) {
      if (part.p_type != PT_LOAD) continue;
      const uintptr_t begin = object->dlpi_addr + part.p_vaddr;
      const Range range{begin, begin + part.p_memsz};
      for (uintptr_t place : all.objects) wanted |= place >= range.begin && place < range.end;
      if ((part.p_flags & PF_X) && count < code.size()) code[count++] = range;
    }
    for (const Range& range : code | std::views::take(wanted ? count : 0)) {
      if (all.count < all.ranges.size()) all.ranges[all.count++] = range;
    }
    return 0;
  }
};

const LockingCode& locking_code() {
  static const LockingCode code;
  return code;
}

struct sigaction before;

void on_signal(int number, siginfo_t* info, void* context) {
  if (info->si_code != SI_QUEUE || info->si_value.sival_ptr != &stopped_here) {
    if (before.sa_flags & SA_SIGINFO) {
      before.sa_sigaction(number, info, context);
    } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
      before.sa_handler(number);
    }
    return;
  }
  const auto place = static_cast<uintptr_t>(program_counter(context));
  if (locking_code().contains(place)) return;
  sigset_t all;
  sigfillset(&all);
  stopped_here.store(true, std::memory_order_release);
  for (;;) sigsuspend(&all);
}

}  // namespace

StoppableThread::StoppableThread() : thread_(pthread_self()), stopped_(&stopped_here) {}

StopSignal::StopSignal() {
  locking_code();  // the handler only reads it
  struct sigaction ours{};
  ours.sa_sigaction = on_signal;
  ours.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&ours.sa_mask);
  sigaction(kSignal, &ours, &before);
}

StopSignal::~StopSignal() { sigaction(kSignal, &before, nullptr); }

void StopSignal::send(const StoppableThread& thread) {
  sigval value{};
  value.sival_ptr = thread.stopped_;
  pthread_sigqueue(thread.thread_, kSignal, value);
}

}  // namespace qd::codegen
