// Runs kernel IR without compiling it, one instruction after the other: the oracle of passes and of compiled code, and
// the engine of the reference device.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "runtime/abi/launch_context.h"
#include "runtime/ir/kernel.h"

namespace qd::device::reference {

/// What code tells the host, as LaunchContext's print, warn, fail and called_from do.
struct Message {
  enum class Kind : uint8_t { Print, Warn, Assert };
  Kind kind = Kind::Print;
  uint32_t format = 0;               // into Kernel::formats
  int64_t iteration = 0;             // of the parallel task; 0 in a serial one
  std::span<const uint64_t> values;  // words; valid during the call
  std::span<const uint64_t>
      calls;  // Assert: the places (Inst::imm of Call) that led to it, the innermost first; valid during the call
};

/// The memory of a launch, as in LaunchContext. It must outlive the interpreter, and so must the kernel.
struct Bindings {
  const ArraySlot* arrays = nullptr;
  const uint64_t* params = nullptr;
  uint64_t* results = nullptr;
  uint64_t* temps = nullptr;     // Kernel::global_temps words, set by the caller; null: the interpreter's own, all 0
  uint64_t* counters = nullptr;  // Kernel::counters words, which are added to; null: nothing is counted
  uint64_t* probes = nullptr;    // how often each of Kernel::probes fired, added to; null: nobody asks
};

struct Options {
  /// Of random numbers, and of the order in which the sections of a Fork run.
  uint64_t seed = 0;
  /// Adds what a launcher adds to counters: starts and iterations of tasks, and the end of the launch.
  bool host_counts = true;
  /// Iterations of a parallel task that share a prologue and an epilogue, and the random numbers of a part of the
  /// range; 0: all.
  int64_t chunk = 0;
  /// The lowest address of the stack that calls may use, as ThreadState has it; 0: recursion has no limit.
  uint64_t stack_end = 0;
  /// Instructions; 0: no limit.
  uint64_t step_limit = 0;
  /// Look for what no kernel may do: values that are not there, and races. Variables and temps start with garbage.
  /// Slow.
  bool check = false;
  std::function<void(const Message&)> tell = nullptr;
};

class Machine;

/// One launch, piece by piece. Iterations of a parallel task run in order. Throws std::runtime_error for what no kernel
/// may do: an access out of the range of an array, more steps than the limit; then the launch is lost. An interpreter
/// may go from thread to thread, but is used by one at a time.
class Interpreter {
 public:
  Interpreter(const ir::Kernel& kernel, const Bindings& bindings, Options options = {});
  ~Interpreter();

  enum class State : uint8_t { Running, AtCheckpoint, Finished, Failed };
  /// Runs until a task is over, a checkpoint is reached or the body of a loop begins again, and goes on there the next
  /// time. Of a kernel that is not cut into tasks: all of it. Failed: an assert did not hold, and nothing runs any
  /// more.
  State advance();
  /// The id of the one that advance() has reached.
  uint32_t checkpoint() const { return checkpoint_; }

  /// Advances to the end, or to a checkpoint where `goes_on(id)` says false; it may be called again then. Null: goes on
  /// everywhere.
  State run(const std::function<bool(uint32_t id)>& goes_on = nullptr);

  /// How many tasks have run.
  int tasks() const { return tasks_; }
  /// With Options::check: places that two iterations of a parallel loop touched, one of them writing and one not
  /// atomically.
  const std::vector<std::string>& races() const;

 private:
  /// Steps that are being run.
  struct Frame {
    const ir::Schedule* steps = nullptr;
    size_t next = 0;
    const ir::Step* loop = nullptr;  // the DoWhile whose body they are
  };
  State finish();
  void fork(const ir::Step& step);
  void count(uint32_t counter, int64_t amount);
  void fire(const std::vector<uint32_t>& probes);

  const ir::Kernel& kernel_;
  Bindings bindings_;
  bool host_counts_;
  std::mt19937_64 order_;
  std::vector<uint64_t> own_temps_;
  std::unique_ptr<Machine> machine_;
  std::vector<Frame> frames_;
  State state_ = State::Running;
  uint32_t checkpoint_ = 0;
  int tasks_ = 0;
};

}  // namespace qd::device::reference
