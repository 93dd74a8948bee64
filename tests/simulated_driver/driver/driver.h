// State of the simulated drivers: devices, and the objects behind the handles that they gave.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tests/simulated_driver/driver/device_memory.h"
#include "tests/simulated_driver/driver/engine.h"
#include "tests/simulated_driver/driver/module.h"
#include "tests/simulated_driver/driver/results.h"
#include "tests/simulated_driver/driver/settings.h"

namespace qd::simulated {

class Device;

struct Stream {
  Device* device;
  std::shared_ptr<Queue> queue = std::make_shared<Queue>();
};

struct Event {
  Device* device;
  bool timed;
  std::shared_ptr<const Mark> recorded = nullptr;  // the last time; null: never
};

struct LoadedModule {
  Device* device;
  std::shared_ptr<const Module> code;
};

struct Pool {
  Device* device;
};

/// A captured graph, or one instantiated from it for launches.
struct Graph {
  Device* device;
  std::shared_ptr<GraphNodes> nodes;
  bool is_body = false;  // of a node
};

/// Objects by their handles, which are their addresses.
template <class Object>
class Handles {
 public:
  Object* add(Object object) {
    auto owned = std::make_unique<Object>(std::move(object));
    Object* handle = owned.get();
    all_.emplace(handle, std::move(owned));
    return handle;
  }
  /// Null: it is no handle of a live object.
  Object* find(const void* handle) const {
    const auto found = all_.find(handle);
    return found == all_.end() ? nullptr : found->second.get();
  }
  bool remove(const void* handle) { return all_.erase(handle) > 0; }
  void remove_of(const Device* device) {
    std::erase_if(all_, [&](const auto& entry) { return entry.second->device == device; });
  }
  size_t size() const { return all_.size(); }

 private:
  std::unordered_map<const void*, std::unique_ptr<Object>> all_;
};

/// A device with its primary context, whose handle is the address of this.
class Device {
 public:
  Device(std::mutex& mutex, int ordinal)
      : ordinal(ordinal), name("Simulated GPU " + std::to_string(ordinal)), engine(mutex) {}
  /// Resets the device to one without anything in it. Nothing may wait for the device.
  void begin_again(const Settings& settings);

  int ordinal;
  std::string name;
  int retained = 0;  // count of retains; the context is alive when it is not 0
  Engine engine;
  std::unique_ptr<DeviceMemory> memory;
  std::unordered_set<uint64_t> freed_later;  // allocations that a stream will free
  std::shared_ptr<Queue> default_queue = std::make_shared<Queue>();
  std::map<int, size_t> limits;
};

/// All functions that take a lock hold this driver's mutex, which is also that of the engines.
class Driver {
 public:
  std::mutex mutex;
  Settings settings;
  bool initialised = false;
  std::vector<std::unique_ptr<Device>> devices;
  Handles<Stream> streams;
  Handles<Event> events;
  Handles<LoadedModule> modules;
  Handles<Pool> pools;
  Handles<Graph> graphs, launchable_graphs;
  std::map<uint64_t, std::weak_ptr<Condition>> conditions;                                       // by their handles
  std::map<uint64_t, size_t> host_memory;                                                        // by addresses
  std::unordered_map<const void*, std::pair<Device*, std::shared_ptr<const Module>>> functions;  // KernelFunctions

  /// Makes the devices, if that has not been done.
  void initialise();
  Device* device(int ordinal) const;
  /// Ends a device's primary context: waits for its streams, and ends all objects of it.
  void end_context(std::unique_lock<std::mutex>& lock, Device& device);
  /// Waits for all devices, and forgets everything.
  void reset();
  /// Whether a range lies in one allocation of pinned host memory.
  bool is_pinned(const void* begin, size_t bytes) const;
  bool free_host(void* address);
  /// The number of live objects of a kind; -1 for no such kind.
  long live(std::string_view kind) const;
};

Driver& driver();
/// Whether this process was forked from one that used the driver.
bool is_forked();

/// The contexts that are current in this thread, the last one first in force.
std::vector<Device*>& current_contexts();

}  // namespace qd::simulated
