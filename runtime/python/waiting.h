// Waits for launches, from Python.
#pragma once

#include "runtime/launch/program.h"
#include "runtime/python/gil.h"
#include "runtime/python/launch_scope.h"
#include "runtime/python/signal_poll.h"

namespace qd::python {

/// Waits for launches without the GIL. Functions that are called when they end take the GIL, and so does the poll
/// whether the wait is to end.
template <class Wait>
void waiting_for_launches(Wait&& wait) {
  LaunchScope scope;
  try {
    SignalPoll* poll = SignalPoll::of_this_thread();
    GilRelease no_gil;
    wait(poll);
  } catch (const KernelInterrupted&) {
    SignalPoll::raise();
  }
  scope.raise();
}

}  // namespace qd::python
