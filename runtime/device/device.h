// The interface between launches and the runner of kernels: a device, its memory, its streams, and the code that it has
// loaded.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/abi/array_slot.h"
#include "runtime/codegen/target.h"
#include "runtime/device/exchange.h"
#include "runtime/device/launch_poll.h"
#include "runtime/ir/block_limits.h"
#include "runtime/ir/features.h"

namespace qd::device {

/// Cache of a driver's compilations, kept from one run to the next as far as that works. Both functions may be null,
/// and are called from any thread.
struct KeptBytes {
  std::function<std::optional<std::string>(std::string_view key)> find = nullptr;
  std::function<void(std::string_view key, std::string_view bytes)> put = nullptr;
};

/// Options of a program for its device.
struct DeviceOptions {
  std::string device = {};   // one of several devices: see find_device(); empty: the one that the arch prefers
  int threads = 0;           // threads of the host, for devices that run there; 0: one for each core
  uint64_t random_seed = 0;  // the seed of Op::Random
  uint32_t stack_bytes = 0;  // least size of a thread's stack, for recursion, where the device has a limit
  double timeout = 0;  // seconds after which a launch that gets no further is given up, where the device can tell;
                       // 0: never
  std::function<void(const std::string&)> warn =
      nullptr;  // gets messages for users; called from any thread that uses the device
  KeptBytes kept = {};
};

struct Capabilities {
  std::string arch;                          // the device's name in qd.init(arch=...) and in the contexts of coverage
  ir::Features features = ir::kAllFeatures;  // kernels that need others do not compile
  bool host_memory = false;     // the device's memory is the host's own: launches reach all memory of the host, and the
                                // host reaches Memory at any time, without map()
  int subgroup_size = 0;        // threads of a subgroup; 0: by the option cpu_subgroup_size
  bool claims = true;           // Op::Claim reports the section of a fork that uses an element; false: it finds nothing
  ir::BlockLimits blocks = {};  // kernels with larger blocks do not compile
};

/// Zeroed memory of a device, aligned to 64 bytes.
class Memory {
 public:
  enum class Access { Read, Write };  // the host's next accesses; Write includes reading

  virtual ~Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  size_t size() const { return size_; }
  /// The address of the first byte for code on the device (ArraySlot::data).
  void* address() const { return address_; }
  /// The address of the first byte for the host. It is always the same, and may be used from map() to unmap(). Waits
  /// for work on the device that was enqueued and uses the memory.
  virtual void* map(Access access) = 0;
  /// The address that map() gives, without a wait or a copy.
  virtual void* host_address() = 0;
  /// Gives the memory back to the device; called before work that uses the memory is enqueued. Does nothing when it is
  /// not mapped.
  virtual void unmap() = 0;
  /// Shares the memory with other libraries, on the default stream of the device's driver. The host then maps it for
  /// each of its uses, and unmaps it when it has written; launches that use it have Invocation::with_others.
  virtual void share() {}
  virtual bool shared() const { return false; }
  /// Names the array that lies in it, for messages. The last name counts.
  void set_name(std::string name) { name_ = std::move(name); }
  const std::string& name() const { return name_; }

 protected:
  Memory(size_t size, void* address) : size_(size), address_(address) {}

