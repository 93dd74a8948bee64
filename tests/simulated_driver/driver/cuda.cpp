// The functions of CUDA's driver API, with the signatures of CUDA 12's cuda.h. Handles are pointers there, too.
#include "tests/simulated_driver/driver/cuda_entry.h"
#include "tests/simulated_driver/threads/fibres.h"

using simulated::in_context;
using simulated::initialised;

namespace {

constexpr int kVersion = 12040;

/// Attributes by CUDA's numbers.
Result attribute(int* value, int attribute, int ordinal) {
  if (!driver().device(ordinal)) return Result::InvalidDevice;
  const simulated::Settings& settings = driver().settings;
  switch (attribute) {
    case 1:                                               // threads of a block
    case 2:                                               // in each direction
    case 3: *value = 1024; return Result::Success;        //
    case 4: *value = 64; return Result::Success;          //
    case 5: *value = 0x7fffffff; return Result::Success;  // blocks of a grid in each direction
    case 6:
    case 7: *value = 65535; return Result::Success;
    case 8: *value = static_cast<int>(simulated::kBlockBytes); return Result::Success;
    case 10: *value = 32; return Result::Success;  // threads of a warp
    case 16: *value = settings.processors; return Result::Success;
    case 18: *value = 0; return Result::Success;     // integrated with the host
    case 39: *value = 1024; return Result::Success;  // threads of a multiprocessor
    case 41: *value = 1; return Result::Success;     // unified addresses
    case 75: *value = settings.compute_capability / 10; return Result::Success;
    case 76: *value = settings.compute_capability % 10; return Result::Success;
    case 115: *value = 1; return Result::Success;  // memory pools
    default: return Result::InvalidValue;
  }
}

/// Hands the image that was added through unchanged.
struct Linker {
  std::string image;
};

}  // namespace

// --- the driver and its devices --------------------------------------------------------------------------------------

QD_CUDA(cuInit, unsigned flags) {
  return simulated::entry("cuInit", [&] {
    if (flags != 0) return Result::InvalidValue;
    const std::lock_guard lock(driver().mutex);
    driver().initialise();
    return driver().settings.devices > 0 ? Result::Success : Result::NoDevice;
  });
}

QD_CUDA(cuDriverGetVersion, int* version) {
  return simulated::entry("cuDriverGetVersion", [&] { return *version = kVersion, Result::Success; });
}

QD_CUDA(cuGetErrorName, Result result, const char** name) {
  *name = simulated::cuda_name(result);
  return *name ? Result::Success : Result::InvalidValue;
}

QD_CUDA(cuGetErrorString, Result result, const char** text) {
  *text = simulated::description(result);
  return *text ? Result::Success : Result::InvalidValue;
}

QD_CUDA(cuDeviceGetCount, int* count) {
  return initialised("cuDeviceGetCount", [&] { return *count = driver().settings.devices, Result::Success; });
}

QD_CUDA(cuDeviceGet, int* device, int ordinal) {
  return initialised("cuDeviceGet", [&] {
    if (!driver().device(ordinal)) return Result::InvalidDevice;
    return *device = ordinal, Result::Success;
  });
}

QD_CUDA(cuDeviceGetName, char* name, int bytes, int device) {
  return initialised("cuDeviceGetName", [&] {
    const Device* found = driver().device(device);
    return found ? simulated::copy_text(found->name, name, bytes) : Result::InvalidDevice;
  });
}

QD_CUDA(cuDeviceTotalMem_v2, size_t* bytes, int device) {
  return initialised("cuDeviceTotalMem", [&] {
    if (!driver().device(device)) return Result::InvalidDevice;
    return *bytes = driver().settings.memory, Result::Success;
  });
}

QD_CUDA(cuDeviceGetAttribute, int* value, int number, int device) {
  return initialised("cuDeviceGetAttribute", [&] { return attribute(value, number, device); });
}

QD_CUDA(cuDeviceGetUuid_v2, char (*uuid)[16], int device) {
  return initialised("cuDeviceGetUuid", [&] {
    return driver().device(device) ? simulated::device_uuid(device, *uuid) : Result::InvalidDevice;
  });
}

// --- contexts --------------------------------------------------------------------------------------------------------

