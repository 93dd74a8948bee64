// Functions common to both drivers. Each takes the lock of the driver itself, and gets a device whose context is
// current; handles are checked here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "tests/simulated_driver/driver/driver.h"

namespace qd::simulated {

// devices and contexts (device_calls.cpp)
/// Copies as much of a text as there is room for, and a zero behind it.
Result copy_text(std::string_view text, char* to, int bytes);
Result device_uuid(int ordinal, char (&bytes)[16]);
Result retain_context(void** context, int ordinal);
Result release_context(int ordinal);
Result push_context(void* context);
Result pop_context(void** context);
Result get_context(void** context);
Result get_limit(Device& device, size_t* value, int limit);
Result set_limit(Device& device, int limit, size_t value);

// memory (memory_calls.cpp)
Result allocate(Device& device, uint64_t* address, size_t bytes);
Result free_memory(Device& device, uint64_t address);
/// Tells the number of the device in whose memory the address is, and nothing else.
Result pointer_attribute(void* value, int attribute, uint64_t address);
Result memory_info(Device& device, size_t* free, size_t* total);
Result create_pool(Device& device, void** pool);
Result destroy_pool(Device& device, void* pool);
Result set_pool_attribute(Device& device, void* pool);
Result allocate_from_pool(Device& device, uint64_t* address, size_t bytes, void* pool, void* stream);
Result free_later(Device& device, uint64_t address, void* stream);
Result allocate_host(Device& device, void** address, size_t bytes);
Result free_host(Device& device, void* address);
Result copy_to_device(Device& device, uint64_t to, const void* from, size_t bytes, void* stream);
Result copy_to_host(Device& device, void* to, uint64_t from, size_t bytes, void* stream);
Result copy_on_device(Device& device, uint64_t to, uint64_t from, size_t bytes, void* stream);
Result fill(Device& device, uint64_t to, unsigned char byte, size_t bytes, void* stream);

// streams and events (stream_calls.cpp)
Result create_stream(Device& device, void** stream);
Result destroy_stream(Device& device, void* stream);
Result finish_stream(Device& device, void* stream);
Result query_stream(Device& device, void* stream);
Result wait_for_event(Device& device, void* stream, void* event);
Result create_event(Device& device, void** event, unsigned flags);
Result destroy_event(Device& device, void* event);
Result record_event(Device& device, void* event, void* stream);
Result query_event(Device& device, void* event);
Result finish_event(Device& device, void* event);
Result elapsed(Device& device, float* milliseconds, void* start, void* end);
/// The queue behind a stream's handle, of which null is the default one. Null: no stream of this device.
std::shared_ptr<Queue> queue_of(Device& device, void* stream);

// graphs (graph_calls.cpp)
Result begin_capture(Device& device, void* stream);
Result end_capture(Device& device, void* stream, void** graph);
/// Gives up a capture that cannot be ended, as a driver does too.
Result abandon_capture(const void* stream, Result why);
Result make_launchable(Device& device, void** launchable, const void* graph);
Result launch_graph(Device& device, const void* launchable, void* stream);
Result destroy_graph(Device& device, const void* graph);
Result begin_capture_into(Device& device, void* stream, const void* graph, size_t after);
Result capture_info(Device& device, void* stream, int* status, uint64_t* id, void** graph, void* const** after,
                    size_t* count);
Result set_capture_after(Device& device, void* stream, void* const* after, size_t count);
Result destroy_launchable(Device& device, const void* launchable);

// conditions of graphs (condition_calls.cpp)
Result create_condition(Device& device, uint64_t* condition, const void* graph);
/// CUgraphNodeParams of a node with a condition.
struct ConditionNode {
  int type;
  int reserved[3];
  uint64_t condition;
  int kind;
  unsigned body_count;
  void** bodies;
  void* context;
};
Result add_condition_node(Device& device, void** node, const void* graph, void* const* after, size_t count,
                          ConditionNode* parameters);
/// Symbols by which code of kernels calls the functions for conditions.
std::span<const std::pair<std::string_view, void*>> functions_of_conditions();

// modules and kernels (module_calls.cpp)
Result load_module(Device& device, void** module, const void* image);
Result unload_module(Device& device, void* module);
Result find_function(Device& device, void** function, void* module, const char* name);
Result function_attribute(Device& device, int* value, int attribute, const void* function);
struct Launch {
  unsigned groups[3], threads[3];
  size_t shared_bytes;
  void** parameters;
  void** extra;
};
Result launch(Device& device, const void* function, const Launch& launch, void* stream);

}  // namespace qd::simulated
