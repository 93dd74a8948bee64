// Interpreter of kernel IR, one instruction after the other. It is the oracle for passes and compiled code, and the
// reference device runs on it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "runtime/abi/launch_context.h"
#include "runtime/device/device.h"
#include "runtime/ir/kernel.h"

namespace qd::device::reference {

/// A message from the code to the host, as by LaunchContext's print, warn, fail and called_from.
struct Message {
  enum class Kind : uint8_t { Print, Warn, Assert };
  Kind kind = Kind::Print;
  uint32_t format = 0;               // an index into Kernel::formats
  int64_t iteration = 0;             // the number of the parallel task's iteration; 0 in a serial task
  std::span<const uint64_t> values;  // words; valid during the call
  std::span<const uint64_t>
      calls;  // for Assert: the calls that led to it (Inst::imm of each Call), innermost first; valid during the call
};

/// The memory of a launch, as in LaunchContext. It must outlive the interpreter, and so must the kernel.
struct Bindings {
  const ArraySlot* arrays = nullptr;
  const uint64_t* params = nullptr;
  uint64_t* results = nullptr;
  uint64_t* temps = nullptr;     // Kernel::global_temps words, set by the caller; null: words of its own, all 0
  uint64_t* counters = nullptr;  // Kernel::counters words, which are added to; null: nothing is counted
  uint64_t* probes = nullptr;    // output: runs of each of Kernel::probes are added here; null: not counted
};

struct Options {
  /// The seed of random numbers, and of the order in which the sections of a Fork run.
  uint64_t seed = 0;
  /// Whether to add the counts of a launcher to counters: starts and iterations of tasks, and the end of the launch.
  bool host_counts = true;
  /// Number of iterations of a parallel task that share a prologue and an epilogue; 0: all.
  int64_t chunk = 0;
  /// The lowest address of the stack that calls may use, as in ThreadState; 0: recursion has no limit.
  uint64_t stack_end = 0;
  /// Largest number of instructions that may run; 0: no limit.
  uint64_t step_limit = 0;
  /// Whether to find errors of a kernel: uses of undefined values, and races. Variables and temps start with garbage
  /// then. Slow.
  bool check = false;
  std::function<void(const Message&)> tell = nullptr;
  /// Times of the tasks, as Invocation::times.
  std::vector<TaskTime>* times = nullptr;
};

class KernelInterpreter;

/// One launch, which runs step by step. The iterations of a parallel task run in order. Throws std::runtime_error for
/// invalid operations (an access outside of an array, more steps than the limit); then the launch is lost. An
/// interpreter may move from thread to thread, but only one thread may use it at a time.
class Interpreter {
 public:
  Interpreter(const ir::Kernel& kernel, const Bindings& bindings, Options options = {});
  ~Interpreter();

  enum class State : uint8_t { Running, Finished, Failed };
  /// Runs until a task is over, or the body of a loop begins again. The next call goes on from there. A kernel that is
  /// not cut into tasks runs as a whole. Failed: an assert did not hold, and nothing runs any more.
  State advance();
  /// Advances to the end.
  State run();

  /// Number of tasks that have run.
  int tasks() const { return tasks_; }
  /// Races, with Options::check: places that two iterations of a parallel loop touched, at least one of them writing
  /// and at least one not atomically.
  const std::vector<std::string>& races() const;

 private:
  /// A list of steps that is being run.
  struct Frame {
    const ir::Schedule* steps = nullptr;
    size_t next = 0;
    const ir::Step* loop = nullptr;  // the DoWhile whose body they are
    uint32_t section = 0;            // as ThreadState::section
  };
  State finish();
  void fork(const ir::Step& step);
  void count(uint32_t counter, int64_t amount);
  void fire(const std::vector<uint32_t>& probes);

  const ir::Kernel& kernel_;
  Bindings bindings_;
  bool host_counts_;
  std::vector<TaskTime>* times_;
  std::mt19937_64 order_;
  std::vector<uint64_t> own_temps_;
  std::unique_ptr<KernelInterpreter> machine_;
  std::vector<Frame> frames_;
  State state_ = State::Running;
  int tasks_ = 0;
};

}  // namespace qd::device::reference
