// The functions of a GPU's driver. Those of CUDA's driver interface and those of HIP have the same parameters, so one
// table serves both; `cuda` and `hip` fill it in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "runtime/codegen/target.h"

namespace qd::device::gpu {

/// Result of a driver function: CUresult or hipError_t, which have the same numbers.
using Result = int;
inline constexpr Result kSuccess = 0;
inline constexpr Result kOutOfMemory = 2;
inline constexpr Result kNotReady = 600;

using Handle = void*;  // of a context, a module, a function, a stream, an event, a memory pool, a linker
using Address = uint64_t;

/// The default stream, for other libraries. It waits for no stream of ours (kNonBlockingStream), and none for it.
inline constexpr Handle kDefaultStream = nullptr;

/// Flags and numbers that both interfaces have.
inline constexpr unsigned kNonBlockingStream = 1;   // CU_STREAM_NON_BLOCKING
inline constexpr unsigned kEventWithoutTime = 2;    // CU_EVENT_DISABLE_TIMING
inline constexpr unsigned kPortableHostMemory = 1;  // CU_MEMHOSTALLOC_PORTABLE
inline constexpr int kStackSize = 0;                // CU_LIMIT_STACK_SIZE
inline constexpr int kReleaseThreshold = 4;         // CU_MEMPOOL_ATTR_RELEASE_THRESHOLD
inline constexpr int kDeviceOfPointer = 9;          // CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL

/// Properties of a memory pool: CUmemPoolProps, hipMemPoolProps.
struct PoolProperties {
  int allocation_type = 1;  // pinned, which means: memory of a device that does not move
  int handle_types = 0;
  int location_type = 1;  // a device
  int location = 0;
  void* security = nullptr;
  unsigned char reserved[64] = {};
};

/// Parameters of a graph node with a condition: CUgraphNodeParams.
struct ConditionNode {
  enum Kind : int { kIf = 0, kWhile = 1 };

