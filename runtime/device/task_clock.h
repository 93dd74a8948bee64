// Task clock: measures the tasks of a launch with the clock of the host, for devices that run there.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/device/device.h"

namespace qd::device {

/// Measures one task, from here to the end of the scope. `times`: as Invocation::times; null: nothing is measured, and
/// the clock is not read.
class TaskClock {
 public:
  TaskClock(std::vector<TaskTime>* times, uint32_t task) : times_(times) {
    if (!times_) return;
    place_ = times_->size();
    times_->push_back({task, now(), 0});
  }
  ~TaskClock() {
    if (times_) (*times_)[place_].time = now() - (*times_)[place_].begin;
  }
  TaskClock(const TaskClock&) = delete;
  TaskClock& operator=(const TaskClock&) = delete;

 private:
  static int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  std::vector<TaskTime>* const times_;
  size_t place_ = 0;
};

}  // namespace qd::device
