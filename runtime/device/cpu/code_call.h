// Calls of compiled code that can be left between any two of its instructions. The code itself has nothing to do with
// it, and does not become slower.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <cstdint>

#include "runtime/device/cpu/loader.h"

namespace qd::device {

/// One call, on the stack of the thread that makes it. Compiled code holds no lock and has nothing to destroy, so that
/// a signal handler that finds a thread in it may visit whoever made the call, and leave the code without a return. In
/// functions that code calls nobody is visited, unless they ask for it.
class CodeCall {
 public:
  /// True: the code is left. Called on the thread that is in the code, perhaps from a signal handler, but never while
  /// that thread is in the middle of anything else.
  using Visit = bool (*)(void* data);

  CodeCall(const LoadedObject& object, Visit visit, void* data) : object_(object), visit_(visit), data_(data) {}

  /// False when the code was left: then what it was about to write anywhere may be there or not.
  bool run(TaskFunction function, LaunchContext* context, ThreadState* thread, int64_t begin, int64_t end);

  /// Whether this thread is in a call: in code, in a function that code calls, or in a visit, where code must not be
  /// called but by a CodeCall.
  static bool inside();
  /// For functions that code calls, at their end: a visit. Does not return when the code is left; nothing of the
  /// function may be left to destroy.
  static void visit_here();

 private:
  static void on_signal(int number, siginfo_t* info, void* context);
  friend void interrupt(pthread_t thread);

  const LoadedObject& object_;
  Visit visit_;
  void* data_;
  void* stack_ = nullptr;
  CodeCall* outer_ = nullptr;
};

/// Visits the call that a thread is in, if the thread is in compiled code when it hears of it; else nothing happens,
/// and whoever asks may ask again. The thread must not end meanwhile. It is a signal (SIGURG, which others may use as
/// well).
void interrupt(pthread_t thread);

}  // namespace qd::device