  int type = 13;  // CU_GRAPH_NODE_TYPE_CONDITIONAL
  int reserved0[3] = {};
  uint64_t condition = 0;
  Kind kind = kIf;
  unsigned body_count = 1;
  Handle* bodies = nullptr;  // the driver gives their graphs, which live as long as the node
  Handle context = nullptr;
  unsigned char rest[208] = {};
};
static_assert(sizeof(ConditionNode) == 256);

// X(field, CUDA's name, HIP's name, parameters)
// Rows whose functions must be there: CUDA 11.2 and ROCm 5.2 have all of them.
#define QD_REQUIRED_DRIVER_FUNCTIONS(X)                                                                                \
  X(init, "cuInit", "hipInit", (unsigned flags))                                                                       \
  X(driver_version, "cuDriverGetVersion", "hipDriverGetVersion", (int* version))                                       \
  X(device_count, "cuDeviceGetCount", "hipGetDeviceCount", (int* count))                                               \
  X(device_get, "cuDeviceGet", "hipDeviceGet", (int* device, int number))                                              \
  X(device_name, "cuDeviceGetName", "hipDeviceGetName", (char* name, int size, int device))                            \
  X(device_memory, "cuDeviceTotalMem_v2", "hipDeviceTotalMem", (size_t* bytes, int device))                            \
  X(device_attribute, "cuDeviceGetAttribute", "hipDeviceGetAttribute", (int* value, int attribute, int device))        \
  X(context_retain, "cuDevicePrimaryCtxRetain", "hipDevicePrimaryCtxRetain", (Handle * context, int device))           \
  X(context_release, "cuDevicePrimaryCtxRelease_v2", "hipDevicePrimaryCtxRelease", (int device))                       \
  X(context_push, "cuCtxPushCurrent_v2", "hipCtxPushCurrent", (Handle context))                                        \
  X(context_pop, "cuCtxPopCurrent_v2", "hipCtxPopCurrent", (Handle * context))                                         \
  X(context_current, "cuCtxGetCurrent", "hipCtxGetCurrent", (Handle * context))                                        \
  X(memory_allocate, "cuMemAlloc_v2", "hipMalloc", (Address * address, size_t size))                                   \
  X(memory_free, "cuMemFree_v2", "hipFree", (Address address))                                                         \
  X(host_allocate, "cuMemHostAlloc", "hipHostMalloc", (void** memory, size_t size, unsigned flags))                    \
  X(host_free, "cuMemFreeHost", "hipHostFree", (void* memory))                                                         \
  X(copy_to_device, "cuMemcpyHtoDAsync_v2", "hipMemcpyHtoDAsync",                                                      \
    (Address to, const void* from, size_t size, Handle stream))                                                        \
  X(copy_to_host, "cuMemcpyDtoHAsync_v2", "hipMemcpyDtoHAsync", (void* to, Address from, size_t size, Handle stream))  \
  X(copy_on_device, "cuMemcpyDtoDAsync_v2", "hipMemcpyDtoDAsync",                                                      \
    (Address to, Address from, size_t size, Handle stream))                                                            \
  X(fill, "cuMemsetD8Async", "hipMemsetD8Async", (Address to, unsigned char byte, size_t size, Handle stream))         \
  X(stream_create, "cuStreamCreateWithPriority", "hipStreamCreateWithPriority",                                        \
    (Handle * stream, unsigned flags, int priority))                                                                   \
  X(stream_destroy, "cuStreamDestroy_v2", "hipStreamDestroy", (Handle stream))                                         \
  X(stream_synchronize, "cuStreamSynchronize", "hipStreamSynchronize", (Handle stream))                                \
  X(stream_wait, "cuStreamWaitEvent", "hipStreamWaitEvent", (Handle stream, Handle event, unsigned flags))             \
  X(event_create, "cuEventCreate", "hipEventCreateWithFlags", (Handle * event, unsigned flags))                        \
  X(event_destroy, "cuEventDestroy_v2", "hipEventDestroy", (Handle event))                                             \
  X(event_record, "cuEventRecord", "hipEventRecord", (Handle event, Handle stream))                                    \
  X(event_query, "cuEventQuery", "hipEventQuery", (Handle event))                                                      \
  X(event_time, "cuEventElapsedTime", "hipEventElapsedTime", (float* milliseconds, Handle begin, Handle end))          \
  X(module_load, "cuModuleLoadDataEx", "hipModuleLoadDataEx",                                                          \
    (Handle * module, const void* image, unsigned count, int* options, void** values))                                 \
  X(module_unload, "cuModuleUnload", "hipModuleUnload", (Handle module))                                               \
  X(function_get, "cuModuleGetFunction", "hipModuleGetFunction", (Handle * function, Handle module, const char* name)) \
  X(function_attribute, "cuFuncGetAttribute", "hipFuncGetAttribute", (int* value, int attribute, Handle function))     \
  X(launch, "cuLaunchKernel", "hipModuleLaunchKernel",                                                                 \
    (Handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,           \
     unsigned block_z, unsigned shared_bytes, Handle stream, void** parameters, void** extra))

// Rows that may be missing; null then. "": the interface has no such function.
#define QD_OPTIONAL_DRIVER_FUNCTIONS(X)                                                                                \
  X(limit_get, "cuCtxGetLimit", "hipDeviceGetLimit", (size_t* value, int limit))                                       \
  X(limit_set, "cuCtxSetLimit", "", (int limit, size_t value))                                                         \
  X(pool_create, "cuMemPoolCreate", "hipMemPoolCreate", (Handle * pool, const PoolProperties* properties))             \
  X(pool_set, "cuMemPoolSetAttribute", "hipMemPoolSetAttribute", (Handle pool, int attribute, void* value))            \
  X(pool_destroy, "cuMemPoolDestroy", "hipMemPoolDestroy", (Handle pool))                                              \
  X(pool_allocate, "cuMemAllocFromPoolAsync", "hipMallocFromPoolAsync",                                                \
    (Address * address, size_t size, Handle pool, Handle stream))                                                      \
  X(pool_free, "cuMemFreeAsync", "hipFreeAsync", (Address address, Handle stream))                                     \
  X(pointer_attribute, "cuPointerGetAttribute", "hipPointerGetAttribute",                                              \
    (void* value, int attribute, Address address))                                                                     \
  X(capture_begin, "cuStreamBeginCapture_v2", "hipStreamBeginCapture", (Handle stream, int mode))                      \
  X(capture_end, "cuStreamEndCapture", "hipStreamEndCapture", (Handle stream, Handle * graph))                         \
  X(graph_instantiate, "cuGraphInstantiateWithFlags", "hipGraphInstantiateWithFlags",                                  \
    (Handle * graph, Handle captured, unsigned long long flags))                                                       \
  X(graph_launch, "cuGraphLaunch", "hipGraphLaunch", (Handle graph, Handle stream))                                    \
  X(graph_destroy, "cuGraphDestroy", "hipGraphDestroy", (Handle captured))                                             \
  X(graph_exec_destroy, "cuGraphExecDestroy", "hipGraphExecDestroy", (Handle graph))                                   \
  X(capture_into, "cuStreamBeginCaptureToGraph", "",                                                                   \
    (Handle stream, Handle graph, const Handle* after, const void* edges, size_t count, int mode))                     \
  X(capture_info, "cuStreamGetCaptureInfo_v2", "",                                                                     \
    (Handle stream, int* status, uint64_t* id, Handle* graph, const Handle** after, size_t* count))                    \
  X(capture_after, "cuStreamUpdateCaptureDependencies", "",                                                            \
    (Handle stream, Handle * after, size_t count, unsigned flags))                                                     \
  X(condition_create, "cuGraphConditionalHandleCreate", "",                                                            \
    (uint64_t* condition, Handle graph, Handle context, unsigned value, unsigned flags))                               \
  X(node_add, "cuGraphAddNode", "",                                                                                    \
    (Handle * node, Handle graph, const Handle* after, size_t count, ConditionNode* parameters))                       \
  X(linker_create, "cuLinkCreate_v2", "", (unsigned count, int* options, void** values, Handle* linker))               \
  X(linker_add, "cuLinkAddData_v2", "",                                                                                \
    (Handle linker, int type, void* data, size_t size, const char* name, unsigned count, int* options, void** values)) \
  X(linker_complete, "cuLinkComplete", "", (Handle linker, void** image, size_t* size))                                \
  X(linker_destroy, "cuLinkDestroy", "", (Handle linker))

/// Table of a driver's functions. Thread-safe; lives as long as the process.
struct Driver {
#define QD_DRIVER_FUNCTION(field, cuda, hip, parameters) Result(*field) parameters = nullptr;
  QD_REQUIRED_DRIVER_FUNCTIONS(QD_DRIVER_FUNCTION)
  QD_OPTIONAL_DRIVER_FUNCTIONS(QD_DRIVER_FUNCTION)
#undef QD_DRIVER_FUNCTION
  /// hipGetDeviceProperties, of HIP alone.
  Result (*device_properties)(void* properties, int device) = nullptr;
  /// Text of an error: "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered".
  std::string (*error_text)(const Driver& driver, Result result) = nullptr;
  void *error_name = nullptr, *error_string = nullptr;  // the functions that it calls
  /// Target of the devices of a simulated driver, which tests put in the place of a real one. `maker`: cuda, hip.
  const codegen::Target* (*simulated_target)(const char* maker) = nullptr;
  bool is_hip = false;
  const char* arch = "";     // the name in qd.init(arch=...)
  const char* library = "";  // the file that was opened
  /// Name of a function, for messages: "cuEventQuery".
  const char* name_of(const char* field) const;
};

/// Error without a device here. The message is the reason, in one line: "cuda not available: reason".
struct NotAvailable : std::runtime_error {
  NotAvailable(const char* arch, const std::string& reason)
      : std::runtime_error(std::string(arch) + " not available: " + reason) {}
};

/// Error of a function of the driver.
struct CallFailed : std::runtime_error {
  CallFailed(const Driver& driver, const char* field, Result result, const std::string& doing);
  const Result result;
};

/// Whether nothing works on the device any more after this result, until the process ends.
bool is_sticky(Result result);

/// The driver, which the first call opens by `open`. Throws NotAvailable, in the child of a fork, too, whose parent has
/// used it.
const Driver& opened_driver(const char* arch, const char* api, Driver (*open)());

/// Opens the first of the libraries that is there and fills in the table. `variable`: the environment variable that
/// names another library. Throws NotAvailable.
Driver open_driver(const char* arch, const char* variable, std::span<const char* const> libraries, bool is_hip,
                   const char* oldest);

}  // namespace qd::device::gpu