 private:
  size_t size_;
  void* address_;
  std::string name_;
};

/// A print, a warning or a failed assert of a kernel.
struct Message {
  enum class Kind : uint8_t { Print, Warn, Fail };  // Fail: an assert did not hold
  Kind kind = Kind::Print;
  uint32_t format = 0;           // an index into Kernel::formats
  std::vector<uint64_t> values;  // the values of the format, each in 8 bytes
  std::vector<uint64_t> calls;   // for Fail: the calls that led there (Inst::imm of each Call), innermost first
};

/// Outcome of a launch, besides its arrays and results.
struct LaunchOutcome {
  enum class Status : uint8_t {
    Done,
    Failed,       // an assert failed; `messages` has one Fail
    Interrupted,  // the launch was ended; its writes may have happened or not
    Lost,         // the device could not run it to its end; `error` has the reason; writes as for Interrupted
  };
  Status status = Status::Done;
  std::string error;
  int tasks = 0;                  // number of tasks that ran; those that the device repeats by itself count once
  std::vector<Message> messages;  // in the order in which tasks sent them
  uint64_t lost_messages = 0;     // number of messages that were lost because there was no room
};

/// Start and run time of a task of a launch.
struct TaskTime {
  uint32_t task = 0;  // an index into Kernel::tasks
  int64_t begin = 0;  // in nanoseconds, of the device's own clock: only differences have a meaning
  int64_t time = 0;   // in nanoseconds
};

/// A launch of loaded code. All that it points to stays valid until the launch is over.
struct Invocation {
  const ArraySlot* arrays = nullptr;  // one for each of Kernel::arrays
  const uint64_t* params = nullptr;   // a word of 8 bytes each: integers extended, floats as their own bits
  uint64_t* results = nullptr;        // as params
  uint64_t* counters = nullptr;  // Kernel::counters words, to which the launch adds or in which it sets bits; may be
                                 // null when there are none
  LaunchPoll* poll = nullptr;    // for launches in place (Stream::in_place); may be null
  LaunchOutcome* outcome = nullptr;        // a fresh LaunchOutcome, which the launch fills in
  std::vector<TaskTime>* times = nullptr;  // gets a row for each task that ran, also for one in which the launch ended;
                                           // null: times are not wanted, and nothing is measured
  uint64_t* kept = nullptr;  // Kernel::kept_temps words, in and out: the first temps, at the start of the launch and at
                             // its end; null: they begin as zeros, and are not wanted
  bool with_others = false;  // the launch runs behind the work on the default stream of the device's driver so far, and
                             // later work on that stream behind the launch; of devices with an Exchange
};

/// The loaded code of a kernel's tasks. Thread-safe.
class Executable {
 public:
  virtual ~Executable() = default;
  /// Whether a task of Binary::unsure has run so long that its other form is worth a compilation. True once, until
  /// without_other_forms().
  virtual bool wants_other_forms() { return false; }
  /// Loads the other forms of the tasks of Binary::unsure (codegen::Options::other_forms). Launches time both forms of
  /// a task, and then run the faster one. Throws std::runtime_error with the loader's message.
  virtual void add_other_forms(const codegen::Binary&) {}
  /// Notes that there will be no other forms for now.
  virtual void without_other_forms() {}
  /// The forms that have been timed.
  virtual std::vector<codegen::MeasuredForm> measured_forms() const { return {}; }
};

/// A point in the work of a stream.
class Event {
 public:
  virtual ~Event() = default;
  /// Waits for at most this time, which may be 0. Returns whether all work before the event is over.
  virtual bool wait_for(std::chrono::milliseconds time) = 0;
};

/// A queue of work, which runs in the order in which it was enqueued. Thread-safe. Its destructor waits for its work.
class Stream {
 public:
  virtual ~Stream() = default;
  /// Whether a launch is over when run() returns. Such a stream has no queue: its events are over at once, and the
  /// caller itself waits for an event of another stream before it launches.
  virtual bool in_place() const { return false; }
  /// Enqueues a launch, or runs it in place. The executable must stay alive until the launch is over. Errors of the
  /// kernel are not thrown, but are in the LaunchOutcome.
  virtual void run(const Executable& executable, const Invocation& invocation) = 0;
  /// An event after all work that was enqueued so far.
  virtual std::shared_ptr<Event> record() = 0;
  /// Makes work that is enqueued from now on run after the event, which may be of another stream of the device.
  virtual void wait(std::shared_ptr<Event> event) = 0;
  /// Ends the stream's launches early, if the device can: those that run are interrupted, those that are waiting do not
  /// run, and neither do later ones. For a program that does not want to wait for its end.
  virtual void end_early() {}
  /// Handle of the stream, for other libraries; 0 when the device has no Exchange.
  virtual DriverStream driver_stream() const { return 0; }
};

class Device {
 public:
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const Capabilities& capabilities() const { return capabilities_; }
  /// Name of the device for people: its model, with properties that matter for its speed.
  virtual std::string name() const = 0;
  virtual const codegen::Target& target() const = 0;
  /// Allocates zeroed memory. Throws std::bad_alloc. The memory may outlive the device.
  virtual std::shared_ptr<Memory> allocate(size_t size) = 0;
  /// Loads code. `kernel`: the kernel that the binary was compiled from, with its formats. Throws std::runtime_error
  /// with the loader's message.
  virtual std::unique_ptr<Executable> load(const codegen::Binary& binary, const ir::Kernel& kernel) = 0;
  /// The default stream.
  virtual Stream& stream() = 0;
  /// A stream that is independent of the others: only events order its work and theirs. Throws std::runtime_error when
  /// there cannot be another one. The device must outlive it.
  virtual std::unique_ptr<Stream> new_stream() = 0;
  /// Interface to other libraries; null: they have nothing to do with the device.
  virtual Exchange* exchange() { return nullptr; }

 protected:
  explicit Device(Capabilities capabilities) : capabilities_(std::move(capabilities)) {}

 private:
  const Capabilities capabilities_;
};

}  // namespace qd::device
