// HIP's functions, with the signatures and numbers of hip_runtime_api.h of ROCm 5.2 and later. Functions that want a
// device take device 0 where no context is current, as HIP does.
#include <cstring>

#include "tests/simulated_driver/driver/entry.h"
#include "tests/simulated_driver/threads/fibres.h"

using qd::simulated::Device;
using qd::simulated::driver;
using qd::simulated::Result;
namespace simulated = qd::simulated;

namespace {

constexpr int kVersion = 60032830;

/// Initialises the driver at its first use: there is no need to call hipInit.
Result initialise() {
  const std::lock_guard lock(driver().mutex);
  driver().initialise();
  return driver().settings.devices > 0 ? Result::Success : Result::NoDevice;
}

template <class Work>
Result initialised(std::string_view name, Work&& work) {
  return simulated::entry(name, [&] {
    const Result result = initialise();
    return result == Result::Success ? work() : result;
  });
}

Result current_device(Device*& device) {
  if (const Result result = initialise(); result != Result::Success) return result;
  const std::vector<Device*>& contexts = simulated::current_contexts();
  device = contexts.empty() ? driver().device(0) : contexts.back();
  return Result::Success;
}

template <class Work>
Result on_device(std::string_view name, Work&& work) {
  return simulated::entry_with_device(name, current_device, work);
}

uint64_t number(const void* address) { return reinterpret_cast<uint64_t>(address); }

const char* arch() { return driver().settings.wave == 64 ? "gfx90a:sramecc+:xnack-" : "gfx1100"; }

/// Attributes by HIP's numbers.
Result attribute(int* value, int attribute, int ordinal) {
  if (!driver().device(ordinal)) return Result::InvalidDevice;
  const simulated::Settings& settings = driver().settings;
  switch (attribute) {
    case 16: *value = 0; return Result::Success;                             // integrated with the host
    case 23: *value = settings.wave == 64 ? 9 : 11; return Result::Success;  // the version of its instructions
    case 26:                                                                 // threads of a block in each direction
    case 27:                                                                 //
    case 28:                                                                 //
    case 56:                                                                 // threads of a block
    case 57: *value = 1024; return Result::Success;                          // threads of a compute unit
    case 29:                                                                 // blocks of a grid in each direction
    case 30:
    case 31: *value = 0x7fffffff; return Result::Success;
    case 61: *value = 0; return Result::Success;  // the minor version of its compute capability
    case 63: *value = settings.processors; return Result::Success;
    case 74: *value = static_cast<int>(simulated::kBlockBytes); return Result::Success;
    case 87: *value = static_cast<int>(settings.wave); return Result::Success;
    case 88: *value = 1; return Result::Success;  // memory pools
    default: return Result::InvalidValue;
  }
}

/// Offsets in bytes of the fields that are filled, in the struct of ROCm 5 and in that of ROCm 6.
struct Layout {
  size_t bytes, memory, block_bytes, wave, threads, major, minor, processors, integrated, arch;
};
constexpr Layout kRocm5{792, 256, 264, 276, 280, 328, 332, 336, 652, 396};
constexpr Layout kRocm6{1472, 288, 296, 308, 320, 360, 364, 388, 396, 1160};

Result fill_properties(void* properties, int ordinal, const Layout& layout) {
  const Device* device = driver().device(ordinal);
  if (!device) return Result::InvalidDevice;
  auto* bytes = static_cast<char*>(properties);
  std::memset(bytes, 0, layout.bytes);
  auto put = [&](size_t offset, auto value) { std::memcpy(bytes + offset, &value, sizeof value); };
  std::strcpy(bytes, device->name.c_str());
  put(layout.memory, size_t{driver().settings.memory});
  put(layout.block_bytes, simulated::kBlockBytes);
  put(layout.wave, static_cast<int>(driver().settings.wave));
  put(layout.threads, 1024);
  put(layout.major, driver().settings.wave == 64 ? 9 : 11);
  put(layout.processors, driver().settings.processors);
  std::strcpy(bytes + layout.arch, arch());
  return Result::Success;
}

}  // namespace

#define QD_HIP_FUNCTION(name, ...) QD_DRIVER_FUNCTION Result name(__VA_ARGS__)

// --- the driver and its devices --------------------------------------------------------------------------------------

