// The seam between launches and whatever runs kernels: a device, its memory, its streams and the code that it has
// loaded.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/abi/array_slot.h"
#include "runtime/codegen/target.h"
#include "runtime/device/launch_poll.h"
#include "runtime/ir/features.h"

namespace qd::device {

/// What a program asks of its device.
struct DeviceOptions {
  int threads = 0;           // of the host, for devices that run there; 0: all cores
  uint64_t random_seed = 0;  // of Op::Random
  std::function<void(const std::string&)> warn =
      nullptr;  // what users should know; from any thread that uses the device
};

struct Capabilities {
  std::string arch;                          // as qd.init(arch=...) and the contexts of coverage name it
  ir::Features features = ir::kAllFeatures;  // kernels that need others do not compile
  bool in_place = false;  // a launch is over when Stream::run returns, and reaches all memory of the host: arrays of
                          // the host are passed as they are
};

/// Zeroed memory of a device, aligned to 64 bytes.
class Memory {
 public:
  enum class Access { Read, Write };  // what the host is about to do; Write: it may read, too

  virtual ~Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  size_t size() const { return size_; }
  /// Of the first byte, for code on the device (ArraySlot::data).
  void* address() const { return address_; }
  /// Of the first byte, for the host: always the same, and of use from map() to unmap() alone. Waits for the work that
  /// was enqueued and uses the memory.
  virtual void* map(Access access) = 0;
  /// Gives the memory to the device, before work that uses it is enqueued. Nothing happens when it is not mapped.
  virtual void unmap() = 0;

 protected:
  Memory(size_t size, void* address) : size_(size), address_(address) {}

 private:
  size_t size_;
  void* address_;
};

/// Something that a kernel said.
struct Message {
  enum class Kind : uint8_t { Print, Warn, Fail };  // Fail: an assert did not hold
  Kind kind = Kind::Print;
  uint32_t format = 0;           // into Kernel::formats
  std::vector<uint64_t> values;  // of the format, each in 8 bytes
  std::vector<uint64_t> calls;   // of Fail: the places (Inst::imm of a Call) that led there, innermost first
};

/// What a launch leaves beside its arrays and results.
struct Outcome {
  enum class Status : uint8_t {
    Done,
    Failed,       // at an assert: `messages` has one Fail
    Interrupted,  // what it would have written may be there or not
    Lost,         // likewise: the device could not run it to its end, `error` says why
  };
  Status status = Status::Done;
  std::string error;
  int tasks = 0;                  // that ran
  std::vector<Message> messages;  // prints in their order
  uint64_t lost_messages = 0;     // that there was no room for
};

/// A launch of loaded code. All that it points to stays valid until the launch is over.
struct Invocation {
  const ArraySlot* arrays = nullptr;  // of Kernel::arrays
  const uint64_t* params = nullptr;   // a word of 8 bytes for each: integers extended, floats as their own bits
  uint64_t* results = nullptr;        // likewise
  uint64_t* counters =
      nullptr;  // Kernel::counters words, which the launch adds to or sets bits of; may be null when there are none
  LaunchPoll* poll = nullptr;  // of launches in place; may be null
  Outcome* outcome = nullptr;  // new
};

/// Code of a kernel's tasks on a device.
class Executable {
 public:
  virtual ~Executable() = default;
};

/// A point in the work of a stream.
class Event {
 public:
  virtual ~Event() = default;
  /// Whether all work before it is over, after this time at most.
  virtual bool wait_for(std::chrono::milliseconds time) = 0;
};

/// Work that runs in the order in which it was enqueued. Thread-safe.
class Stream {
 public:
  virtual ~Stream() = default;
  /// Enqueues a launch; where Capabilities::in_place, runs it. The executable stays alive until it is over. Throws
  /// nothing of the kernel's: see Outcome.
  virtual void run(const Executable& executable, const Invocation& invocation) = 0;
  /// After all that was enqueued so far.
  virtual std::shared_ptr<Event> record() = 0;
  /// What is enqueued from now on runs after the event, which may be of another stream of the device.
  virtual void wait(std::shared_ptr<Event> event) = 0;
};

class Device {
 public:
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const Capabilities& capabilities() const { return capabilities_; }
  virtual const codegen::Target& target() const = 0;
  /// Throws std::bad_alloc. The memory may outlive the device.
  virtual std::shared_ptr<Memory> allocate(size_t size) = 0;
  /// `kernel`: what the binary was compiled from, with its formats. Throws std::runtime_error with the loader's
  /// message.
  virtual std::unique_ptr<Executable> load(const codegen::Binary& binary, const ir::Kernel& kernel) = 0;
  /// The one that there always is.
  virtual Stream& stream() = 0;
  virtual std::unique_ptr<Stream> new_stream() = 0;

 protected:
  explicit Device(Capabilities capabilities) : capabilities_(std::move(capabilities)) {}

 private:
  const Capabilities capabilities_;
};

}  // namespace qd::device
