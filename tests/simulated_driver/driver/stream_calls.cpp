#include "tests/simulated_driver/driver/calls.h"

namespace qd::simulated {
namespace {

constexpr unsigned kDisableTiming = 2;

Event* event_of(const Device& device, const void* handle) {
  Event* event = driver().events.find(handle);
  return event && event->device == &device ? event : nullptr;
}

/// The stream joins the capture. Captured operations are done in their order, so there is nothing to wait for.
Result wait_in_capture(const std::shared_ptr<Queue>& queue, const Mark& mark) {
  const std::shared_ptr<Capture>& capture = mark.capture;
  if (capture->queues.empty() || (queue->capture && queue->capture != capture)) return Result::CaptureUnsupported;
  if (!queue->capture) {
    queue->capture = capture;
    capture->queues.push_back(queue);
    capture->unfinished.insert(queue.get());
  } else if (queue == capture->queues.front()) {
    capture->unfinished.erase(mark.of);
  }
  return Result::Success;
}

}  // namespace

std::shared_ptr<Queue> queue_of(Device& device, void* handle) {
  // The default stream by its other names, CU_STREAM_LEGACY and CU_STREAM_PER_THREAD, too.
  if (reinterpret_cast<uintptr_t>(handle) <= 2) return device.default_queue;
  const Stream* stream = driver().streams.find(handle);
  return stream && stream->device == &device ? stream->queue : nullptr;
}

Result create_stream(Device& device, void** stream) {
  const std::lock_guard lock(driver().mutex);
  *stream = driver().streams.add({&device});
  return Result::Success;
}

/// Operations on the stream will still be done.
Result destroy_stream(Device&, void* stream) {
  const std::lock_guard lock(driver().mutex);
  return driver().streams.remove(stream) ? Result::Success : Result::InvalidHandle;
}

Result finish_stream(Device& device, void* stream) {
  std::unique_lock lock(driver().mutex);
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  if (!queue) return Result::InvalidHandle;
  if (queue->capture) return Result::CaptureUnsupported;
  device.engine.finish(lock, *queue);
  return device.engine.failed();
}

Result query_stream(Device& device, void* stream) {
  const std::lock_guard lock(driver().mutex);
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  if (!queue) return Result::InvalidHandle;
  if (queue->capture) return Result::CaptureUnsupported;
  device.engine.hurry();
  return queue->done == queue->added ? Result::Success : Result::NotReady;
}

/// Waits for the last record so far; there may be none.
Result wait_for_event(Device& device, void* stream, void* handle) {
  const std::lock_guard lock(driver().mutex);
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  const Event* event = driver().events.find(handle);  // maybe of another device
  if (!queue || !event) return Result::InvalidHandle;
  if (event->recorded && event->recorded->capture) return wait_in_capture(queue, *event->recorded);
  if (queue->capture) return Result::CaptureUnsupported;
  if (event->recorded && !event->recorded->reached)
    device.engine.add(queue, {.work = nullptr, .after = event->recorded});
  return Result::Success;
}

Result create_event(Device& device, void** event, unsigned flags) {
  const std::lock_guard lock(driver().mutex);
  *event = driver().events.add({&device, (flags & kDisableTiming) == 0});
  return Result::Success;
}

Result destroy_event(Device&, void* event) {
  const std::lock_guard lock(driver().mutex);
  return driver().events.remove(event) ? Result::Success : Result::InvalidHandle;
}

Result record_event(Device& device, void* handle, void* stream) {
  const std::lock_guard lock(driver().mutex);
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  Event* event = event_of(device, handle);
  if (!queue || !event) return Result::InvalidHandle;
  auto mark = std::make_shared<Mark>();
  event->recorded = mark;
  if (queue->capture) {
    mark->capture = queue->capture;
    mark->of = queue.get();
    return Result::Success;
  }
  device.engine.add(queue, {[mark] {
                      const std::lock_guard lock_then(driver().mutex);
                      mark->when = Clock::now();
                      mark->reached = true;
                      return Result::Success;
                    }});
  return Result::Success;
}

Result query_event(Device& device, void* handle) {
  const std::lock_guard lock(driver().mutex);
  const Event* event = event_of(device, handle);
  if (!event) return Result::InvalidHandle;
  if (event->recorded && event->recorded->capture) return Result::CaptureUnsupported;
  device.engine.hurry();
  return !event->recorded || event->recorded->reached ? Result::Success : Result::NotReady;
}

Result finish_event(Device& device, void* handle) {
  std::unique_lock lock(driver().mutex);
  const Event* event = event_of(device, handle);
  if (!event) return Result::InvalidHandle;
  if (const std::shared_ptr<const Mark> mark = event->recorded; mark && !mark->reached)
    device.engine.wait_until(lock, [&] { return mark->reached || device.engine.failed() != Result::Success; });
  return device.engine.failed();
}

Result elapsed(Device& device, float* milliseconds, void* start, void* end) {
  const std::lock_guard lock(driver().mutex);
  const Event *first = event_of(device, start), *last = event_of(device, end);
  for (const Event* event : {first, last}) {
    if (!event || !event->timed || !event->recorded) return Result::InvalidHandle;
  }
  if (!first->recorded->reached || !last->recorded->reached) return Result::NotReady;
  *milliseconds = std::chrono::duration<float, std::milli>(last->recorded->when - first->recorded->when).count();
  return Result::Success;
}

}  // namespace qd::simulated
