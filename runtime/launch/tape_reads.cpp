#include "runtime/launch/tape_reads.h"

#include <algorithm>
#include <iterator>
#include <mutex>

namespace qd {
namespace {

struct NumberedKernels {
  std::mutex mutex;
  std::map<int32_t, std::weak_ptr<const ir::Kernel>> by_first;
  int32_t next = 1;
};

NumberedKernels& numbered() {
  static NumberedKernels kernels;
  return kernels;
}

}  // namespace

std::shared_ptr<device::Memory> TapeReads::marks(uint64_t array, size_t numbers, device::Device& device) {
  std::shared_ptr<device::Memory>& made = marks_[{array, numbers}];
  if (!made) made = device.allocate(std::max<size_t>(1, numbers * sizeof(int32_t)));
  return made;
}

int32_t number_reads(const std::shared_ptr<const ir::Kernel>& kernel) {
  NumberedKernels& kernels = numbered();
  std::lock_guard lock(kernels.mutex);
  std::erase_if(kernels.by_first, [](const auto& entry) { return entry.second.expired(); });
  const int32_t first = kernels.next;
  kernels.by_first.emplace(first, kernel);
  kernels.next += static_cast<int32_t>(kernel->locations.size());
  return first;
}

std::pair<std::shared_ptr<const ir::Kernel>, uint32_t> read_of(int32_t number) {
  NumberedKernels& kernels = numbered();
  std::lock_guard lock(kernels.mutex);
  auto behind = kernels.by_first.upper_bound(number);
  if (behind == kernels.by_first.begin()) return {};
  const auto& [first, reference] = *std::prev(behind);
  std::shared_ptr<const ir::Kernel> kernel = reference.lock();
  const auto location = static_cast<uint32_t>(number - first);
  if (!kernel || location >= kernel->locations.size()) return {};
  return {std::move(kernel), location};
}

}  // namespace qd