QD_HIP_FUNCTION(hipInit, unsigned flags) {
  return initialised("hipInit", [&] { return flags == 0 ? Result::Success : Result::InvalidValue; });
}
QD_HIP_FUNCTION(hipDriverGetVersion, int* version) {
  return simulated::entry("hipDriverGetVersion", [&] { return *version = kVersion, Result::Success; });
}
QD_DRIVER_FUNCTION const char* hipGetErrorName(Result result) { return simulated::hip_name(result); }
QD_DRIVER_FUNCTION const char* hipGetErrorString(Result result) {
  const char* text = simulated::description(result);
  return text ? text : simulated::description(Result::Unknown);
}
QD_HIP_FUNCTION(hipGetDeviceCount, int* count) {
  return initialised("hipGetDeviceCount", [&] { return *count = driver().settings.devices, Result::Success; });
}
QD_HIP_FUNCTION(hipDeviceGet, int* device, int ordinal) {
  return initialised("hipDeviceGet", [&] {
    if (!driver().device(ordinal)) return Result::InvalidDevice;
    return *device = ordinal, Result::Success;
  });
}
QD_HIP_FUNCTION(hipDeviceGetName, char* name, int bytes, int device) {
  return initialised("hipDeviceGetName", [&] {
    const Device* found = driver().device(device);
    return found ? simulated::copy_text(found->name, name, bytes) : Result::InvalidDevice;
  });
}
QD_HIP_FUNCTION(hipDeviceTotalMem, size_t* bytes, int device) {
  return initialised("hipDeviceTotalMem", [&] {
    if (!driver().device(device)) return Result::InvalidDevice;
    return *bytes = driver().settings.memory, Result::Success;
  });
}
QD_HIP_FUNCTION(hipDeviceGetAttribute, int* value, int wanted, int device) {
  return initialised("hipDeviceGetAttribute", [&] { return attribute(value, wanted, device); });
}
QD_HIP_FUNCTION(hipGetDeviceProperties, void* properties, int device) {
  return initialised("hipGetDeviceProperties", [&] { return fill_properties(properties, device, kRocm5); });
}
QD_HIP_FUNCTION(hipGetDevicePropertiesR0600, void* properties, int device) {
  return initialised("hipGetDeviceProperties", [&] { return fill_properties(properties, device, kRocm6); });
}
QD_HIP_FUNCTION(hipDeviceGetUuid, char (*uuid)[16], int device) {
  return initialised("hipDeviceGetUuid", [&] {
    return driver().device(device) ? simulated::device_uuid(device, *uuid) : Result::InvalidDevice;
  });
}

// --- contexts --------------------------------------------------------------------------------------------------------

QD_HIP_FUNCTION(hipDevicePrimaryCtxRetain, void** context, int device) {
  return initialised("hipDevicePrimaryCtxRetain", [&] { return simulated::retain_context(context, device); });
}
QD_HIP_FUNCTION(hipDevicePrimaryCtxRelease, int device) {
  return initialised("hipDevicePrimaryCtxRelease", [&] { return simulated::release_context(device); });
}
QD_HIP_FUNCTION(hipCtxPushCurrent, void* context) {
  return initialised("hipCtxPushCurrent", [&] { return simulated::push_context(context); });
}
QD_HIP_FUNCTION(hipCtxPopCurrent, void** context) {
  return initialised("hipCtxPopCurrent", [&] { return simulated::pop_context(context); });
}
QD_HIP_FUNCTION(hipCtxGetCurrent, void** context) {
  return initialised("hipCtxGetCurrent", [&] { return simulated::get_context(context); });
}
QD_HIP_FUNCTION(hipDeviceGetLimit, size_t* value, int limit) {
  return on_device("hipDeviceGetLimit", [&](Device& device) { return simulated::get_limit(device, value, limit); });
}
QD_HIP_FUNCTION(hipDeviceSetLimit, int limit, size_t value) {
  return on_device("hipDeviceSetLimit", [&](Device& device) { return simulated::set_limit(device, limit, value); });
}

// --- memory ----------------------------------------------------------------------------------------------------------

