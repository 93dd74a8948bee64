// Calls of compiled code that a thread can leave between any two instructions of the code. The code itself has no part
// in it, and is not slower for it.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <cstdint>

#include "runtime/device/cpu/loader.h"

namespace qd::device {

/// One call, on the stack of the thread that makes it. A signal handler that finds the thread in compiled code may
/// "visit" the call: it asks the maker of the call whether to leave, and leaves the code without a return. That is safe
/// because compiled code holds no lock and has nothing to destroy. A thread that is in a function which the code calls
/// is not visited, unless that function asks for it.
class CodeCall {
 public:
  /// Returns true to leave the code. Called on the thread that is in the code, perhaps from a signal handler, but only
  /// between two instructions of the code, or where a function that the code calls asks for it.
  using Visit = bool (*)(void* data);

  CodeCall(const LoadedObject& object, Visit visit, void* data) : object_(object), visit_(visit), data_(data) {}

  /// Returns false when the code was left. Then any write of the code may or may not have happened.
  bool run(TaskFunction function, LaunchContext* context, ThreadState* thread, int64_t begin, int64_t end);

  /// Whether this thread is in a call: in the code, in a function that the code calls, or in a visit. In a visit, code
  /// may only be called by another CodeCall.
  static bool inside();
  /// A visit, for functions that the code calls, at their end. Does not return when the code is left, so the function
  /// must have nothing left to destroy.
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

/// Visits the call that a thread is in, if the thread is in compiled code when the signal arrives. Otherwise nothing
/// happens, and the caller may try again. The thread must not end meanwhile. The signal is SIGURG, which others may use
/// as well.
void interrupt(pthread_t thread);

}  // namespace qd::device
