// Background jobs, for which no thread waits. One thread of the process runs them; it exists while there are any.
#pragma once

#include <memory>

namespace qd {

class BackgroundJob {
 public:
  virtual ~BackgroundJob() = default;
  /// Must not throw, and must not wait for the thread that queued the job. Must not take a lock that is held around a
  /// fork, except for that of compilations. Holds no lock while it compiles.
  virtual void run() = 0;
  /// Called instead of run() in the child of a fork: the job was waiting in the parent.
  virtual void dropped() = 0;
};

/// Prepares the queue of jobs, but for the thread, before there are several threads: a fork while another thread
/// prepares it would leave the child waiting for that thread. Every Program calls it.
void prepare_background();

/// Queues a job; it is skipped if its owner is gone by then. A fork, and the end of the process, wait for the job that
/// is running. After two seconds they end its compilation, which then throws codegen::GivenUp, or if need be stop its
/// thread for ever. The child of a fork has no such thread.
void run_in_background(std::weak_ptr<BackgroundJob> job);

/// Runs a job on the calling thread. No job runs in the background meanwhile.
void run_now(BackgroundJob& job);

}  // namespace qd
