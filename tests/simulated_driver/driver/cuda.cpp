// The functions of CUDA's driver API, with the signatures of CUDA 12's cuda.h. Handles are pointers there, too.
#include "tests/simulated_driver/driver/cuda_entry.h"
#include "tests/simulated_driver/threads/fibres.h"

using simulated::call;
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
QD_CUDA(cuCtxGetLimit, size_t* value, int limit) { return call<simulated::get_limit>("cuCtxGetLimit", value, limit); }
QD_CUDA(cuCtxSetLimit, int limit, size_t value) { return call<simulated::set_limit>("cuCtxSetLimit", limit, value); }

// --- memory ----------------------------------------------------------------------------------------------------------

QD_CUDA(cuMemAlloc_v2, uint64_t* address, size_t bytes) {
  return call<simulated::allocate>("cuMemAlloc", address, bytes);
}
QD_CUDA(cuMemFree_v2, uint64_t address) { return call<simulated::free_memory>("cuMemFree", address); }
QD_CUDA(cuPointerGetAttribute, void* value, int attribute, uint64_t address) {
  return in_context("cuPointerGetAttribute",
                    [&](Device&) { return simulated::pointer_attribute(value, attribute, address); });
}
QD_CUDA(cuMemGetInfo_v2, size_t* free, size_t* total) {
  return call<simulated::memory_info>("cuMemGetInfo", free, total);
}
QD_CUDA(cuMemPoolCreate, void** pool, const void*) { return call<simulated::create_pool>("cuMemPoolCreate", pool); }
QD_CUDA(cuMemPoolSetAttribute, void* pool, int, void*) {
  return call<simulated::set_pool_attribute>("cuMemPoolSetAttribute", pool);
}
QD_CUDA(cuMemPoolDestroy, void* pool) { return call<simulated::destroy_pool>("cuMemPoolDestroy", pool); }
QD_CUDA(cuMemAllocFromPoolAsync, uint64_t* address, size_t bytes, void* pool, void* stream) {
  return call<simulated::allocate_from_pool>("cuMemAllocFromPoolAsync", address, bytes, pool, stream);
}
QD_CUDA(cuMemFreeAsync, uint64_t address, void* stream) {
  return call<simulated::free_later>("cuMemFreeAsync", address, stream);
}
QD_CUDA(cuMemHostAlloc, void** address, size_t bytes, unsigned) {
  return call<simulated::allocate_host>("cuMemHostAlloc", address, bytes);
}
QD_CUDA(cuMemFreeHost, void* address) { return call<simulated::free_host>("cuMemFreeHost", address); }
QD_CUDA(cuMemcpyHtoDAsync_v2, uint64_t to, const void* from, size_t bytes, void* stream) {
  return call<simulated::copy_to_device>("cuMemcpyHtoDAsync", to, from, bytes, stream);
}
QD_CUDA(cuMemcpyDtoHAsync_v2, void* to, uint64_t from, size_t bytes, void* stream) {
  return call<simulated::copy_to_host>("cuMemcpyDtoHAsync", to, from, bytes, stream);
}
QD_CUDA(cuMemcpyDtoDAsync_v2, uint64_t to, uint64_t from, size_t bytes, void* stream) {
  return call<simulated::copy_on_device>("cuMemcpyDtoDAsync", to, from, bytes, stream);
}
QD_CUDA(cuMemsetD8Async, uint64_t to, unsigned char byte, size_t bytes, void* stream) {
  return call<simulated::fill>("cuMemsetD8Async", to, byte, bytes, stream);
}

// --- streams and events ----------------------------------------------------------------------------------------------

QD_CUDA(cuStreamCreateWithPriority, void** stream, unsigned, int) {
  return call<simulated::create_stream>("cuStreamCreateWithPriority", stream);
}
QD_CUDA(cuCtxGetStreamPriorityRange, int* least, int* greatest) {
  return in_context("cuCtxGetStreamPriorityRange",
                    [&](Device&) { return *least = 0, *greatest = -5, Result::Success; });
}
QD_CUDA(cuStreamDestroy_v2, void* stream) { return call<simulated::destroy_stream>("cuStreamDestroy", stream); }
QD_CUDA(cuStreamSynchronize, void* stream) { return call<simulated::finish_stream>("cuStreamSynchronize", stream); }
QD_CUDA(cuStreamQuery, void* stream) { return call<simulated::query_stream>("cuStreamQuery", stream); }
QD_CUDA(cuStreamWaitEvent, void* stream, void* event, unsigned) {
  return call<simulated::wait_for_event>("cuStreamWaitEvent", stream, event);
}
QD_CUDA(cuEventCreate, void** event, unsigned flags) {
  return call<simulated::create_event>("cuEventCreate", event, flags);
}
QD_CUDA(cuEventDestroy_v2, void* event) { return call<simulated::destroy_event>("cuEventDestroy", event); }
QD_CUDA(cuEventRecord, void* event, void* stream) {
  return call<simulated::record_event>("cuEventRecord", event, stream);
}
QD_CUDA(cuEventQuery, void* event) { return call<simulated::query_event>("cuEventQuery", event); }
QD_CUDA(cuEventSynchronize, void* event) { return call<simulated::finish_event>("cuEventSynchronize", event); }
QD_CUDA(cuEventElapsedTime, float* milliseconds, void* start, void* end) {
  return call<simulated::elapsed>("cuEventElapsedTime", milliseconds, start, end);
}
QD_CUDA(cuEventElapsedTime_v2, float* milliseconds, void* start, void* end) {
  return cuEventElapsedTime(milliseconds, start, end);
}

// --- modules and kernels ---------------------------------------------------------------------------------------------

QD_CUDA(cuModuleLoadDataEx, void** module, const void* image, unsigned, int*, void**) {
  return call<simulated::load_module>("cuModuleLoadDataEx", module, image);
}
QD_CUDA(cuModuleUnload, void* module) { return call<simulated::unload_module>("cuModuleUnload", module); }
QD_CUDA(cuModuleGetFunction, void** function, void* module, const char* name) {
  return call<simulated::find_function>("cuModuleGetFunction", function, module, name);
}
QD_CUDA(cuFuncGetAttribute, int* value, int number, void* function) {
  return call<simulated::function_attribute>("cuFuncGetAttribute", value, number, function);
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
