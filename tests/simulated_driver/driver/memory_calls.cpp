// A copy is checked when it is enqueued, and again when it is done: memory that was freed in between is an illegal
// access, as on a GPU.
#include <sys/mman.h>

#include <cstring>
#include <functional>
#include <string>

#include "tests/simulated_driver/driver/calls.h"
#include "tests/simulated_driver/driver/faults.h"
#include "tests/simulated_driver/driver/protection.h"

namespace qd::simulated {
namespace {

void* pointer(uint64_t address) { return reinterpret_cast<void*>(address); }

bool is_host_memory(const void* address) {
  for (const auto& device : driver().devices) {
    if (device->memory->contains(reinterpret_cast<uint64_t>(address))) return false;
  }
  return true;
}

/// An operation for a thread of the device: `work`, if `allowed` still holds.
std::function<Result()> operation(std::function<bool()> allowed, std::function<void()> work) {
  return [allowed = std::move(allowed), work = std::move(work)] {
    {
      const std::lock_guard lock(driver().mutex);
      if (!allowed()) return Result::IllegalAddress;
    }
    const Opened opened;
    return guarded(work);
  };
}

}  // namespace

Result allocate(Device& device, uint64_t* address, size_t bytes) {
  const std::lock_guard lock(driver().mutex);
  if (!address || bytes == 0) return Result::InvalidValue;
  const std::optional<uint64_t> allocated = device.memory->allocate(bytes);
  if (!allocated) return Result::OutOfMemory;
  *address = *allocated;
  return Result::Success;
}

Result free_memory(Device& device, uint64_t address) {
  const std::lock_guard lock(driver().mutex);
  if (address == 0) return Result::Success;
  if (device.freed_later.contains(address)) return Result::InvalidValue;
  return device.memory->free(address) ? Result::Success : Result::InvalidValue;
}

Result pointer_attribute(void* value, int attribute, uint64_t address) {
  constexpr int kDevice = 9;
  if (attribute != kDevice) return Result::InvalidValue;
  const std::lock_guard lock(driver().mutex);
  for (const auto& device : driver().devices) {
    if (!device->memory->holds(address, 1)) continue;
    *static_cast<int*>(value) = device->ordinal;
    return Result::Success;
  }
  return Result::InvalidValue;
}

Result memory_info(Device& device, size_t* free, size_t* total) {
  const std::lock_guard lock(driver().mutex);
  *total = device.memory->limit();
  *free = device.memory->limit() - device.memory->used();
  return Result::Success;
}

Result create_pool(Device& device, void** pool) {
  const std::lock_guard lock(driver().mutex);
  *pool = driver().pools.add({&device});
  return Result::Success;
}

/// Allocations from the pool stay.
Result destroy_pool(Device&, void* pool) {
  const std::lock_guard lock(driver().mutex);
  return driver().pools.remove(pool) ? Result::Success : Result::InvalidValue;
}

Result set_pool_attribute(Device&, void* pool) {
  const std::lock_guard lock(driver().mutex);
  return driver().pools.find(pool) ? Result::Success : Result::InvalidValue;
}

/// The memory is there at once; a use before the stream has come here finds garbage.
Result allocate_from_pool(Device& device, uint64_t* address, size_t bytes, void* pool, void* stream) {
  {
    const std::lock_guard lock(driver().mutex);
    if (!driver().pools.find(pool)) return Result::InvalidValue;
    if (!queue_of(device, stream)) return Result::InvalidHandle;
  }
  return allocate(device, address, bytes);
}

Result free_later(Device& device, uint64_t address, void* stream) {
  const std::lock_guard lock(driver().mutex);
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  if (!queue) return Result::InvalidHandle;
  if (!device.memory->begins(address) || !device.freed_later.insert(address).second) return Result::InvalidValue;
  device.engine.add(queue, {[&device, address] {
                      const std::lock_guard lock_then(driver().mutex);
                      device.freed_later.erase(address);
                      device.memory->free(address);
                      return Result::Success;
                    }});
  return Result::Success;
}

Result allocate_host(Device&, void** address, size_t bytes) {
  const std::lock_guard lock(driver().mutex);
  if (!address || bytes == 0) return Result::InvalidValue;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return Result::OutOfMemory;
  std::memset(memory, 0xcd, bytes);
  driver().host_memory[reinterpret_cast<uint64_t>(memory)] = bytes;
  *address = memory;
  return Result::Success;
}

Result free_host(Device&, void* address) {
  const std::lock_guard lock(driver().mutex);
  return driver().free_host(address) ? Result::Success : Result::InvalidValue;
}

Result copy_to_device(Device& device, uint64_t to, const void* from, size_t bytes, void* stream) {
  const std::lock_guard lock(driver().mutex);
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  if (!queue) return Result::InvalidHandle;
  if (bytes == 0) return Result::Success;
  if (!device.memory->holds(to, bytes) || !is_host_memory(from)) return Result::InvalidValue;
  if (driver().is_pinned(from, bytes)) {
    device.engine.add(
        queue, {operation([=, &device] { return device.memory->holds(to, bytes) && driver().is_pinned(from, bytes); },
                          [=] { std::memcpy(pointer(to), from, bytes); })});
  } else {
    // The driver has read other memory when the function returns.
    auto staged = std::make_shared<const std::string>(static_cast<const char*>(from), bytes);
    device.engine.add(queue, {operation([=, &device] { return device.memory->holds(to, bytes); },
                                        [=] { std::memcpy(pointer(to), staged->data(), bytes); })});
  }
  return Result::Success;
}

Result copy_to_host(Device& device, void* to, uint64_t from, size_t bytes, void* stream) {
  std::unique_lock lock(driver().mutex);
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  if (!queue) return Result::InvalidHandle;
  if (bytes == 0) return Result::Success;
  if (!device.memory->holds(from, bytes) || !is_host_memory(to)) return Result::InvalidValue;
  const bool pinned = driver().is_pinned(to, bytes);
  device.engine.add(
      queue,
      {operation(
          [=, &device] { return device.memory->holds(from, bytes) && (!pinned || driver().is_pinned(to, bytes)); },
          [=] { std::memcpy(to, pointer(from), bytes); })});
  if (pinned) return Result::Success;
  device.engine.finish(lock, *queue);
  return device.engine.failed();
}

Result copy_on_device(Device& device, uint64_t to, uint64_t from, size_t bytes, void* stream) {
  const std::lock_guard lock(driver().mutex);
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  if (!queue) return Result::InvalidHandle;
  if (bytes == 0) return Result::Success;
  auto allowed = [=, &device] { return device.memory->holds(to, bytes) && device.memory->holds(from, bytes); };
  if (!allowed()) return Result::InvalidValue;
  device.engine.add(queue, {operation(allowed, [=] { std::memmove(pointer(to), pointer(from), bytes); })});
  return Result::Success;
}

Result fill(Device& device, uint64_t to, unsigned char byte, size_t bytes, void* stream) {
  const std::lock_guard lock(driver().mutex);
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  if (!queue) return Result::InvalidHandle;
  if (bytes == 0) return Result::Success;
  auto allowed = [=, &device] { return device.memory->holds(to, bytes); };
  if (!allowed()) return Result::InvalidValue;
  device.engine.add(queue, {operation(allowed, [=] { std::memset(pointer(to), byte, bytes); })});
  return Result::Success;
}

}  // namespace qd::simulated
