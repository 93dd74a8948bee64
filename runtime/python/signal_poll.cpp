// Signal handling of Python: it only notes a signal, and runs the handler on the main thread, between two instructions
// of Python, or when it is asked to.
#include "runtime/python/signal_poll.h"

#include <nanobind/nanobind.h>

#include <optional>

#include "runtime/python/gil.h"

namespace qd::python {
namespace {

namespace nb = nanobind;

/// The error that a handler raised, for the launch that it ended, which is the innermost. Used by the main thread.
std::optional<nb::python_error>& raised() {
  static auto* error = new std::optional<nb::python_error>();
  return *error;
}

}  // namespace

SignalPoll SignalPoll::instance_;
pthread_t SignalPoll::main_thread_;

void SignalPoll::find_main_thread() {
  main_thread_ = static_cast<pthread_t>(
      nb::cast<unsigned long>(nb::module_::import_("threading").attr("main_thread")().attr("ident")));
  pthread_atfork(nullptr, nullptr, [] { main_thread_ = pthread_self(); });
}

void SignalPoll::raise() {
  nb::python_error error = std::move(*raised());
  raised().reset();
  throw error;
}

bool SignalPoll::wants_end() {
  GilAcquire gil;
  if (PyErr_CheckSignals() == 0) return false;
  raised().emplace();
  return true;
}

}  // namespace qd::python
