#include "tests/simulated_driver/driver/driver.h"

#include <pthread.h>
#include <sys/mman.h>

namespace qd::simulated {
namespace {

std::atomic<bool> forked = false;

}  // namespace

/// Never destroyed: threads of devices run until the process ends.
Driver& driver() {
  static Driver& all = *[] {
    pthread_atfork(nullptr, nullptr, [] { forked = true; });
    return new Driver;
  }();
  return all;
}

bool is_forked() { return forked; }

std::vector<Device*>& current_contexts() {
  thread_local std::vector<Device*> contexts;
  return contexts;
}

void Device::begin_again(const Settings& settings) {
  engine.begin_again(settings.seed);
  memory = std::make_unique<DeviceMemory>(settings.memory);
  freed_later.clear();
  limits.clear();
  retained = 0;
}

void Driver::initialise() {
  if (initialised) return;
  initialised = true;
  settings = settings_of_environment();
  for (int i = 0; i < settings.devices; ++i) {
    if (static_cast<size_t>(i) == devices.size()) devices.push_back(std::make_unique<Device>(mutex, i));
    devices[static_cast<size_t>(i)]->begin_again(settings);
    devices[static_cast<size_t>(i)]->engine.on_progress = [this, i] {
      for (int other = 0; other < settings.devices; ++other) {
        if (other != i) devices[static_cast<size_t>(other)]->engine.look_again();
      }
    };
  }
}

Device* Driver::device(int ordinal) const {
  return ordinal < 0 || ordinal >= settings.devices ? nullptr : devices[static_cast<size_t>(ordinal)].get();
}

void Driver::end_context(std::unique_lock<std::mutex>& lock, Device& device) {
  device.engine.finish_all(lock);
  std::erase_if(functions, [&](const auto& entry) { return entry.second.first == &device; });
  streams.remove_of(&device);
  events.remove_of(&device);
  modules.remove_of(&device);
  pools.remove_of(&device);
  graphs.remove_of(&device);
  launchable_graphs.remove_of(&device);
  device.begin_again(settings);
}

void Driver::reset() {
  std::unique_lock lock(mutex);
  for (const auto& device : devices) end_context(lock, *device);
  while (!host_memory.empty()) free_host(reinterpret_cast<void*>(host_memory.begin()->first));
  initialised = false;
  current_contexts().clear();
}

bool Driver::is_pinned(const void* begin, size_t bytes) const {
  const auto address = reinterpret_cast<uint64_t>(begin);
  auto after = host_memory.upper_bound(address);
  if (after == host_memory.begin()) return false;
  const auto& [start, size] = *std::prev(after);
  return address - start <= size && bytes <= size - (address - start);
}

bool Driver::free_host(void* address) {
  const auto found = host_memory.find(reinterpret_cast<uint64_t>(address));
  if (found == host_memory.end()) return false;
  munmap(address, found->second);
  host_memory.erase(found);
  return true;
}

long Driver::live(std::string_view kind) const {
  size_t memory = 0, contexts = 0;
  for (const auto& device : devices) memory += device->memory->live(), contexts += device->retained > 0;
  const std::pair<std::string_view, size_t> kinds[] = {
      {"memory", memory},         {"host", host_memory.size()},
      {"stream", streams.size()}, {"event", events.size()},
      {"module", modules.size()}, {"context", contexts},
      {"pool", pools.size()},     {"graph", graphs.size() + launchable_graphs.size()}};
  for (auto [name, count] : kinds) {
    if (name == kind) return static_cast<long>(count);
  }
  return -1;
}

}  // namespace qd::simulated
