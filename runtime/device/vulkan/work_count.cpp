// Removes streams that have gone when another one comes.
#include "runtime/device/vulkan/work_count.h"

namespace qd::device::vulkan {

std::shared_ptr<WorkCount> AllWork::add() {
  auto count = std::make_shared<WorkCount>();
  std::lock_guard lock(mutex_);
  std::erase_if(streams_, [](const auto& stream) { return stream.expired(); });
  streams_.push_back(count);
  return count;
}

void AllWork::wait() {
  std::vector<std::shared_ptr<WorkCount>> counts;
  {
    std::lock_guard lock(mutex_);
    for (const auto& stream : streams_) {
      if (auto count = stream.lock()) counts.push_back(std::move(count));
    }
  }
  for (const auto& count : counts) count->wait();
}

}  // namespace qd::device::vulkan
