// An opened GPU: state that its memory, code and streams share.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/device/device.h"
#include "runtime/device/gpu/driver.h"
#include "runtime/device/gpu/staging.h"

namespace qd::device::gpu {

/// Properties of a GPU, in the terms of both interfaces.
struct Properties {
  int number = 0;  // of the driver's
  std::string name = {};
  std::string processor = {};  // LLVM's name for it: "sm_86", "gfx90a"
  int compute_capability = 0;  // 10 * major + minor; 0 for HIP
  uint32_t subgroup_size = 32;
  uint32_t max_threads = 1024;  // of a group
  uint32_t shared_bytes = 48 << 10;
  uint32_t multiprocessors = 1;
  uint64_t memory = 0;
  bool is_integrated = false;
  bool has_pools = false;
};

/// An interface's numbers of the attributes that a GPU can be asked for.
struct Attributes {
  int max_threads, shared_bytes, subgroup_size, multiprocessors, integrated, pools;
};

/// Asks a GPU by its number for its properties: all but the processor and the compute capability.
class DeviceQuery {
 public:
  /// Throws CallFailed, as all functions here do.
  DeviceQuery(const Driver& driver, int number);

  Properties properties(const Attributes& attributes) const;
  int attribute(int which) const;
  void require(const char* field, Result result) const;
  /// The driver's number for the device.
  int device() const { return device_; }

 private:
  const Driver& driver_;
  const int number_;
  int device_ = 0;
};

/// Differences between the GPUs of the two interfaces.
struct Kind {
  /// The driver's functions. Throws NotAvailable.
  const Driver& (*driver)();
  /// Properties of a GPU by its number. Throws CallFailed.
  Properties (*properties)(const Driver& driver, int number);
  /// The reason why our code cannot run on it; empty: it can.
  std::string (*lacks)(const Properties& properties);
  std::unique_ptr<codegen::Target> (*target)(const Properties& properties, uint32_t stack_bytes);
  /// The image of a kernel's code that the driver loads.
  std::string (*image)(const Driver& driver, const Properties& properties, const KeptBytes& kept,
                       const std::string& code);
  /// Name of the interface with a version: "CUDA 12.4". `version`: as from Driver::driver_version.
  std::string (*api_version)(int version);
  ir::Features features;
  const char* api;  // "CUDA", "HIP"
};

/// The number of the program's choice of a GPU: DeviceOptions::device, else QD_VISIBLE_DEVICE, else the first that our
/// code can run on. Throws NotAvailable.
size_t choose(const Kind& kind, const std::string& wanted);

/// The opened GPU. Thread-safe. Memory, code and streams keep it alive. In the child of a fork, and when the device is
/// lost, nothing of it may be used or destroyed any more (`usable`): its remains are left behind.
class Gpu {
 public:
  /// The device that the options want. Throws NotAvailable.
  static std::shared_ptr<Gpu> open(const Kind& kind, const DeviceOptions& options);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const Kind& kind() const { return kind_; }
  const Driver& driver() const { return driver_; }
  const Properties& properties() const { return properties_; }
  const KeptBytes& kept() const { return kept_; }
  Handle context() const { return context_; }
  /// Size of a thread's stack, in bytes.
  uint32_t stack_bytes() const { return stack_bytes_; }
  /// Makes sure that threads have as much stack, for kernels that recurse. Throws CallFailed.
  void require_stack();

  /// Makes the GPU's context the current one of this thread, as the driver's functions want it.
  class Current {
   public:
    /// Throws CallFailed.
    explicit Current(Gpu& gpu);
    /// Does not throw: calls of the driver may fail then.
    Current(Gpu& gpu, std::nothrow_t) : gpu_(gpu) { (void)push(); }
    ~Current();
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

   private:
    Result push();

    Gpu& gpu_;
    bool pushed_ = false;
  };

  /// Checks a result. Throws OutOfMemory, or CallFailed for other errors; loses the device when nothing works any more.
  /// `field`: of Driver. `doing`: the purpose of the call, in front of the message.
  void require(const char* field, Result result, const std::string& doing = {});

  /// Memory of the device, with undefined contents. Throws OutOfMemory.
  Address allocate(size_t size);
  void free(Address address, size_t size);
  /// Memory of the host that does not move.
  std::byte* allocate_host(size_t size);
  void free_host(std::byte* memory);
  /// These run beside all streams and wait until they are done.
  void copy_now(void* to, Address from, size_t size);
  void copy_now(Address to, const void* from, size_t size);
  void clear_now(Address to, size_t size);
  /// Waits for the driver's default stream, on which other libraries of the process work.
  void wait_for_others();

  /// Marks the device as lost.
  void lose(const std::string& reason);
  /// The reason why the device is lost; empty when it is not.
  std::string lost() const;
  /// Error message of a lost device for users: the reason, and a remedy.
  std::string lost_error() const;
  bool usable() const;

 private:
  Gpu(const Kind& kind, Properties properties, const DeviceOptions& options);

  const Kind& kind_;
  const Driver& driver_;
  const Properties properties_;
  const KeptBytes kept_;
  const uint64_t forks_;
  int device_ = 0;  // the driver's number for it
  Handle context_ = nullptr;
  Handle pool_ = nullptr;  // null: memory comes from the driver without one
  Handle beside_ = nullptr;
  Staging staging_{*this};
  std::mutex beside_mutex_;  // of these two
  uint32_t stack_bytes_ = 0;
  std::mutex stack_mutex_;
  std::atomic<size_t> allocated_ = 0;
  std::atomic<bool> is_lost_ = false;
  mutable std::mutex lost_mutex_;  // of `lost_`
  std::string lost_;
};

/// Error of a device without room; says how much is taken.
struct OutOfMemory : std::bad_alloc {
  explicit OutOfMemory(std::string text) : text(std::move(text)) {}
  const char* what() const noexcept override { return text.c_str(); }
  const std::string text;
};

}  // namespace qd::device::gpu
