// Counter of running compilations. A function that exit() calls waits until it is 0; it is registered before the first
// compilation, so that exit() calls it before LLVM is destroyed.
#include "runtime/codegen/compile_guard.h"

#include <pthread.h>

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <new>
#include <thread>

namespace qd::codegen {
namespace {

struct State {
  std::mutex mutex;
  std::condition_variable changed;
  int compiling = 0;
  bool ended = false;
  std::thread::id ending;  // the thread that ends the process: it may go on compiling, because other functions that
                           // exit() calls may launch
};

/// Compilations that this thread is in. LLVM itself may end the process within one, and must not wait for itself.
thread_local int compiling_here = 0;

void before_fork();
void end();
State& state() {
  static auto* state = [] {
    pthread_atfork(before_fork, [] { codegen::state().mutex.unlock(); }, [] { new (&codegen::state()) State(); });
    std::atexit(end);
    return new State();
  }();
  return *state;
}

void before_fork() {
  State& now = state();
  std::unique_lock lock(now.mutex);
  now.changed.wait(lock, [&] { return now.compiling == compiling_here; });
  lock.release();
}

void end() {
  State& now = state();
  std::unique_lock lock(now.mutex);
  now.ended = true;
  now.ending = std::this_thread::get_id();
  now.changed.wait(lock, [&] { return now.compiling == compiling_here; });
}

}  // namespace

void wait_at_forks() { state(); }

CompileGuard::CompileGuard() {
  State& now = state();
  std::unique_lock lock(now.mutex);
  now.changed.wait(lock, [&] { return !now.ended || now.ending == std::this_thread::get_id(); });
  ++now.compiling;
  ++compiling_here;
}

CompileGuard::~CompileGuard() {
  State& now = state();
  std::lock_guard lock(now.mutex);
  --now.compiling;
  --compiling_here;
  now.changed.notify_all();
}

}  // namespace qd::codegen
