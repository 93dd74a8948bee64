// Thread for background jobs. It ends when none is waiting, so a process that only launches has no such thread.
#include "runtime/launch/background.h"

#include <pthread.h>
#include <sys/resource.h>

#include <cstdlib>
#include <deque>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "runtime/codegen/compile_guard.h"

namespace qd {
namespace {

constexpr int kNiceness = 10;  // nice(1) has it as its default

struct Worker {
  std::mutex working;  // held while a job runs; taken before the other mutex
  std::mutex mutex;    // guards the members below
  std::deque<std::weak_ptr<BackgroundJob>> jobs;
  std::thread thread;
  bool active = false;   // the thread will look at `jobs` again
  bool stopped = false;  // the process ends

  static Worker& instance() {
    // Never destroyed: programs may launch until the process ends.
    static Worker* worker = [] {
      auto* made = new Worker();
      codegen::wait_at_forks();  // jobs compile
      pthread_atfork([] { instance().before_fork(); }, [] { instance().after_fork(); }, [] { instance().in_child(); });
      std::atexit([] { instance().stop(); });
      return made;
    }();
    return *worker;
  }

  void add(std::weak_ptr<BackgroundJob> job) {
    {
      std::lock_guard lock(mutex);
      if (stopped) return;
      jobs.push_back(std::move(job));
      if (active) return;
      if (thread.joinable()) thread.join();  // it has seen that no job waits, and takes no lock any more
      active = true;
      try {
        thread = std::thread([this] { work_behind_others(); });
        return;
      } catch (const std::system_error&) {
        // No thread can be started: the calling thread does the job.
      }
    }
    work();
  }

  /// The work of the thread, which gives way to the program's own threads where there are fewer processors.
  void work_behind_others() {
    setpriority(PRIO_PROCESS, 0, kNiceness);  // of the calling thread, on Linux
    work();
  }

  void work() {
    for (;;) {
      std::lock_guard one(working);
      std::shared_ptr<BackgroundJob> job;  // perhaps the last owner: the job is destroyed where no fork can happen
      {
        std::lock_guard lock(mutex);
        if (stopped || jobs.empty()) {
          active = false;
          return;
        }
        job = jobs.front().lock();
        jobs.pop_front();
      }
      if (job) job->run();
    }
  }

  void stop() {
    {
      std::lock_guard lock(mutex);
      stopped = true;
    }
    if (thread.joinable()) thread.join();
  }

  void before_fork() {
    working.lock();
    mutex.lock();
  }
  void after_fork() {
    mutex.unlock();
    working.unlock();
  }
  void in_child() {
    for (const auto& waiting : jobs) {
      if (std::shared_ptr<BackgroundJob> job = waiting.lock()) job->dropped();
    }
    jobs.clear();
    active = false;
    new (&thread) std::thread();  // the parent's thread does not exist here
    after_fork();
  }
};

}  // namespace

void prepare_background() { Worker::instance(); }

void run_in_background(std::weak_ptr<BackgroundJob> job) { Worker::instance().add(std::move(job)); }

void run_now(BackgroundJob& job) {
  std::lock_guard one(Worker::instance().working);
  job.run();
}

}  // namespace qd