/// Of no bytes it gives a null address.
QD_HIP_FUNCTION(hipMalloc, void** address, size_t bytes) {
  return on_device("hipMalloc", [&](Device& device) {
    if (bytes == 0) return *address = nullptr, Result::Success;
    return simulated::allocate(device, reinterpret_cast<uint64_t*>(address), bytes);
  });
}
QD_HIP_FUNCTION(hipFree, void* address) {
  return on_device("hipFree", [&](Device& device) { return simulated::free_memory(device, number(address)); });
}
QD_HIP_FUNCTION(hipPointerGetAttribute, void* value, int attribute, uint64_t address) {
  return on_device("hipPointerGetAttribute",
                   [&](Device&) { return simulated::pointer_attribute(value, attribute, address); });
}
QD_HIP_FUNCTION(hipMemGetInfo, size_t* free, size_t* total) {
  return on_device("hipMemGetInfo", [&](Device& device) { return simulated::memory_info(device, free, total); });
}
QD_HIP_FUNCTION(hipMemPoolCreate, void** pool, const void*) {
  return on_device("hipMemPoolCreate", [&](Device& device) { return simulated::create_pool(device, pool); });
}
QD_HIP_FUNCTION(hipMemPoolSetAttribute, void* pool, int, void*) {
  return on_device("hipMemPoolSetAttribute",
                   [&](Device& device) { return simulated::set_pool_attribute(device, pool); });
}
QD_HIP_FUNCTION(hipMemPoolDestroy, void* pool) {
  return on_device("hipMemPoolDestroy", [&](Device& device) { return simulated::destroy_pool(device, pool); });
}
QD_HIP_FUNCTION(hipMallocFromPoolAsync, void** address, size_t bytes, void* pool, void* stream) {
  return on_device("hipMallocFromPoolAsync", [&](Device& device) {
    return simulated::allocate_from_pool(device, reinterpret_cast<uint64_t*>(address), bytes, pool, stream);
  });
}
QD_HIP_FUNCTION(hipFreeAsync, void* address, void* stream) {
  return on_device("hipFreeAsync",
                   [&](Device& device) { return simulated::free_later(device, number(address), stream); });
}
QD_HIP_FUNCTION(hipHostMalloc, void** address, size_t bytes, unsigned) {
  return on_device("hipHostMalloc", [&](Device& device) { return simulated::allocate_host(device, address, bytes); });
}
QD_HIP_FUNCTION(hipHostFree, void* address) {
  return on_device("hipHostFree", [&](Device& device) { return simulated::free_host(device, address); });
}
QD_HIP_FUNCTION(hipMemcpyHtoDAsync, void* to, const void* from, size_t bytes, void* stream) {
  return on_device("hipMemcpyHtoDAsync",
                   [&](Device& device) { return simulated::copy_to_device(device, number(to), from, bytes, stream); });
}
QD_HIP_FUNCTION(hipMemcpyDtoHAsync, void* to, void* from, size_t bytes, void* stream) {
  return on_device("hipMemcpyDtoHAsync",
                   [&](Device& device) { return simulated::copy_to_host(device, to, number(from), bytes, stream); });
}
QD_HIP_FUNCTION(hipMemcpyDtoDAsync, void* to, void* from, size_t bytes, void* stream) {
  return on_device("hipMemcpyDtoDAsync", [&](Device& device) {
    return simulated::copy_on_device(device, number(to), number(from), bytes, stream);
  });
}
QD_HIP_FUNCTION(hipMemsetD8Async, void* to, unsigned char byte, size_t bytes, void* stream) {
  return on_device("hipMemsetD8Async",
                   [&](Device& device) { return simulated::fill(device, number(to), byte, bytes, stream); });
}

// --- streams and events ----------------------------------------------------------------------------------------------

