// End of a launch: its outcome is taken in. On a stream that runs in place that is at once; on others it is at the next
// wait that is needed anyway.
#include "runtime/launch/launcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/launch/messages.h"
#include "runtime/launch/program.h"
#include "runtime/launch/variant.h"

namespace qd {
namespace {

/// Largest number of launches in flight on a stream: the objects that they keep alive must not grow without limit. From
/// the smaller number on, those that are over are taken in by the next launch.
constexpr size_t kMostInFlight = 4096;
constexpr size_t kManyInFlight = 64;
/// Number of launches from one look at those in flight to the next.
constexpr uint64_t kBetweenLooks = 16;
/// Poll interval of a wait: time between two questions whether it is to end.
constexpr std::chrono::milliseconds kBetweenPolls{100};

/// Calls `arrived`, which waits for a while, until it returns true. Throws KernelInterrupted when `poll` says so; its
/// text is from `what`.
template <class Arrived, class What>
void wait_until(LaunchPoll* poll, Arrived arrived, What what) {
  while (!arrived(kBetweenPolls)) {
    if (poll && poll->wants_end()) throw KernelInterrupted(fmt::format("the wait for {} was interrupted", what()));
  }
}

std::string name_of(const LaunchInFlight& launch) { return "kernel " + launch.code->kernel().name; }

}  // namespace

/// Scope of taking in launches, after LaunchStream::begin_taking_in.
class TakingIn {
 public:
  explicit TakingIn(LaunchStream& stream) : stream_(stream) {}
  ~TakingIn() { stream_.end_taking_in(); }
  TakingIn(const TakingIn&) = delete;
  TakingIn& operator=(const TakingIn&) = delete;

