// Opens the primary context of the device, which other libraries of the process use, too.
#include "runtime/device/gpu/gpu.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "runtime/device/device_info.h"
#include "runtime/device/gpu/gpu_device.h"
#include "runtime/device/host_threads.h"

namespace qd::device::gpu {
namespace {

/// Least size of a stack for recursive kernels, in bytes (NvptxDevice::stack_bytes).
constexpr size_t kLeastStack = 8192;

/// Keeps the context of a device until the process ends. Making one takes 100 ms and more, and a test suite calls
/// qd.init() for each of its tests.
void keep_context(const Driver& driver, int device) {
  static std::mutex mutex;
  static auto& kept = *new std::set<std::pair<const Driver*, int>>;
  const std::lock_guard lock(mutex);
  Handle context = nullptr;
  if (!kept.contains({&driver, device}) && driver.context_retain(&context, device) == kSuccess)
    kept.emplace(&driver, device);
}

}  // namespace

size_t choose(const Kind& kind, const std::string& wanted) {
  const std::vector<DeviceInfo> all = devices(kind);
  const char* arch = kind.driver().arch;
  if (all.empty()) throw NotAvailable(arch, "there is no GPU");
  const char* named = std::getenv("QD_VISIBLE_DEVICE");
  const std::string name = !wanted.empty() ? wanted : named ? named : "";
  if (!name.empty()) {
    size_t found = 0;
    try {
      found = find_device(all, name);
    } catch (const std::invalid_argument& error) {
      throw NotAvailable(arch, error.what());
    }
    if (!all[found].lacks.empty()) throw NotAvailable(arch, fmt::format("{}: {}", all[found].name, all[found].lacks));
    return found;
  }
  const auto first = std::ranges::find_if(all, [](const DeviceInfo& device) { return device.lacks.empty(); });
  if (first == all.end()) throw NotAvailable(arch, fmt::format("{}: {}", all[0].name, all[0].lacks));
  return static_cast<size_t>(first - all.begin());
}

std::shared_ptr<Gpu> Gpu::open(const Kind& kind, const DeviceOptions& options) {
  const Driver& driver = kind.driver();
  const size_t number = choose(kind, options.device);
  try {
    return std::shared_ptr<Gpu>(new Gpu(kind, kind.properties(driver, static_cast<int>(number)), options));
  } catch (const CallFailed& error) {
    throw NotAvailable(driver.arch, error.what());
  }
}

Gpu::Gpu(const Kind& kind, Properties properties, const DeviceOptions& options)
    : kind_(kind),
      driver_(kind.driver()),
      properties_(std::move(properties)),
      kept_(options.kept),
      forks_(fork_count()) {
  const SignalsBlocked blocked;  // drivers start threads
  require("device_get", driver_.device_get(&device_, properties_.number));
  require("context_retain", driver_.context_retain(&context_, device_), properties_.name);
  try {
    const Current current(*this);
    size_t stack = 0;
    // HIP before ROCm 5.3 has no such limit, and no recursive kernels.
    if (driver_.limit_get && !driver_.is_hip) require("limit_get", driver_.limit_get(&stack, kStackSize));
    stack_bytes_ = static_cast<uint32_t>(std::max({stack, kLeastStack, size_t{options.stack_bytes}}));
    require("stream_create", driver_.stream_create(&beside_, kNonBlockingStream, 0));
    PoolProperties wanted;
    wanted.location = device_;
    if (properties_.has_pools && driver_.pool_create && driver_.pool_set && driver_.pool_allocate &&
        driver_.pool_free && driver_.pool_create(&pool_, &wanted) == kSuccess) {
      // Freed memory stays with the pool, for the next array.
      uint64_t most = UINT64_MAX;
      driver_.pool_set(pool_, kReleaseThreshold, &most);
    } else {
      pool_ = nullptr;
    }
    keep_context(driver_, device_);
  } catch (...) {
    if (usable()) driver_.context_release(device_);
    throw;
  }
}

Gpu::~Gpu() {
  if (!usable()) return;
  {
    const Current current(*this, std::nothrow);
    driver_.stream_synchronize(beside_);
    driver_.stream_destroy(beside_);
    staging_.free();
    if (pool_ && driver_.pool_destroy) driver_.pool_destroy(pool_);
  }
  driver_.context_release(device_);
}

Gpu::Current::Current(Gpu& gpu) : gpu_(gpu) { gpu.require("context_push", push()); }

Result Gpu::Current::push() {
  Handle now = nullptr;
  if (gpu_.driver_.context_current(&now) == kSuccess && now == gpu_.context_) return kSuccess;
  const Result result = gpu_.driver_.context_push(gpu_.context_);
  pushed_ = result == kSuccess;
  return result;
}

Gpu::Current::~Current() {
  Handle popped = nullptr;
  if (pushed_) gpu_.driver_.context_pop(&popped);
}

void Gpu::require(const char* field, Result result, const std::string& doing) {
  if (result == kSuccess) return;
  const CallFailed error(driver_, field, result, doing);
  if (result == kOutOfMemory) {
    throw OutOfMemory(fmt::format("{}; {} bytes of {} are taken by this program's arrays", error.what(),
                                  allocated_.load(), properties_.memory));
  }
  if (is_sticky(result)) lose(error.what());
  throw error;
}

void Gpu::require_stack() {
  const std::lock_guard lock(stack_mutex_);
  const Current current(*this);
  size_t stack = 0;
  if (!driver_.limit_get || !driver_.limit_set) return;
  require("limit_get", driver_.limit_get(&stack, kStackSize));
  if (stack < stack_bytes_) require("limit_set", driver_.limit_set(kStackSize, stack_bytes_), "a kernel recurses");
}

Address Gpu::allocate(size_t size) {
  size = std::max<size_t>(size, 1);
  const Current current(*this);
  const std::string doing = fmt::format("allocating {} bytes", size);
  Address address = 0;
  if (pool_) {
    const std::lock_guard lock(beside_mutex_);
    require("pool_allocate", driver_.pool_allocate(&address, size, pool_, beside_), doing);
    // Streams do not wait for `beside_`: the memory is there before its address is known to any of them.
    require("stream_synchronize", driver_.stream_synchronize(beside_));
  } else {
    require("memory_allocate", driver_.memory_allocate(&address, size), doing);
  }
  allocated_.fetch_add(size);
  return address;
}

void Gpu::free(Address address, size_t size) {
  if (!usable()) return;
  const Current current(*this, std::nothrow);
  allocated_.fetch_sub(std::max<size_t>(size, 1));
  if (pool_) {
    const std::lock_guard lock(beside_mutex_);
    driver_.pool_free(address, beside_);
  } else {
    driver_.memory_free(address);
  }
}

std::byte* Gpu::allocate_host(size_t size) {
  const Current current(*this);
  void* memory = nullptr;
  require("host_allocate", driver_.host_allocate(&memory, size, kPortableHostMemory),
          fmt::format("allocating {} bytes of the host's memory", size));
  return static_cast<std::byte*>(memory);
}

void Gpu::free_host(std::byte* memory) {
  if (!usable()) return;
  const Current current(*this, std::nothrow);
  driver_.host_free(memory);
}

void Gpu::copy_now(void* to, Address from, size_t size) {
  if (size == 0 || !usable()) return;
  const std::lock_guard lock(beside_mutex_);
  const Current current(*this);
  staging_.copy(to, from, size, beside_);
}

void Gpu::copy_now(Address to, const void* from, size_t size) {
  if (size == 0 || !usable()) return;
  const std::lock_guard lock(beside_mutex_);
  const Current current(*this);
  staging_.copy(to, from, size, beside_);
}

void Gpu::clear_now(Address to, size_t size) {
  if (size == 0 || !usable()) return;
  const std::lock_guard lock(beside_mutex_);
  const Current current(*this);
  require("fill", driver_.fill(to, 0, size, beside_));
  require("stream_synchronize", driver_.stream_synchronize(beside_));
}

void Gpu::wait_for_others() {
  if (!usable()) return;
  const Current current(*this);
  require("stream_synchronize", driver_.stream_synchronize(kDefaultStream));
}

void Gpu::lose(const std::string& reason) {
  const std::lock_guard lock(lost_mutex_);
  if (lost_.empty()) lost_ = reason;
  is_lost_.store(true);
}

std::string Gpu::lost() const {
  const std::lock_guard lock(lost_mutex_);
  return lost_;
}

std::string Gpu::lost_error() const {
  const std::string reason = lost();
  if (reason.empty()) return fmt::format("{} does not outlive a fork", kind_.api);
  return fmt::format("the device is lost, and with it what its arrays held: {}; a new process can use it again",
                     reason);
}

bool Gpu::usable() const { return !is_lost_.load() && forks_ == fork_count(); }

}  // namespace qd::device::gpu
