// List of calls through their own stack frames, the oldest first. So a call costs only a few stores.
#include "runtime/python/launch_scope.h"

#include <nanobind/nanobind.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "runtime/python/gil.h"

namespace qd::python {

/// The list, and the threads that wait for its calls to end.
struct LaunchesInFlight {
  LaunchScope* oldest = nullptr;
  LaunchScope* newest = nullptr;
  uint64_t last_number = 0;
  std::deque<std::pair<uint64_t, std::shared_ptr<const void>>>
      let_go;        // with the number of the last call that may use it
  int waiting = 0;   // number of threads in wait_for_launches
  std::mutex mutex;  // never held together with a wait for the GIL
  std::condition_variable ended;

  /// Removes the calls of threads that do not exist in the child of a fork: they would never end.
  void forget_other_threads() {
    new (&mutex) std::mutex();
    new (&ended) std::condition_variable();
    waiting = 0;
    for (LaunchScope* scope = oldest; scope;) {
      LaunchScope* next = scope->newer_;
      if (!pthread_equal(scope->thread_, pthread_self())) remove(*scope);
      scope = next;
    }
  }

  void remove(LaunchScope& scope) {
    (scope.older_ ? scope.older_->newer_ : oldest) = scope.newer_;
    (scope.newer_ ? scope.newer_->older_ : newest) = scope.older_;
    while (!let_go.empty() && (!oldest || oldest->number_ > let_go.front().first)) {
      // An object that ends may release more.
      const std::shared_ptr<const void> thing = std::move(let_go.front().second);
      let_go.pop_front();
    }
    if (waiting > 0) {
      std::lock_guard lock(mutex);
      ended.notify_all();
    }
  }

  bool others_up_to(uint64_t number) const {
    for (const LaunchScope* scope = oldest; scope && scope->number_ <= number; scope = scope->newer_) {
      if (!pthread_equal(scope->thread_, pthread_self())) return true;
    }
    return false;
  }
};

namespace {

// Never destroyed: a daemon thread may be in a call until the process ends.
LaunchesInFlight& launches = *new LaunchesInFlight();
[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, [] { launches.forget_other_threads(); });

}  // namespace

LaunchScope::LaunchScope() : thread_(pthread_self()) {
  number_ = ++launches.last_number;
  older_ = launches.newest;
  (older_ ? older_->newer_ : launches.oldest) = this;
  launches.newest = this;
}

LaunchScope::~LaunchScope() {
  if (error_) error_->discard_as_unraisable("a launch that failed");
  launches.remove(*this);
}

void LaunchScope::raise_later(nanobind::python_error error) {
  LaunchScope* scope = launches.newest;
  while (scope && !pthread_equal(scope->thread_, pthread_self())) scope = scope->older_;
  if (!scope || scope->error_) return error.discard_as_unraisable("the text of a launch");
  scope->error_.emplace(std::move(error));
}

void LaunchScope::raise() {
  if (!error_) return;
  nanobind::python_error error = std::move(*error_);
  error_.reset();
  throw error;
}

void let_go_after_launches(std::shared_ptr<const void> thing) {
  if (launches.oldest && thing) launches.let_go.emplace_back(launches.last_number, std::move(thing));
}

namespace {

uint64_t ended = 0;

}  // namespace

void AfterLaunches::operator()(Ndarray* array) const {
  ++ended;
  let_go_after_launches(std::shared_ptr<const Ndarray>(array));
}

void ReleaseField::operator()(const Field* field) const {
  ++ended;
  let_go_after_launches(program->release(*field));
}

uint64_t arrays_ended() { return ended; }

void wait_for_launches() {
  const uint64_t number = launches.last_number;
  while (launches.others_up_to(number)) {
    ++launches.waiting;
    {
      GilRelease no_gil;
      std::unique_lock lock(launches.mutex);
      // If a call ends between the question and the wait, the next look sees it; the same holds for signals.
      launches.ended.wait_for(lock, std::chrono::milliseconds(20));
    }
    --launches.waiting;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
  }
}

}  // namespace qd::python
