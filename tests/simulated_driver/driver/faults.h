// Faults of code that runs for a device: they end the device's operation, and not the process.
#pragma once

#include <csignal>
#include <functional>

#include "tests/simulated_driver/driver/results.h"

namespace qd::simulated {

/// Threads that are started meanwhile leave signals of the process to the other threads.
class SignalsLeft {
 public:
  SignalsLeft();
  ~SignalsLeft();
  SignalsLeft(const SignalsLeft&) = delete;
  SignalsLeft& operator=(const SignalsLeft&) = delete;

 private:
  sigset_t before_;
};

/// To be called first by each thread that calls guarded(): gives it a stack for signal handlers.
void prepare_thread();

/// Runs `work`, which may be left at any instruction: nothing in it may need a destructor. Gives what it has done
/// wrong: an access that faults is Result::IllegalAddress. Faults elsewhere go to the handlers that were there before.
Result guarded(const std::function<void()>& work);

}  // namespace qd::simulated
