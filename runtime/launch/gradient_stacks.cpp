#include "runtime/launch/gradient_stacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>

namespace qd {
namespace {

/// Most memory for the stacks of all workers, unless a single one takes more.
constexpr int64_t kManyBytes = int64_t{1} << 30;
constexpr int64_t kAlignment = 256;  // enough for a part of a buffer on any GPU

bool is_stack(const ir::Array& array) { return array.kind == ir::Array::Kind::Stack; }

}  // namespace

bool has_stacks(const ir::Kernel& kernel) { return std::ranges::any_of(kernel.arrays, is_stack); }

std::shared_ptr<device::Memory> GradientStacks::take(const ir::Kernel& kernel, std::span<const Scalar> sizes,
                                                     int64_t workers, device::Device& device, ArraySlot* arrays) {
  std::vector<int64_t> words, bytes;
  int64_t row = 0;
  auto too_large = [&](double wanted) {
    throw KernelRuntimeError(fmt::format(
        "kernel {}: its gradient keeps {:.3g} bytes of numbers from its loops, and there is not enough memory: launch "
        "the kernel for parts of its range, or of its loops",
        kernel.name, wanted));
  };
  size_t next = 0;
  for (const ir::Array& array : kernel.arrays) {
    if (!is_stack(array)) continue;
    words.push_back(std::max<int64_t>(1, std::get<int64_t>(sizes[next++])));
    bytes.push_back(ir::size_in_bytes(array.type));
    if (words.back() > std::numeric_limits<int32_t>::max())
      too_large(static_cast<double>(words.back()) * static_cast<double>(bytes.back()));
    row += words.back() * bytes.back();
  }
  const int64_t rows = std::clamp<int64_t>(kManyBytes / row, 1, workers) + 1;
  const int64_t size = rows * row + kAlignment * static_cast<int64_t>(words.size());
  std::shared_ptr<device::Memory> memory;
  {
    std::lock_guard lock(mutex_);
    const auto found =
        std::ranges::find_if(free_, [&](const auto& one) { return one->size() >= static_cast<size_t>(size); });
    if (found != free_.end()) {
      memory = std::move(*found);
      free_.erase(found);
    } else {
      free_.clear();
    }
  }
  if (!memory) {
    try {
      memory = device.allocate(static_cast<size_t>(size));
    } catch (const std::bad_alloc&) {
      too_large(static_cast<double>(size));
    }
  }
  int64_t at = 0;
  next = 0;
  for (size_t i = 0; i < kernel.arrays.size(); ++i) {
    if (!is_stack(kernel.arrays[i])) continue;
    arrays[i].data = static_cast<char*>(memory->address()) + at;
    arrays[i].shape[0] = static_cast<int32_t>(rows);
    arrays[i].shape[1] = static_cast<int32_t>(words[next]);
    at += (rows * words[next] * bytes[next] + kAlignment - 1) / kAlignment * kAlignment;
    ++next;
  }
  return memory;
}

void GradientStacks::give_back(std::shared_ptr<device::Memory> memory) {
  std::lock_guard lock(mutex_);
  free_.push_back(std::move(memory));
}

}  // namespace qd
