// A launch ends when its outcome is taken in. On a device that runs in place that is at once; on others it is at the
// next wait that somebody needs anyway.
#include "runtime/launch/launcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/launch/format.h"
#include "runtime/launch/messages.h"
#include "runtime/launch/program.h"
#include "runtime/launch/variant.h"

namespace qd {
namespace {

/// The most launches in flight: what they keep alive must not grow without limit.
constexpr size_t kMostInFlight = 4096;
/// The time between two questions whether a wait is to end.
constexpr std::chrono::milliseconds kBetweenPolls{100};

}  // namespace

int Launcher::run(const KernelCode& code, const ArraySlot* arrays, const uint64_t* params, uint64_t* results,
                  LaunchPoll* poll, uint64_t* kept, const Counting& counting) {
  device::LaunchOutcome outcome;
  const device::Invocation invocation{arrays, params,   results, counting.counters.words.data(),
                                      poll,   &outcome, nullptr, kept};
  profiler ? run_measured(code, invocation) : stream_.run(code.executable(), invocation);
  give_counts(counting, outcome, counting.counters.words);
  if (!outcome.messages.empty() || outcome.status != device::LaunchOutcome::Status::Done) tell(code, outcome);
  return outcome.tasks;
}

void Launcher::run_measured(const KernelCode& code, device::Invocation invocation) {
  std::vector<device::TaskTime> times;
  invocation.times = &times;
  stream_.run(code.executable(), invocation);
  profiler->add(code, times);
}

void Launcher::tell(const KernelCode& code, const device::LaunchOutcome& outcome) {
  const ir::Kernel& kernel = code.kernel();
  std::string printed;
  const device::Message* failure = nullptr;
  for (const device::Message& message : outcome.messages) {
    if (message.kind == device::Message::Kind::Print)
      printed += format_text(kernel.formats[message.format], message.values.data());
    if (message.kind == device::Message::Kind::Fail) failure = &message;
  }
  if (!printed.empty() && print) print(printed);
  for (const device::Message& message : outcome.messages) {
    if (message.kind != device::Message::Kind::Warn || !warn) continue;
    bool fresh;
    {
      std::lock_guard lock(mutex_);
      fresh = warned_.insert(place_of(kernel, message)).second;
    }
    if (fresh) warn(text_of(kernel, message));
  }
  if (outcome.lost_messages > 0 && warn) {
    warn(fmt::format("kernel {}: {} more messages were lost, because the device had no room for them", kernel.name,
                     outcome.lost_messages));
  }
  if (outcome.status == device::LaunchOutcome::Status::Interrupted)
    throw KernelInterrupted(fmt::format("kernel {} was interrupted", kernel.name));
  if (outcome.status == device::LaunchOutcome::Status::Lost)
    throw KernelRuntimeError(fmt::format("kernel {}: {}", kernel.name, outcome.error));
  if (outcome.status == device::LaunchOutcome::Status::Failed && failure)
    throw KernelAssertionError(text_of(kernel, *failure));
}

void Launcher::make_room(LaunchPoll* poll) {
  std::shared_ptr<LaunchInFlight> oldest;
  {
    std::lock_guard lock(mutex_);
    if (in_flight_.size() < kMostInFlight) return;
    oldest = in_flight_.front();
  }
  wait_for(*oldest, poll);
}

void Launcher::enqueue(std::shared_ptr<LaunchInFlight> launch) {
  for (const std::shared_ptr<device::Memory>& memory : launch->memories) memory->unmap();
  std::lock_guard lock(mutex_);
  stream_.run(
      launch->code->executable(),
      {launch->arrays.data(), launch->params.data(), launch->results.data(), launch->counters.data(), nullptr,
       &launch->outcome, profiler ? &launch->times : nullptr, launch->kept.empty() ? nullptr : launch->kept.data()});
  launch->event = stream_.record();
  in_flight_.push_back(std::move(launch));
}

std::shared_ptr<LaunchInFlight> Launcher::oldest(const std::function<bool(const LaunchInFlight&)>& wanted) {
  std::lock_guard lock(mutex_);
  const bool any = std::ranges::any_of(in_flight_, [&](const auto& launch) { return wanted(*launch); });
  return any ? in_flight_.front() : nullptr;
}

void Launcher::harvest(const std::function<bool(const LaunchInFlight&)>& wanted, LaunchPoll* poll) {
  if (in_place_) return;
  std::lock_guard one(harvesting_);
  while (std::shared_ptr<LaunchInFlight> launch = oldest(wanted)) {
    while (!launch->event->wait_for(kBetweenPolls)) {
      if (poll && poll->wants_end())
        throw KernelInterrupted(fmt::format("the wait for kernel {} was interrupted", launch->code->kernel().name));
    }
    {
      std::lock_guard lock(mutex_);
      if (in_flight_.empty() || in_flight_.front() != launch)
        continue;  // something that the poll called has taken it in meanwhile
      in_flight_.pop_front();
    }
    launch->variant->launch_over(*launch);
    if (profiler) profiler->add(*launch->code, launch->times);
    try {
      tell(*launch->code, launch->outcome);
    } catch (...) {
      if (!failure_) failure_ = std::current_exception();
    }
  }
}

void Launcher::raise() {
  std::lock_guard one(harvesting_);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Launcher::wait_for(const LaunchInFlight& wanted, LaunchPoll* poll) {
  harvest([&](const LaunchInFlight& launch) { return &launch == &wanted; }, poll);
  raise();
}

void Launcher::wait_for(const device::Memory& memory, LaunchPoll* poll) {
  harvest(
      [&](const LaunchInFlight& launch) {
        return std::ranges::any_of(launch.memories, [&](const auto& used) { return used.get() == &memory; });
      },
      poll);
  raise();
}

void Launcher::take_in(LaunchPoll* poll) {
  harvest([](const LaunchInFlight&) { return true; }, poll);
}

void Launcher::wait(LaunchPoll* poll) {
  take_in(poll);
  raise();
}

}  // namespace qd