QD_HIP_FUNCTION(hipStreamCreateWithPriority, void** stream, unsigned, int) {
  return on_device("hipStreamCreateWithPriority",
                   [&](Device& device) { return simulated::create_stream(device, stream); });
}
QD_HIP_FUNCTION(hipDeviceGetStreamPriorityRange, int* least, int* greatest) {
  return on_device("hipDeviceGetStreamPriorityRange",
                   [&](Device&) { return *least = 1, *greatest = -1, Result::Success; });
}
QD_HIP_FUNCTION(hipStreamDestroy, void* stream) {
  return on_device("hipStreamDestroy", [&](Device& device) { return simulated::destroy_stream(device, stream); });
}
QD_HIP_FUNCTION(hipStreamSynchronize, void* stream) {
  return on_device("hipStreamSynchronize", [&](Device& device) { return simulated::finish_stream(device, stream); });
}
QD_HIP_FUNCTION(hipStreamQuery, void* stream) {
  return on_device("hipStreamQuery", [&](Device& device) { return simulated::query_stream(device, stream); });
}
QD_HIP_FUNCTION(hipStreamWaitEvent, void* stream, void* event, unsigned) {
  return on_device("hipStreamWaitEvent",
                   [&](Device& device) { return simulated::wait_for_event(device, stream, event); });
}
QD_HIP_FUNCTION(hipStreamBeginCapture, void* stream, int) {
  return on_device("hipStreamBeginCapture", [&](Device& device) { return simulated::begin_capture(device, stream); });
}
QD_HIP_FUNCTION(hipStreamEndCapture, void* stream, void** graph) {
  const Result result =
      on_device("hipStreamEndCapture", [&](Device& device) { return simulated::end_capture(device, stream, graph); });
  return result == Result::Success ? result : simulated::abandon_capture(stream, result);
}
QD_HIP_FUNCTION(hipGraphInstantiateWithFlags, void** launchable, void* graph, unsigned long long) {
  return on_device("hipGraphInstantiateWithFlags",
                   [&](Device& device) { return simulated::make_launchable(device, launchable, graph); });
}
QD_HIP_FUNCTION(hipGraphLaunch, void* launchable, void* stream) {
  return on_device("hipGraphLaunch",
                   [&](Device& device) { return simulated::launch_graph(device, launchable, stream); });
}
QD_HIP_FUNCTION(hipGraphDestroy, void* graph) {
  return on_device("hipGraphDestroy", [&](Device& device) { return simulated::destroy_graph(device, graph); });
}
QD_HIP_FUNCTION(hipGraphExecDestroy, void* launchable) {
  return on_device("hipGraphExecDestroy",
                   [&](Device& device) { return simulated::destroy_launchable(device, launchable); });
}
QD_HIP_FUNCTION(hipEventCreateWithFlags, void** event, unsigned flags) {
  return on_device("hipEventCreateWithFlags",
                   [&](Device& device) { return simulated::create_event(device, event, flags); });
}
QD_HIP_FUNCTION(hipEventDestroy, void* event) {
  return on_device("hipEventDestroy", [&](Device& device) { return simulated::destroy_event(device, event); });
}
QD_HIP_FUNCTION(hipEventRecord, void* event, void* stream) {
  return on_device("hipEventRecord", [&](Device& device) { return simulated::record_event(device, event, stream); });
}
QD_HIP_FUNCTION(hipEventQuery, void* event) {
  return on_device("hipEventQuery", [&](Device& device) { return simulated::query_event(device, event); });
}
QD_HIP_FUNCTION(hipEventSynchronize, void* event) {
  return on_device("hipEventSynchronize", [&](Device& device) { return simulated::finish_event(device, event); });
}
QD_HIP_FUNCTION(hipEventElapsedTime, float* milliseconds, void* start, void* end) {
  return on_device("hipEventElapsedTime",
                   [&](Device& device) { return simulated::elapsed(device, milliseconds, start, end); });
}

// --- modules and kernels ---------------------------------------------------------------------------------------------

QD_HIP_FUNCTION(hipModuleLoadDataEx, void** module, const void* image, unsigned, int*, void**) {
  return on_device("hipModuleLoadDataEx",
                   [&](Device& device) { return simulated::load_module(device, module, image); });
}
QD_HIP_FUNCTION(hipModuleUnload, void* module) {
  return on_device("hipModuleUnload", [&](Device& device) { return simulated::unload_module(device, module); });
}
QD_HIP_FUNCTION(hipModuleGetFunction, void** function, void* module, const char* name) {
  return on_device("hipModuleGetFunction",
                   [&](Device& device) { return simulated::find_function(device, function, module, name); });
}
QD_HIP_FUNCTION(hipFuncGetAttribute, int* value, int wanted, void* function) {
  return on_device("hipFuncGetAttribute",
                   [&](Device& device) { return simulated::function_attribute(device, value, wanted, function); });
}
QD_HIP_FUNCTION(hipModuleLaunchKernel, void* function, unsigned groups_x, unsigned groups_y, unsigned groups_z,
                unsigned threads_x, unsigned threads_y, unsigned threads_z, unsigned shared_bytes, void* stream,
                void** parameters, void** extra) {
  return on_device("hipModuleLaunchKernel", [&](Device& device) {
    return simulated::launch(
        device, function,
        {{groups_x, groups_y, groups_z}, {threads_x, threads_y, threads_z}, shared_bytes, parameters, extra}, stream);
  });
}
