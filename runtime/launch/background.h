// Work that nobody waits for, done by one thread of the process that exists while there is some.
#pragma once

#include <memory>

namespace qd {

class BackgroundJob {
 public:
  virtual ~BackgroundJob() = default;
  /// Must not throw, need the thread that asked for it, or take a lock that is held around a fork, but those of
  /// compilations.
  virtual void run() = 0;
  /// It will not run: it waited in the parent of the process that a fork has just made.
  virtual void dropped() = 0;
};

/// Runs a job after those that wait, unless nobody owns it any more by then. A fork waits for the job that runs, and
/// the child has no such thread; so does the end of the process.
void run_in_background(std::weak_ptr<BackgroundJob> job);

/// Runs a job on the calling thread, while none runs in the background.
void run_now(BackgroundJob& job);

}  // namespace qd
