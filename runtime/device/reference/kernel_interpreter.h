// State of interpreting one launch: frames, variables, random numbers, and the effect of each instruction on them.
#pragma once

#include <deque>
#include <optional>

#include "runtime/device/element_claims.h"
#include "runtime/device/reference/frame_layout.h"
#include "runtime/device/reference/interpreter.h"
#include "runtime/device/reference/races.h"

namespace qd::device::reference {

/// Start value of variables and temps with Options::check.
constexpr uint64_t kGarbage = 0x5a5a5a5a;

class KernelInterpreter {
 public:
  KernelInterpreter(const ir::Kernel& kernel, const Bindings& bindings, Options options);

  /// Prepares for the tasks of a fork.
  void begin_fork() { claims_.clear(); }
  // The next two return whether no assert failed. `section`: as ThreadState::section.
  bool run_task(size_t task, uint32_t section);
  bool run_body();

  /// Number of iterations of a parallel task with its bounds as they are now; 1 for a serial task.
  int64_t iterations(const ir::Task& task) const;
  const std::vector<std::string>& races() const { return races_.found(); }

 private:
  enum class Flow : uint8_t { Next, Break, Continue, Stop };
  struct Activation {
    std::vector<uint64_t> words;
    std::vector<uint8_t> known;  // Options::check: whether the word has a value
  };
  struct Failure {
    uint32_t format = 0;
    int64_t iteration = 0;
    std::vector<uint64_t> values;
    std::vector<uint64_t> calls;
  };

  // parts of a task (parts.cpp)
  int64_t bound(const ir::Bound& bound) const;
  bool over();
  void enter(size_t depth, uint32_t words);
  void forget();
  void start_random(int64_t iteration);
  void parallel(ir::InstId loop, size_t axes, ir::BlockId prologue, ir::BlockId body, ir::BlockId epilogue);
  template <class Body>
  Flow run_through(ir::InstId loop, size_t axes, Body&& body);

  // instructions (kernel_interpreter.cpp)
  Flow block(ir::BlockId id);
  Flow inner(ir::BlockId id);
  Flow inst(ir::InstId id);
  Flow loop(const ir::Inst& inst);
  Flow counted_loop(ir::InstId id, const ir::Inst& inst);
  Flow call(ir::InstId id, const ir::Inst& inst);
  Flow give_back(const ir::Inst& inst);
  Flow fail(const ir::Inst& inst);
  void tell(Message::Kind kind, const ir::Inst& inst, size_t first);
  uint64_t random(ir::Type type);
  void count(const ir::Inst& inst);

  // memory (memory.cpp)
  Flow declare(ir::InstId id, const ir::Inst& inst);
  uint64_t local_element(const ir::Inst& inst);
  uint64_t element(const ir::Inst& inst);
  int64_t extent(uint32_t array, size_t axis) const;
  uint64_t reach(ir::InstId pointer, bool atomic, bool write);
  [[noreturn]] void nowhere(ir::InstId pointer);
  uint64_t load(ir::InstId pointer);
  void store(ir::InstId pointer, uint64_t word);
  uint64_t atomic(const ir::Inst& inst);

  uint64_t get(ir::InstId id) const {
    if (checks_) must_be_known(id);
    return frame_[layout_.at(id)];
  }
  Flow set(ir::InstId id, uint64_t word) {
    frame_[layout_.at(id)] = word;
    if (checks_) known_[layout_.at(id)] = 1;
    return Flow::Next;
  }
  void must_be_known(ir::InstId id) const;

  const ir::Kernel& kernel_;
  const Bindings bindings_;
  const Options options_;
  const bool checks_;
  const FrameLayout layout_;
  std::deque<Activation> activations_;  // by depth of calls; a deque, because activations must not move
  size_t depth_ = 0;
  uint64_t* frame_ = nullptr;
  uint8_t* known_ = nullptr;
  std::vector<uint64_t> returned_;  // the results of the routine that returned last
  std::optional<Failure> failure_;
  std::array<uint64_t, 2> random_ = {};
  std::vector<bool> draws_;     // of each task, whether it draws random numbers
  uint64_t drawing_tasks_ = 0;  // number of tasks that draw random numbers and have started
  uint64_t task_seed_ = 0;      // the seed of the present task
  uint64_t steps_ = 0;
  int64_t iteration_ = 0;
  bool top_ = false;          // running the top level of a kernel that is not cut into tasks
  bool inside_ = false;       // running an iteration of a parallel loop
  std::vector<bool> shared_;  // with Options::check: the Allocas that stand outside of the parallel loops
  Races races_;
  ElementClaims claims_;
  uint32_t section_ = 0;  // as ThreadState::section
};

}  // namespace qd::device::reference
