// Allocation by calloc for large blocks, whose pages are untouched so far. The address that free() needs is stored in
// front of the data.
#include "runtime/device/cpu/host_memory.h"

#include <cstdlib>
#include <limits>
#include <new>

namespace qd::device {
namespace {

constexpr size_t kAlignment = 64;

void* allocate_zeroed(size_t size) {
  if (size > std::numeric_limits<size_t>::max() / 2) throw std::bad_alloc();
  void* block = std::calloc(size + kAlignment + sizeof(void*), 1);
  if (!block) throw std::bad_alloc();
  const uintptr_t data =
      (reinterpret_cast<uintptr_t>(block) + sizeof(void*) + kAlignment - 1) / kAlignment * kAlignment;
  reinterpret_cast<void**>(data)[-1] = block;
  return reinterpret_cast<void*>(data);
}

}  // namespace

HostMemory::HostMemory(size_t size) : Memory(size, allocate_zeroed(size)) {}

HostMemory::~HostMemory() { std::free(static_cast<void**>(address())[-1]); }

}  // namespace qd::device