 private:
  LaunchStream& stream_;
};

Launcher::Launcher(std::shared_ptr<device::Device> device)
    : device_(std::move(device)),
      default_stream_(std::make_shared<LaunchStream>(device_, nullptr, kDefaultStream)),
      stream_(default_stream_->stream()),
      in_place_(default_stream_->in_place()),
      streams_{default_stream_} {}

std::shared_ptr<LaunchStream> Launcher::new_stream() {
  remove_unused();
  std::unique_ptr<device::Stream> own;
  try {
    own = device_->new_stream();
  } catch (const std::runtime_error& error) {
    throw KernelRuntimeError(error.what());
  }
  std::lock_guard lock(mutex_);
  uint32_t number = kDefaultStream;
  while (std::ranges::any_of(streams_, [&](const auto& stream) { return stream->number() == number; })) ++number;
  return streams_.emplace_back(std::make_shared<LaunchStream>(device_, std::move(own), number));
}

std::vector<std::shared_ptr<LaunchStream>> Launcher::streams() {
  std::lock_guard lock(mutex_);
  return streams_;
}

void Launcher::remove_unused() {
  for (const std::shared_ptr<LaunchStream>& stream : streams()) {
    if (stream.use_count() == 2) take_in_over(*stream);  // the list has it, and this loop
  }
  std::vector<std::shared_ptr<LaunchStream>> unused;  // end behind the lock
  std::lock_guard lock(mutex_);
  std::erase_if(streams_, [&](const std::shared_ptr<LaunchStream>& stream) {
    const bool goes = stream.use_count() == 1 && stream->in_flight() == 0;
    if (goes) unused.push_back(stream);
    return goes;
  });
}

void Launcher::run(const KernelCode& code, const ArraySlot* arrays, const uint64_t* params, uint64_t* results,
                   LaunchPoll* poll, uint64_t* kept, const Counting& counting) {
  device::LaunchOutcome outcome;
  const device::Invocation invocation{arrays, params,   results, counting.counters.words.data(),
                                      poll,   &outcome, nullptr, kept};
  profiler ? run_measured(code, invocation) : stream_.run(code.executable(), invocation);
  code.launched();
  give_counts(counting, outcome, counting.counters.words);
  if (!outcome.messages.empty() || outcome.status != device::LaunchOutcome::Status::Done) tell(code, outcome);
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

void Launcher::make_room(LaunchStream& stream, LaunchPoll* poll) {
  const size_t in_flight = stream.in_flight();
  if (in_flight >= kManyInFlight && stream.last() % kBetweenLooks == 0) take_in_over(stream);
  if (in_flight < kMostInFlight) return;
  if (std::shared_ptr<LaunchInFlight> oldest = stream.oldest(UINT64_MAX)) wait_for(stream, *oldest, poll);
}

void Launcher::enqueue(LaunchStream& stream, std::shared_ptr<LaunchInFlight> launch) {
  for (const std::shared_ptr<device::Memory>& memory : launch->memories) {
    memory->unmap();
    launch->with_others |= memory->shared();
  }
  unsettled_.fetch_add(1);
  bool enqueued = false;
  try {
    enqueued = stream.enqueue(launch, numbers_, profiler != nullptr);
  } catch (...) {
    unsettled_.fetch_sub(1);
    throw;
  }
  if (enqueued) return;
  unsettled_.fetch_sub(1);
  throw KernelRuntimeError("the stream was destroyed");
}

void Launcher::harvest(LaunchStream& stream, uint64_t last, LaunchPoll* poll) {
  while (std::shared_ptr<LaunchInFlight> launch = stream.oldest(last)) {
    wait_until(poll, [&](auto time) { return launch->event->wait_for(time); }, [&] { return name_of(*launch); });
    take_in(stream, launch, poll);
  }
  // Another thread may be taking in the last of them.
  wait_until(poll, [&](auto time) { return stream.begin_taking_in(time); }, [] { return "what a launch has left"; });
  const TakingIn nobody_else(stream);
}

void Launcher::take_in(LaunchStream& stream, const std::shared_ptr<LaunchInFlight>& launch, LaunchPoll* poll) {
  wait_until(poll, [&](auto time) { return stream.begin_taking_in(time); }, [&] { return name_of(*launch); });
  const TakingIn taking_in(stream);
  // Another thread may have taken it in meanwhile, and so may something that the poll called.
  if (!stream.take_off(*launch)) return;
  launch->code->launched();
  launch->variant->launch_over(*launch);
  if (profiler) profiler->add(*launch->code, launch->times);
  try {
    tell(*launch->code, launch->outcome);
  } catch (const KernelInterrupted&) {
    // The caller that ended it knows.
  } catch (...) {
    note_failure(stream, *launch, std::current_exception());
  }
  unsettled_.fetch_sub(1);
}

void Launcher::take_in_over(LaunchStream& stream) {
  while (std::shared_ptr<LaunchInFlight> launch = stream.oldest(UINT64_MAX)) {
    if (!launch->event->wait_for(std::chrono::milliseconds(0))) return;
    take_in(stream, launch, nullptr);
  }
}

void Launcher::note_failure(LaunchStream& stream, const LaunchInFlight& launch, std::exception_ptr error) {
  std::lock_guard lock(mutex_);
  if (std::ranges::any_of(failures_, [&](const Failure& known) { return known.stream.get() == &stream; })) return;
  const auto owner = std::ranges::find(streams_, &stream, &std::shared_ptr<LaunchStream>::get);
  if (owner == streams_.end()) return;
  failures_.push_back({std::move(error), *owner, launch.number, {launch.memories.begin(), launch.memories.end()}});
  unsettled_.fetch_add(1);
}

void Launcher::raise(const std::function<bool(const Failure&)>& concerns) {
  std::exception_ptr error;
  {
    std::lock_guard lock(mutex_);
    auto first = failures_.end();
    for (auto failure = failures_.begin(); failure != failures_.end(); ++failure) {
      if (concerns(*failure) && (first == failures_.end() || failure->launch < first->launch)) first = failure;
    }
    if (first == failures_.end()) return;
    error = std::move(first->error);
    failures_.erase(first);
    unsettled_.fetch_sub(1);
  }
  std::rethrow_exception(error);
}

void Launcher::wait_for(LaunchStream& stream, const LaunchInFlight& launch, LaunchPoll* poll) {
  harvest(stream, launch.number, poll);
  raise([&](const Failure& failure) { return failure.stream.get() == &stream && failure.launch <= launch.number; });
}

void Launcher::wait_for(const device::Memory& memory, LaunchPoll* poll) {
  if (settled()) return;
  std::vector<const LaunchStream*> waited_for;
  for (const std::shared_ptr<LaunchStream>& stream : streams()) {
    const uint64_t last = stream->last_use(memory);
    if (last == 0) continue;
    harvest(*stream, last, poll);
    waited_for.push_back(stream.get());
  }
  raise([&](const Failure& failure) {
    return std::ranges::find(waited_for, failure.stream.get()) != waited_for.end() ||
           std::ranges::any_of(failure.memories, [&](const auto& used) { return used.lock().get() == &memory; });
  });
}

void Launcher::wait_for(LaunchStream& stream, LaunchPoll* poll) {
  harvest(stream, stream.last(), poll);
  raise([&](const Failure& failure) { return failure.stream.get() == &stream; });
}

void Launcher::wait_for(const LaunchEvent& event, LaunchPoll* poll) {
  wait_until(poll, [&](auto time) { return event.point->wait_for(time); }, [] { return "an event"; });
  const std::shared_ptr<LaunchStream> stream = event.stream.lock();
  if (!stream) return;
  harvest(*stream, event.last, poll);
  raise([&](const Failure& failure) { return failure.stream == stream && failure.launch <= event.last; });
}

void Launcher::take_in(LaunchPoll* poll) {
  if (settled()) return;
  for (const std::shared_ptr<LaunchStream>& stream : streams()) harvest(*stream, stream->last(), poll);
}

void Launcher::take_in_over() {
  if (settled()) return;
  for (const std::shared_ptr<LaunchStream>& stream : streams()) take_in_over(*stream);
}

void Launcher::wait(LaunchPoll* poll) {
  if (settled()) return;
  take_in(poll);
  raise([](const Failure&) { return true; });
}

LaunchEvent Launcher::record(LaunchStream& stream) {
  // A launch that another thread enqueues meanwhile may be before the event; that only makes the wait longer.
  const uint64_t last = stream.last();
  std::shared_ptr<device::Event> point = stream.stream().record();
  std::lock_guard lock(mutex_);
  const auto owner = std::ranges::find(streams_, &stream, &std::shared_ptr<LaunchStream>::get);
  return {std::move(point), owner == streams_.end() ? nullptr : *owner, last};
}

void Launcher::wait_in(LaunchStream& stream, const LaunchEvent& event, LaunchPoll* poll) {
  if (!stream.in_place()) return stream.stream().wait(event.point);
  wait_until(poll, [&](auto time) { return event.point->wait_for(time); }, [] { return "an event"; });
}

void Launcher::destroy(const std::shared_ptr<LaunchStream>& stream, LaunchPoll* poll) {
  do harvest(*stream, stream->last(), poll);
  while (!stream->close());
  {
    std::lock_guard lock(mutex_);
    std::erase(streams_, stream);
  }
  raise([&](const Failure& failure) { return failure.stream == stream; });
}

void Launcher::end_early() {
  for (const std::shared_ptr<LaunchStream>& stream : streams()) stream->stream().end_early();
}

}  // namespace qd
