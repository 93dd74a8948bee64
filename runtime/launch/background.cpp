// Thread for background jobs. It ends when none is waiting, so a process that only launches has no such thread.
#include "runtime/launch/background.h"

#include <pthread.h>
#include <sys/resource.h>

#include <chrono>
#include <condition_variable>
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
/// Time that a fork and the end of the process wait for a job before they end its compilation.
constexpr std::chrono::seconds kPatience{2};

struct Worker {
  std::mutex mutex;  // guards all members
  std::condition_variable changed;
  std::deque<std::weak_ptr<BackgroundJob>> jobs;
  std::thread thread;
  bool working = false;  // a job runs, or a fork is under way
  bool active = false;   // the thread will look at `jobs` again
  bool stopped = false;  // the process ends

  static Worker& instance() {
    // Never destroyed: programs may launch until the process ends.
    static Worker* worker = [] {
      auto* made = new Worker();
      codegen::wait_at_forks();  // jobs compile
      pthread_atfork([] { instance().before_fork(); }, [] { instance().after_fork(); }, [] { instance().in_child(); });
      codegen::call_at_end([] { instance().stop(); });
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
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return !working || stopped; });
      if (stopped || jobs.empty()) {
        active = false;
        changed.notify_all();
        return;
      }
      working = true;
      std::shared_ptr<BackgroundJob> job = jobs.front().lock();
      jobs.pop_front();
      lock.unlock();
      if (job) {
        const codegen::OptionalCompilations nobody_waits;
        job->run();
      }
      job.reset();  // perhaps the last owner: the job is destroyed where no fork can happen
      lock.lock();
      working = false;
      changed.notify_all();
    }
  }

  void run(BackgroundJob& job) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return !working; });
    working = true;
    lock.unlock();
    job.run();
    lock.lock();
    working = false;
    changed.notify_all();
  }

  /// Waits until this member is false. Ends the compilation of the background thread when that takes long. Returns
  /// false if the thread works on even then.
  bool wait_until_not(const bool& member, std::unique_lock<std::mutex>& lock) {
    if (changed.wait_for(lock, kPatience, [&] { return !member; })) return true;
    lock.unlock();
    const bool never_comes_back = codegen::end_optional_compilations();
    lock.lock();
    if (never_comes_back) {
      if (thread.joinable()) thread.detach();
      active = working = false;
      changed.notify_all();
    }
    return changed.wait_for(lock, kPatience, [&] { return !member; });
  }

  void stop() {
    std::unique_lock lock(mutex);
    stopped = true;
    changed.notify_all();
    if (!thread.joinable() || thread.get_id() == std::this_thread::get_id()) return;
    if (!wait_until_not(active, lock)) thread.detach();
    lock.unlock();
    if (thread.joinable()) thread.join();
  }

  void before_fork() {
    std::unique_lock lock(mutex);
    if (!wait_until_not(working, lock)) changed.wait(lock, [&] { return !working; });
    working = true;
    lock.release();
  }
  void after_fork() {
    working = false;
    changed.notify_all();
    mutex.unlock();
  }
  void in_child() {
    for (const auto& waiting : jobs) {
      if (std::shared_ptr<BackgroundJob> job = waiting.lock()) job->dropped();
    }
    jobs.clear();
    active = false;
    working = false;
    new (&thread) std::thread();  // the parent's thread does not exist here
    new (&changed) std::condition_variable();
    mutex.unlock();
  }
};

}  // namespace

void prepare_background() { Worker::instance(); }

void run_in_background(std::weak_ptr<BackgroundJob> job) { Worker::instance().add(std::move(job)); }

void run_now(BackgroundJob& job) { Worker::instance().run(job); }

}  // namespace qd
