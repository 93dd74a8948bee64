// List of the threads that compile. Functions that exit() calls wait until no other thread is on it. The first is
// registered before the first compilation, so that exit() calls it before LLVM's global variables are destroyed.
#include "runtime/codegen/compile_guard.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/codegen/stopped_threads.h"

namespace qd::codegen {
namespace {

/// Time that the end of the process waits for a compilation that somebody wants, and time from the wish to end a
/// compilation until its thread is stopped. Single passes of LLVM take up to a second for the largest kernels.
constexpr std::chrono::seconds kPatience{2};
/// Time to stop a thread. It is only stopped outside of the C library, so it may take several attempts.
constexpr std::chrono::seconds kStopping{1};
constexpr std::chrono::milliseconds kBetweenAttempts{1};

/// A thread that compiles, or whose compilations are optional.
struct Compiler {
  StoppableThread thread;
  int depth = 0;  // of guards
  bool optional = false;
  std::atomic<bool> given_up = false;
};

thread_local Compiler here;

struct State {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Compiler*> compiling;
  Compiler* optional = nullptr;
  std::vector<void (*)()> stops;  // of call_at_end
  bool begun = false;             // the process ends
  bool ended = false;             // no other thread may begin a compilation any more
  std::thread::id ending;  // the thread that ends the process: it may go on compiling, because other functions that
                           // exit() calls may launch

  bool others_compile() const {
    return std::ranges::any_of(compiling, [](Compiler* compiler) { return compiler != &here; });
  }

  /// Stops all other threads that compile, or only the one whose compilations are optional.
  void stop(std::unique_lock<std::mutex>& lock, bool only_optional) {
    const auto is_meant = [&](Compiler* compiler) {
      return compiler != &here && (compiler->optional || !only_optional);
    };
    const StopSignal signal;
    const auto until = std::chrono::steady_clock::now() + kStopping;
    while (std::ranges::any_of(compiling, is_meant) && std::chrono::steady_clock::now() < until) {
      for (Compiler* compiler : compiling) {
        if (is_meant(compiler)) StopSignal::send(compiler->thread);
      }
      changed.wait_for(lock, kBetweenAttempts);
      std::erase_if(compiling, [](Compiler* compiler) { return compiler->thread.stopped(); });
    }
  }
};

void before_fork();
void end();
State& state() {
  static auto* state = [] {
    pthread_atfork(
        before_fork, [] { codegen::state().mutex.unlock(); },
        [] {
          const auto stops = codegen::state().stops;
          auto* now = new (&codegen::state()) State();
          now->stops = stops;
          if (here.depth > 0) now->compiling.push_back(&here);
        });
    std::atexit(end);
    return new State();
  }();
  return *state;
}

void before_fork() {
  State& now = state();
  std::unique_lock lock(now.mutex);
  now.changed.wait(lock, [&] { return !now.others_compile(); });
  lock.release();
}

void end() {
  State& now = state();
  std::unique_lock lock(now.mutex);
  now.ended = true;
  now.ending = std::this_thread::get_id();
  if (!now.changed.wait_for(lock, kPatience, [&] { return !now.others_compile(); })) now.stop(lock, false);
}

void begin_end() {
  State& now = state();
  std::unique_lock lock(now.mutex);
  if (std::exchange(now.begun, true)) return;
  const auto stops = now.stops;
  lock.unlock();
  for (auto* stop : stops) stop();
  lock.lock();
  now.changed.wait_for(lock, kPatience, [&] { return !now.others_compile(); });
}

}  // namespace

void wait_at_forks() { state(); }

void call_at_end(void (*stop)()) {
  State& now = state();
  std::lock_guard lock(now.mutex);
  now.stops.push_back(stop);
  std::atexit(begin_end);
}

void end_before_variables_of_llvm() { std::atexit(begin_end); }

CompileGuard::CompileGuard() {
  State& now = state();
  std::unique_lock lock(now.mutex);
  if (given_up()) throw GivenUp();
  now.changed.wait(lock, [&] { return !now.ended || now.ending == std::this_thread::get_id(); });
  if (here.depth++ == 0) now.compiling.push_back(&here);
}

CompileGuard::~CompileGuard() {
  State& now = state();
  std::lock_guard lock(now.mutex);
  if (--here.depth > 0) return;
  std::erase(now.compiling, &here);
  now.changed.notify_all();
}

OptionalCompilations::OptionalCompilations() {
  State& now = state();
  std::lock_guard lock(now.mutex);
  here.optional = true;
  here.given_up = false;
  now.optional = &here;
}

OptionalCompilations::~OptionalCompilations() {
  State& now = state();
  std::lock_guard lock(now.mutex);
  here.optional = false;
  here.given_up = false;
  now.optional = nullptr;
}

bool end_optional_compilations() {
  State& now = state();
  std::unique_lock lock(now.mutex);
  Compiler* const compiler = now.optional;
  if (!compiler) return false;
  compiler->given_up = true;
  const auto is_out = [&] { return std::ranges::find(now.compiling, compiler) == now.compiling.end(); };
  if (now.changed.wait_for(lock, kPatience, is_out)) return false;
  now.stop(lock, true);
  if (!compiler->thread.stopped()) return false;
  now.optional = nullptr;
  return true;
}

bool given_up() { return here.given_up.load(std::memory_order_relaxed); }

}  // namespace qd::codegen
