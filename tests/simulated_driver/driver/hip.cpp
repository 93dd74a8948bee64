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

/// A function that has the device and the caller's arguments.
template <auto function, class... Arguments>
Result call(std::string_view name, Arguments... arguments) {
  return on_device(name, [&](Device& device) { return function(device, arguments...); });
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
  return call<simulated::get_limit>("hipDeviceGetLimit", value, limit);
}
QD_HIP_FUNCTION(hipDeviceSetLimit, int limit, size_t value) {
  return call<simulated::set_limit>("hipDeviceSetLimit", limit, value);
}

// --- memory ----------------------------------------------------------------------------------------------------------

/// Of no bytes it gives a null address.
QD_HIP_FUNCTION(hipMalloc, void** address, size_t bytes) {
  return on_device("hipMalloc", [&](Device& device) {
    if (bytes == 0) return *address = nullptr, Result::Success;
    return simulated::allocate(device, reinterpret_cast<uint64_t*>(address), bytes);
  });
}
QD_HIP_FUNCTION(hipFree, void* address) { return call<simulated::free_memory>("hipFree", number(address)); }
QD_HIP_FUNCTION(hipPointerGetAttribute, void* value, int attribute, uint64_t address) {
  return on_device("hipPointerGetAttribute",
                   [&](Device&) { return simulated::pointer_attribute(value, attribute, address); });
}
QD_HIP_FUNCTION(hipMemGetInfo, size_t* free, size_t* total) {
  return call<simulated::memory_info>("hipMemGetInfo", free, total);
}
QD_HIP_FUNCTION(hipMemPoolCreate, void** pool, const void*) {
  return call<simulated::create_pool>("hipMemPoolCreate", pool);
}
QD_HIP_FUNCTION(hipMemPoolSetAttribute, void* pool, int, void*) {
  return call<simulated::set_pool_attribute>("hipMemPoolSetAttribute", pool);
}
QD_HIP_FUNCTION(hipMemPoolDestroy, void* pool) { return call<simulated::destroy_pool>("hipMemPoolDestroy", pool); }
QD_HIP_FUNCTION(hipMallocFromPoolAsync, void** address, size_t bytes, void* pool, void* stream) {
  return call<simulated::allocate_from_pool>("hipMallocFromPoolAsync", reinterpret_cast<uint64_t*>(address), bytes,
                                             pool, stream);
}
QD_HIP_FUNCTION(hipFreeAsync, void* address, void* stream) {
  return call<simulated::free_later>("hipFreeAsync", number(address), stream);
}
QD_HIP_FUNCTION(hipHostMalloc, void** address, size_t bytes, unsigned) {
  return call<simulated::allocate_host>("hipHostMalloc", address, bytes);
}
QD_HIP_FUNCTION(hipHostFree, void* address) { return call<simulated::free_host>("hipHostFree", address); }
QD_HIP_FUNCTION(hipMemcpyHtoDAsync, void* to, const void* from, size_t bytes, void* stream) {
  return call<simulated::copy_to_device>("hipMemcpyHtoDAsync", number(to), from, bytes, stream);
}
QD_HIP_FUNCTION(hipMemcpyDtoHAsync, void* to, void* from, size_t bytes, void* stream) {
  return call<simulated::copy_to_host>("hipMemcpyDtoHAsync", to, number(from), bytes, stream);
}
QD_HIP_FUNCTION(hipMemcpyDtoDAsync, void* to, void* from, size_t bytes, void* stream) {
  return call<simulated::copy_on_device>("hipMemcpyDtoDAsync", number(to), number(from), bytes, stream);
}
QD_HIP_FUNCTION(hipMemsetD8Async, void* to, unsigned char byte, size_t bytes, void* stream) {
  return call<simulated::fill>("hipMemsetD8Async", number(to), byte, bytes, stream);
}

// --- streams and events ----------------------------------------------------------------------------------------------

