// A launch on the CPU while it runs: state that all of its tasks share, and messages of their code.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "runtime/device/cpu/code_call.h"
#include "runtime/device/cpu/cpu_executable.h"
#include "runtime/device/cpu/watch.h"
#include "runtime/device/element_claims.h"

namespace qd::device {

struct CpuLaunch {
  /// `temps`: as LaunchContext::temps.
  CpuLaunch(const CpuExecutable& executable, const Invocation& invocation, uint64_t* temps);
  CpuLaunch(const CpuLaunch&) = delete;
  CpuLaunch& operator=(const CpuLaunch&) = delete;

  /// Whether tasks need not go on: an assert failed, or the launch was interrupted.
  bool over() const { return failed.load(std::memory_order_relaxed); }
  /// Whether a condition of the schedule holds.
  bool holds(const ir::Step& step) const { return static_cast<int32_t>(context.temps[step.condition]) != 0; }
  /// Begins a fork: forgets the claims of earlier ones.
  void begin_fork();
  /// A CodeCall::Visit. Threads of the pool leave the code when the launch has been interrupted; the launching thread
  /// asks whether it is to be.
  static bool visit(void* data);

  LaunchContext context;
  const CpuExecutable& executable;
  LaunchPoll* const poll;
  std::vector<TaskTime>* const times;  // null: times are not wanted
  const std::thread::id thread = std::this_thread::get_id();
  std::optional<Watch> watch;
  std::atomic<bool> failed = false;
  std::atomic<bool> interrupted = false;
  std::unique_ptr<ElementClaims> claims;  // null: there has been no fork whose code claims elements
  std::mutex mutex;                       // guards the members below
  LaunchOutcome& outcome;
  std::optional<Message> failure;
  std::thread::id failed_thread;
};

}  // namespace qd::device
