// An opened GPU: what everything that belongs to it shares.
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

/// What is known of a GPU, in the terms of both interfaces.
struct Properties {
  int number = 0;  // of the driver's
  std::string name = {};
  std::string processor = {};  // as LLVM calls it: "sm_86", "gfx90a"
  int compute_capability = 0;  // 10 * major + minor; 0 for HIP
  uint32_t subgroup_size = 32;
  uint32_t max_threads = 1024;  // of a group
  uint32_t shared_bytes = 48 << 10;
  uint32_t multiprocessors = 1;
  uint64_t memory = 0;
  bool is_integrated = false;
  bool has_pools = false;
};

/// The numbers that an interface has for what a GPU can be asked.
struct Attributes {
  int max_threads, shared_bytes, subgroup_size, multiprocessors, integrated, pools;
};

/// Asks a GPU by its number for what both interfaces have: all but the processor and the compute capability.
class Inquiry {
 public:
  /// Throws CallFailed, as all functions here do.
  Inquiry(const Driver& driver, int number);

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

/// What makes an interface's GPUs different from the other's.
struct Kind {
  /// Throws NotAvailable.
  const Driver& (*driver)();
  /// Of a GPU by its number. Throws CallFailed.
  Properties (*properties)(const Driver& driver, int number);
  /// Why our code cannot run on it; empty: it can.
  std::string (*lacks)(const Properties& properties);
  std::unique_ptr<codegen::Target> (*target)(const Properties& properties, uint32_t stack_bytes);
  /// What the driver loads for a kernel's code.
  std::string (*image)(const Driver& driver, const Properties& properties, const KeptBytes& kept,
                       const std::string& code);
  /// "CUDA 12.4", of what Driver::driver_version gives.
  std::string (*api_version)(int version);
  ir::Features features;
  const char* api;  // "CUDA", "HIP"
};

/// The number of the GPU that a program means: DeviceOptions::device, else QD_VISIBLE_DEVICE, else the first that our
/// code can run on. Throws NotAvailable.
size_t choose(const Kind& kind, const std::string& wanted);

/// Thread-safe. Memory, code and streams keep it alive. In the child of a fork, and when the device is lost, nothing of
/// it may be used or destroyed any more (`usable`): what there is of it is left behind.
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
  /// How much stack a thread has.
  uint32_t stack_bytes() const { return stack_bytes_; }
  /// Sees to it that threads have as much stack, for kernels that recurse. Throws CallFailed.
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

  /// Throws OutOfMemory, or CallFailed where something else is wrong; loses the device where nothing works any more.
  /// `field`: of Driver. `doing`: what the call was for, in front of the message.
  void require(const char* field, Result result, const std::string& doing = {});

  /// Memory of the device, of which nothing is known. Throws OutOfMemory.
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
  /// Why the device is lost; empty when it is not.
  std::string lost() const;
  /// For users who want something of a device that is lost: why it is, and what they can do.
  std::string lost_error() const;
  bool usable() const;

 private:
  Gpu(const Kind& kind, Properties properties, KeptBytes kept);

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

/// The device has no room; says how much is taken.
struct OutOfMemory : std::bad_alloc {
  explicit OutOfMemory(std::string text) : text(std::move(text)) {}
  const char* what() const noexcept override { return text.c_str(); }
  const std::string text;
};

}  // namespace qd::device::gpu