QD_HIP_FUNCTION(hipStreamCreateWithPriority, void** stream, unsigned, int) {
  return call<simulated::create_stream>("hipStreamCreateWithPriority", stream);
}
QD_HIP_FUNCTION(hipDeviceGetStreamPriorityRange, int* least, int* greatest) {
  return on_device("hipDeviceGetStreamPriorityRange",
                   [&](Device&) { return *least = 1, *greatest = -1, Result::Success; });
}
QD_HIP_FUNCTION(hipStreamDestroy, void* stream) { return call<simulated::destroy_stream>("hipStreamDestroy", stream); }
QD_HIP_FUNCTION(hipStreamSynchronize, void* stream) {
  return call<simulated::finish_stream>("hipStreamSynchronize", stream);
}
QD_HIP_FUNCTION(hipStreamQuery, void* stream) { return call<simulated::query_stream>("hipStreamQuery", stream); }
QD_HIP_FUNCTION(hipStreamWaitEvent, void* stream, void* event, unsigned) {
  return call<simulated::wait_for_event>("hipStreamWaitEvent", stream, event);
}
QD_HIP_FUNCTION(hipStreamBeginCapture, void* stream, int) {
  return call<simulated::begin_capture>("hipStreamBeginCapture", stream);
}
QD_HIP_FUNCTION(hipStreamEndCapture, void* stream, void** graph) {
  const Result result =
      on_device("hipStreamEndCapture", [&](Device& device) { return simulated::end_capture(device, stream, graph); });
  return result == Result::Success ? result : simulated::abandon_capture(stream, result);
}
QD_HIP_FUNCTION(hipGraphInstantiateWithFlags, void** launchable, void* graph, unsigned long long) {
  return call<simulated::make_launchable>("hipGraphInstantiateWithFlags", launchable, graph);
}
QD_HIP_FUNCTION(hipGraphLaunch, void* launchable, void* stream) {
  return call<simulated::launch_graph>("hipGraphLaunch", launchable, stream);
}
QD_HIP_FUNCTION(hipGraphDestroy, void* graph) { return call<simulated::destroy_graph>("hipGraphDestroy", graph); }
QD_HIP_FUNCTION(hipGraphExecDestroy, void* launchable) {
  return call<simulated::destroy_launchable>("hipGraphExecDestroy", launchable);
}
QD_HIP_FUNCTION(hipEventCreateWithFlags, void** event, unsigned flags) {
  return call<simulated::create_event>("hipEventCreateWithFlags", event, flags);
}
QD_HIP_FUNCTION(hipEventDestroy, void* event) { return call<simulated::destroy_event>("hipEventDestroy", event); }
QD_HIP_FUNCTION(hipEventRecord, void* event, void* stream) {
  return call<simulated::record_event>("hipEventRecord", event, stream);
}
QD_HIP_FUNCTION(hipEventQuery, void* event) { return call<simulated::query_event>("hipEventQuery", event); }
QD_HIP_FUNCTION(hipEventSynchronize, void* event) {
  return call<simulated::finish_event>("hipEventSynchronize", event);
}
QD_HIP_FUNCTION(hipEventElapsedTime, float* milliseconds, void* start, void* end) {
  return call<simulated::elapsed>("hipEventElapsedTime", milliseconds, start, end);
}

// --- modules and kernels ---------------------------------------------------------------------------------------------

QD_HIP_FUNCTION(hipModuleLoadDataEx, void** module, const void* image, unsigned, int*, void**) {
  return call<simulated::load_module>("hipModuleLoadDataEx", module, image);
}
QD_HIP_FUNCTION(hipModuleUnload, void* module) { return call<simulated::unload_module>("hipModuleUnload", module); }
QD_HIP_FUNCTION(hipModuleGetFunction, void** function, void* module, const char* name) {
  return call<simulated::find_function>("hipModuleGetFunction", function, module, name);
}
QD_HIP_FUNCTION(hipFuncGetAttribute, int* value, int wanted, void* function) {
  return call<simulated::function_attribute>("hipFuncGetAttribute", value, wanted, function);
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