QD_CUDA(cuDevicePrimaryCtxRetain, void** context, int device) {
  return initialised("cuDevicePrimaryCtxRetain", [&] { return simulated::retain_context(context, device); });
}
QD_CUDA(cuDevicePrimaryCtxRelease_v2, int device) {
  return initialised("cuDevicePrimaryCtxRelease", [&] { return simulated::release_context(device); });
}
QD_CUDA(cuCtxPushCurrent_v2, void* context) {
  return initialised("cuCtxPushCurrent", [&] { return simulated::push_context(context); });
}
QD_CUDA(cuCtxPopCurrent_v2, void** context) {
  return initialised("cuCtxPopCurrent", [&] { return simulated::pop_context(context); });
}
QD_CUDA(cuCtxGetCurrent, void** context) {
  return initialised("cuCtxGetCurrent", [&] { return simulated::get_context(context); });
}
QD_CUDA(cuCtxGetLimit, size_t* value, int limit) {
  return in_context("cuCtxGetLimit", [&](Device& device) { return simulated::get_limit(device, value, limit); });
}
QD_CUDA(cuCtxSetLimit, int limit, size_t value) {
  return in_context("cuCtxSetLimit", [&](Device& device) { return simulated::set_limit(device, limit, value); });
}

// --- memory ----------------------------------------------------------------------------------------------------------

QD_CUDA(cuMemAlloc_v2, uint64_t* address, size_t bytes) {
  return in_context("cuMemAlloc", [&](Device& device) { return simulated::allocate(device, address, bytes); });
}
QD_CUDA(cuMemFree_v2, uint64_t address) {
  return in_context("cuMemFree", [&](Device& device) { return simulated::free_memory(device, address); });
}
QD_CUDA(cuPointerGetAttribute, void* value, int attribute, uint64_t address) {
  return in_context("cuPointerGetAttribute",
                    [&](Device&) { return simulated::pointer_attribute(value, attribute, address); });
}
QD_CUDA(cuMemGetInfo_v2, size_t* free, size_t* total) {
  return in_context("cuMemGetInfo", [&](Device& device) { return simulated::memory_info(device, free, total); });
}
QD_CUDA(cuMemPoolCreate, void** pool, const void*) {
  return in_context("cuMemPoolCreate", [&](Device& device) { return simulated::create_pool(device, pool); });
}
QD_CUDA(cuMemPoolSetAttribute, void* pool, int, void*) {
  return in_context("cuMemPoolSetAttribute",
                    [&](Device& device) { return simulated::set_pool_attribute(device, pool); });
}
QD_CUDA(cuMemPoolDestroy, void* pool) {
  return in_context("cuMemPoolDestroy", [&](Device& device) { return simulated::destroy_pool(device, pool); });
}
QD_CUDA(cuMemAllocFromPoolAsync, uint64_t* address, size_t bytes, void* pool, void* stream) {
  return in_context("cuMemAllocFromPoolAsync", [&](Device& device) {
    return simulated::allocate_from_pool(device, address, bytes, pool, stream);
  });
}
QD_CUDA(cuMemFreeAsync, uint64_t address, void* stream) {
  return in_context("cuMemFreeAsync", [&](Device& device) { return simulated::free_later(device, address, stream); });
}
QD_CUDA(cuMemHostAlloc, void** address, size_t bytes, unsigned) {
  return in_context("cuMemHostAlloc", [&](Device& device) { return simulated::allocate_host(device, address, bytes); });
}
QD_CUDA(cuMemFreeHost, void* address) {
  return in_context("cuMemFreeHost", [&](Device& device) { return simulated::free_host(device, address); });
}
QD_CUDA(cuMemcpyHtoDAsync_v2, uint64_t to, const void* from, size_t bytes, void* stream) {
  return in_context("cuMemcpyHtoDAsync",
                    [&](Device& device) { return simulated::copy_to_device(device, to, from, bytes, stream); });
}
QD_CUDA(cuMemcpyDtoHAsync_v2, void* to, uint64_t from, size_t bytes, void* stream) {
  return in_context("cuMemcpyDtoHAsync",
                    [&](Device& device) { return simulated::copy_to_host(device, to, from, bytes, stream); });
}
QD_CUDA(cuMemcpyDtoDAsync_v2, uint64_t to, uint64_t from, size_t bytes, void* stream) {
  return in_context("cuMemcpyDtoDAsync",
                    [&](Device& device) { return simulated::copy_on_device(device, to, from, bytes, stream); });
}
QD_CUDA(cuMemsetD8Async, uint64_t to, unsigned char byte, size_t bytes, void* stream) {
  return in_context("cuMemsetD8Async",
                    [&](Device& device) { return simulated::fill(device, to, byte, bytes, stream); });
}

// --- streams and events ----------------------------------------------------------------------------------------------

