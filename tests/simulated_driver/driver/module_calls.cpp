#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "tests/simulated_driver/driver/calls.h"
#include "tests/simulated_driver/threads/fibres.h"

namespace qd::simulated {
namespace {

constexpr unsigned kMostGroups = 0x7fffffff;
/// Keys in `extra`, in front of an address each. CUDA's list ends with 0, HIP's with 3.
enum Extra : uintptr_t { kEnd = 0, kBuffer = 1, kBufferSize = 2, kEndOfHip = 3 };
/// The sizes of a kernel's parameters, and where they lie in a buffer.
constexpr size_t kSizes[] = {8, 8, 4, 4, 4}, kOffsets[] = {0, 8, 16, 20, 24};
constexpr size_t kArgumentBytes = 28;

/// Null: no function of this device.
std::shared_ptr<const Module> module_of(const Device& device, const void* function) {
  const auto found = driver().functions.find(function);
  return found == driver().functions.end() || found->second.first != &device ? nullptr : found->second.second;
}

/// Copies the arguments: from pointers to each, or from a buffer. False: they are not there.
bool read_arguments(const Launch& launch, KernelArguments& arguments) {
  auto* bytes = reinterpret_cast<char*>(&arguments);
  if (launch.parameters) {
    for (size_t i = 0; i < std::size(kSizes); ++i) std::memcpy(bytes + kOffsets[i], launch.parameters[i], kSizes[i]);
    return true;
  }
  const void* buffer = nullptr;
  size_t size = 0;
  for (void** extra = launch.extra; extra; extra += 2) {
    const auto what = reinterpret_cast<uintptr_t>(extra[0]);
    if (what == kEnd || what == kEndOfHip) break;
    if (what == kBuffer) buffer = extra[1];
    if (what == kBufferSize) size = *static_cast<const size_t*>(extra[1]);
  }
  if (!buffer || size < kArgumentBytes) return false;
  std::memcpy(bytes, buffer, kArgumentBytes);
  return true;
}

bool has_right_shape(const KernelFacts& kernel, const Launch& launch) {
  const unsigned* groups = launch.groups;
  const unsigned* threads = launch.threads;
  return groups[0] >= 1 && groups[0] <= kMostGroups && groups[1] == 1 && groups[2] == 1 &&
         threads[0] == kernel.threads && threads[0] <= kMostThreads && threads[1] == 1 && threads[2] == 1 &&
         kernel.block_bytes + launch.shared_bytes <= kBlockBytes;
}

MemoryMap map_of(const Device& device) {
  const std::lock_guard lock(driver().mutex);
  return device.memory->map();
}

}  // namespace

Result load_module(Device& device, void** handle, const void* image) {
  std::shared_ptr<const Module> module;
  try {
    module = std::make_shared<const Module>(image);
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "simulated device: {}\n", error.what());
    return Result::InvalidImage;
  }
  for (const KernelFunction& function : module->functions()) {
    if (function.facts.block_bytes > kBlockBytes) return Result::InvalidImage;
  }
  const std::lock_guard lock(driver().mutex);
  *handle = driver().modules.add({&device, module});
  for (const KernelFunction& function : module->functions()) driver().functions[&function] = {&device, module};
  return Result::Success;
}

Result unload_module(Device&, void* handle) {
  const std::lock_guard lock(driver().mutex);
  const LoadedModule* module = driver().modules.find(handle);
  if (!module) return Result::InvalidHandle;
  for (const KernelFunction& function : module->code->functions()) driver().functions.erase(&function);
  driver().modules.remove(handle);
  return Result::Success;
}

Result find_function(Device& device, void** function, void* handle, const char* name) {
  const std::lock_guard lock(driver().mutex);
  const LoadedModule* module = driver().modules.find(handle);
  if (!module || module->device != &device) return Result::InvalidHandle;
  const KernelFunction* found = module->code->function(name);
  *function = const_cast<KernelFunction*>(found);
  return found ? Result::Success : Result::NotFound;
}

Result function_attribute(Device& device, int* value, int attribute, const void* handle) {
  const std::lock_guard lock(driver().mutex);
  if (!module_of(device, handle)) return Result::InvalidHandle;
  const auto& function = *static_cast<const KernelFunction*>(handle);
  switch (attribute) {
    case 0: *value = static_cast<int>(kMostThreads); return Result::Success;  // threads of a block
    case 1: *value = static_cast<int>(function.facts.block_bytes); return Result::Success;
    default: return Result::InvalidValue;
  }
}

Result launch(Device& device, const void* handle, const Launch& launch, void* stream) {
  const std::lock_guard lock(driver().mutex);
  const std::shared_ptr<const Module> module = module_of(device, handle);
  const std::shared_ptr<Queue> queue = queue_of(device, stream);
  if (!module || !queue) return Result::InvalidHandle;
  const auto& function = *static_cast<const KernelFunction*>(handle);
  KernelArguments arguments = {};
  if (!has_right_shape(function.facts, launch) || !read_arguments(launch, arguments)) return Result::InvalidValue;
  device.engine.add(queue, {[module, &function, &device, arguments, groups = launch.groups[0]] {
                              const MemoryMap memory = function.facts.checked ? map_of(device) : MemoryMap();
                              return run_kernel(function, arguments, groups, memory);
                            },
                            true});
  return Result::Success;
}

}  // namespace qd::simulated
