// Loop of the stream's thread: it takes the launches that wait, records all of them, submits them at once, and waits.
// Launches that come meanwhile are the next to be taken. A launch whose schedule has conditions is taken alone.
#include "runtime/device/vulkan/vulkan_stream.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "runtime/device/stream_queue.h"
#include "runtime/device/vulkan/instance.h"

namespace qd::device::vulkan {
namespace {

/// Largest number of launches that are submitted at once.
constexpr size_t kMostAtOnce = 64;
/// Time limit for a launch to end after it was stopped; then the device is lost.
constexpr std::chrono::seconds kToStop{2};

}  // namespace

struct VulkanStream::Queue {
  using Entry = StreamQueue::Entry;
  using Entries = StreamQueue::Entries;

  Queue(std::shared_ptr<Gpu> of, std::shared_ptr<WorkCount> count, uint64_t seed, std::chrono::nanoseconds limit)
      : gpu(std::move(of)), count(std::move(count)), recorder(gpu, gpu->next_stream()), seed(seed), limit(limit) {
    entries.start([this] { work(); });
  }
  ~Queue() { entries.end(); }

  /// Whether an entry can run together with those that were taken.
  static bool fits(const Entries& taken, const Entry& next) {
    return taken.size() < kMostAtOnce && !next.after && !has_conditions(next) && !has_conditions(taken.front());
  }
  static bool has_conditions(const Entry& entry) { return entry.code && code_of(entry).kernel().has_conditions(); }
  static const VulkanExecutable& code_of(const Entry& entry) {
    return static_cast<const VulkanExecutable&>(*entry.code);
  }

  void work() {
    Entries taken;
    for (entries.take(taken, fits); !taken.empty(); entries.take(taken, fits)) {
      if (const auto& after = taken.front().after) {
        while (!ends_early.load() && !after->wait_for(kBetweenEndLooks)) continue;
      }
      run(taken);
      for (const Entry& entry : taken) {
        if (entry.reaches) entry.reaches->reach();
        if (entry.code) count->end();
      }
    }
  }

  /// Ends launches that were not begun.
  static void end(const Entry& entry, LaunchOutcome::Status status, const std::string& error) {
    entry.invocation.outcome->status = status;
    entry.invocation.outcome->error = error;
  }

  void run(const Entries& taken) {
    std::deque<VulkanLaunch> launches;
    const VulkanLaunch::Run run_recorded = [&] { return run_submission(launches); };
    for (const Entry& entry : taken) {
      if (!entry.code) continue;
      if (ends_early.load()) {
        end(entry, LaunchOutcome::Status::Interrupted, {});
      } else if (!gpu->usable()) {
        end(entry, LaunchOutcome::Status::Lost, gpu->lost_error());
      } else {
        begin(entry, launches, run_recorded);
      }
    }
    if (launches.empty() || !gpu->usable() || run_recorded() != CommandRecorder::End::Over) return;
    const std::string said = take_validation_messages();
    for (VulkanLaunch& launch : launches) {
      launch.take_times(recorder);
      launch.finish();
      launch.release();
      if (!said.empty()) launch.end(LaunchOutcome::Status::Lost, "the validation layer of Vulkan says: " + said);
    }
  }

  void begin(const Entry& entry, std::deque<VulkanLaunch>& launches, const VulkanLaunch::Run& run_recorded) {
    try {
      launches.emplace_back(code_of(entry), entry.invocation);
    } catch (const std::exception& error) {  // there is no memory
      return end(entry, LaunchOutcome::Status::Lost, error.what());
    }
    try {
      launches.back().record(recorder, gpu->physical(), seed, run_recorded);
    } catch (const std::exception& error) {
      gpu->lose(error.what());
      give_up(CommandRecorder::End::Lost, launches);
    }
  }

  /// Number of launches that are over.
  static size_t reached(const std::deque<VulkanLaunch>& launches) {
    return static_cast<size_t>(std::ranges::count_if(launches, &VulkanLaunch::over));
  }

  CommandRecorder::End run_submission(std::deque<VulkanLaunch>& launches) {
    using enum CommandRecorder::End;
    const std::function<size_t()> progress = [&] { return reached(launches); };
    CommandRecorder::End end = recorder.run({&ends_early, limit, progress});
    while (end == Timeout) {
      const auto hangs = std::ranges::find_if(launches, [](const VulkanLaunch& launch) { return !launch.over(); });
      if (hangs == launches.end() || hangs->stopped()) break;
      hangs->stop(LaunchOutcome::Status::Lost, timeout_error());
      end = recorder.wait({&ends_early, kToStop, progress});
      // The launch has ended, and another one takes its time.
      if (end == Timeout && hangs->over()) end = recorder.wait({&ends_early, limit, progress});
    }
    if (end == Early || (end == Over && ends_early.load())) {
      for (VulkanLaunch& launch : launches) launch.stop(LaunchOutcome::Status::Interrupted, {});
      if (end == Early && recorder.wait({nullptr, kToStop, progress}) == Over) end = Over;
    }
    if (end != Over) give_up(end, launches);
    return end;
  }

  std::string timeout_error() const {
    return fmt::format("the device got no further for {} s (device_timeout)",
                       std::chrono::duration<double>(limit).count());
  }

  /// Ends launches after the device did not run everything. Memory that it may still be using is left behind.
  void give_up(CommandRecorder::End end, std::deque<VulkanLaunch>& launches) {
    const auto hangs = std::ranges::find_if(launches, [](const VulkanLaunch& launch) { return !launch.over(); });
    std::string error = gpu->lost();
    if (end == CommandRecorder::End::Timeout && hangs != launches.end()) {
      error = timeout_error();
      gpu->lose(fmt::format("kernel {} did not end", hangs->kernel()));
    }
    if (end == CommandRecorder::End::Early) gpu->lose("a launch was ended early");
    for (VulkanLaunch& launch : launches) {
      if (launch.over()) {
        launch.finish();
      } else if (end == CommandRecorder::End::Early) {
        launch.end(LaunchOutcome::Status::Interrupted, {});
      } else if (end == CommandRecorder::End::Timeout && &launch != &*hangs) {
        launch.end(LaunchOutcome::Status::Lost, gpu->lost_error());
      } else {
        launch.end(LaunchOutcome::Status::Lost, error);
      }
    }
  }

  const std::shared_ptr<Gpu> gpu;
  const std::shared_ptr<WorkCount> count;
  CommandRecorder recorder;  // of the thread
  uint64_t seed;             // of the thread
  const std::chrono::nanoseconds limit;
  std::atomic<bool> ends_early = false;
  StreamQueue entries;
};

VulkanStream::VulkanStream(std::shared_ptr<Gpu> gpu, std::shared_ptr<WorkCount> count, uint64_t seed,
                           std::chrono::nanoseconds limit)
    : queue_(std::make_unique<Queue>(std::move(gpu), std::move(count), seed, limit)) {}

VulkanStream::~VulkanStream() {
  if (queue_->entries.is_of_parent()) (void)queue_.release();
}

void VulkanStream::run(const Executable& executable, const Invocation& invocation) {
  queue_->count->begin();
  queue_->entries.put({.code = &executable, .invocation = invocation});
}

std::shared_ptr<Event> VulkanStream::record() { return queue_->entries.record(); }
void VulkanStream::wait(std::shared_ptr<Event> event) { queue_->entries.wait(std::move(event)); }
void VulkanStream::end_early() { queue_->ends_early.store(true); }

}  // namespace qd::device::vulkan