QD_CUDA(cuStreamCreateWithPriority, void** stream, unsigned, int) {
  return in_context("cuStreamCreateWithPriority",
                    [&](Device& device) { return simulated::create_stream(device, stream); });
}
QD_CUDA(cuCtxGetStreamPriorityRange, int* least, int* greatest) {
  return in_context("cuCtxGetStreamPriorityRange",
                    [&](Device&) { return *least = 0, *greatest = -5, Result::Success; });
}
QD_CUDA(cuStreamDestroy_v2, void* stream) {
  return in_context("cuStreamDestroy", [&](Device& device) { return simulated::destroy_stream(device, stream); });
}
QD_CUDA(cuStreamSynchronize, void* stream) {
  return in_context("cuStreamSynchronize", [&](Device& device) { return simulated::finish_stream(device, stream); });
}
QD_CUDA(cuStreamQuery, void* stream) {
  return in_context("cuStreamQuery", [&](Device& device) { return simulated::query_stream(device, stream); });
}
QD_CUDA(cuStreamWaitEvent, void* stream, void* event, unsigned) {
  return in_context("cuStreamWaitEvent",
                    [&](Device& device) { return simulated::wait_for_event(device, stream, event); });
}
QD_CUDA(cuEventCreate, void** event, unsigned flags) {
  return in_context("cuEventCreate", [&](Device& device) { return simulated::create_event(device, event, flags); });
}
QD_CUDA(cuEventDestroy_v2, void* event) {
  return in_context("cuEventDestroy", [&](Device& device) { return simulated::destroy_event(device, event); });
}
QD_CUDA(cuEventRecord, void* event, void* stream) {
  return in_context("cuEventRecord", [&](Device& device) { return simulated::record_event(device, event, stream); });
}
QD_CUDA(cuEventQuery, void* event) {
  return in_context("cuEventQuery", [&](Device& device) { return simulated::query_event(device, event); });
}
QD_CUDA(cuEventSynchronize, void* event) {
  return in_context("cuEventSynchronize", [&](Device& device) { return simulated::finish_event(device, event); });
}
QD_CUDA(cuEventElapsedTime, float* milliseconds, void* start, void* end) {
  return in_context("cuEventElapsedTime",
                    [&](Device& device) { return simulated::elapsed(device, milliseconds, start, end); });
}
QD_CUDA(cuEventElapsedTime_v2, float* milliseconds, void* start, void* end) {
  return cuEventElapsedTime(milliseconds, start, end);
}

// --- modules and kernels ---------------------------------------------------------------------------------------------

QD_CUDA(cuModuleLoadDataEx, void** module, const void* image, unsigned, int*, void**) {
  return in_context("cuModuleLoadDataEx",
                    [&](Device& device) { return simulated::load_module(device, module, image); });
}
QD_CUDA(cuModuleUnload, void* module) {
  return in_context("cuModuleUnload", [&](Device& device) { return simulated::unload_module(device, module); });
}
QD_CUDA(cuModuleGetFunction, void** function, void* module, const char* name) {
  return in_context("cuModuleGetFunction",
                    [&](Device& device) { return simulated::find_function(device, function, module, name); });
}
QD_CUDA(cuFuncGetAttribute, int* value, int number, void* function) {
  return in_context("cuFuncGetAttribute",
                    [&](Device& device) { return simulated::function_attribute(device, value, number, function); });
}
QD_CUDA(cuLaunchKernel, void* function, unsigned groups_x, unsigned groups_y, unsigned groups_z, unsigned threads_x,
        unsigned threads_y, unsigned threads_z, unsigned shared_bytes, void* stream, void** parameters, void** extra) {
  return in_context("cuLaunchKernel", [&](Device& device) {
    return simulated::launch(
        device, function,
        {{groups_x, groups_y, groups_z}, {threads_x, threads_y, threads_z}, shared_bytes, parameters, extra}, stream);
  });
}

QD_CUDA(cuLinkCreate_v2, unsigned, int*, void**, void** state) {
  return in_context("cuLinkCreate", [&](Device&) { return *state = new Linker, Result::Success; });
}
QD_CUDA(cuLinkAddData_v2, void* state, int, void* data, size_t bytes, const char*, unsigned, int*, void**) {
  return in_context("cuLinkAddData", [&](Device&) {
    static_cast<Linker*>(state)->image.assign(static_cast<const char*>(data), bytes);
    return Result::Success;
  });
}
QD_CUDA(cuLinkComplete, void* state, void** image, size_t* bytes) {
  return in_context("cuLinkComplete", [&](Device&) {
    std::string& linked = static_cast<Linker*>(state)->image;
    *image = linked.data();
    *bytes = linked.size();
    return Result::Success;
  });
}
QD_CUDA(cuLinkDestroy, void* state) {
  return in_context("cuLinkDestroy", [&](Device&) { return delete static_cast<Linker*>(state), Result::Success; });
}
