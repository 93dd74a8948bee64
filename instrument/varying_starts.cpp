// Start counts of tasks, computed from the schedule: each step has a number of times that control comes to it.
//
//   run 0                               once: Kernel::begin_counter
//   do_while temp 3 {
//     run 1   parallel                  once, and again as often as temp 3 was not 0: task 2 counts that at its end
//     run 2   serial, sets temp 3
//   }
//   if temp 4 { run 4 } else { run 5 }  as often as temp 4 was, or was not, 0: task 3 before it counts that
//
// Behind a task in which an assert may fail, that number is not known any more, nor in a loop whose last task is
// parallel. Then the serial task before a step counts, at its end, the times that control gets there. Where there is
// none, one is added.
#include "instrument/lower_probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "runtime/ir/builder.h"
#include "runtime/ir/calls.h"

namespace qd::instrument {

namespace {

using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::Schedule;
using ir::Step;
using ir::Type;

/// Execution count of a place in the schedule; empty when it is not known.
using Known = std::optional<CounterSum>;

class StartCounting {
 public:
  explicit StartCounting(ir::Kernel& kernel) : kernel_(kernel), starts_(kernel.tasks.size()) {
    const std::vector<bool> failing = ir::failing_routines(kernel);
    for (const ir::Task& task : kernel.tasks) {
      bool fails = false;
      auto look = [&](InstId id) {
        const ir::Inst& inst = kernel[id];
        fails |= inst.op == Op::Assert || (inst.op == Op::Call && failing[inst.aux]);
      };
      for (BlockId block : {task.prologue, task.body, task.epilogue}) ir::walk(kernel, block, look);
      fails_.push_back(fails);
    }
  }

  std::vector<CounterSum> run() {
    if (!std::ranges::any_of(kernel_.schedule, [&](const Step& step) { return counts_inside(step); })) return starts_;
    kernel_.begin_counter = kernel_.counters++;
    steps(kernel_.schedule, CounterSum::of(kernel_.begin_counter), false);
    return std::move(starts_);
  }

 private:
  void steps(Schedule& schedule, Known known, bool varying) {
    for (size_t i = 0; i < schedule.size(); ++i) {
      switch (schedule[i].kind) {
        case Step::Kind::Run:
          if (varying && wanted(schedule[i])) {
            if (!known) known = CounterSum::of(count(one_before(schedule, i), nullptr));
            starts_[schedule[i].task] = *known;
          }
          break;
        case Step::Kind::DoWhile:
          if (!counts_inside(schedule[i])) break;
          if (!known) known = CounterSum::of(count(one_before(schedule, i), nullptr));
          enter_loop(schedule[i], *known);
          break;
        case Step::Kind::If:
          if (!counts_inside(schedule[i])) break;
          enter_if(schedule, i);
          break;
        case Step::Kind::Fork:
          for (Schedule& section : schedule[i].sections) steps(section, known, varying);
          break;
      }
      if (fails(schedule[i])) known = std::nullopt;
    }
  }

  void enter_loop(Step& loop, const CounterSum& entered) {
    Schedule& body = loop.sections[0];
    if (!is_serial(body.back())) return steps(body, std::nullopt, true);
    steps(body, entered + CounterSum::of(count(body.back().task, &loop)), true);
  }

  void enter_if(Schedule& schedule, size_t& i) {
    const uint32_t before = one_before(schedule, i);
    Step& choice = schedule[i];
    const CounterSum yes = CounterSum::of(count(before, &choice));
    const CounterSum all = CounterSum::of(count(before, nullptr));
    steps(choice.sections[0], yes, true);
    steps(choice.sections[1], all - yes, true);
  }

  /// Index of the serial task just before a step; adds one where there is none. `i` stays the position of the step.
  uint32_t one_before(Schedule& schedule, size_t& i) {
    if (i == 0 || !is_serial(schedule[i - 1])) {
      schedule.insert(schedule.begin() + static_cast<ptrdiff_t>(i), Step::run(add_task()));
      ++i;
    }
    return schedule[i - 1].task;
  }

  bool wanted(const Step& step) const {
    return step.kind == Step::Kind::Run && kernel_.tasks[step.task].kind == ir::Task::Kind::Parallel &&
           !kernel_.tasks[step.task].start_probes.empty();
  }
  bool is_serial(const Step& step) const {
    return step.kind == Step::Kind::Run && kernel_.tasks[step.task].kind == ir::Task::Kind::Serial;
  }
  /// Whether a DoWhile or an If, or one in a Fork, has a task that is wanted.
  bool counts_inside(const Step& step) const {
    bool found = false;
    ir::walk_steps({step}, [&](const Step& inner, int conditions) { found |= conditions > 0 && wanted(inner); });
    return found;
  }
  /// Whether an assert of a step may fail.
  bool fails(const Step& step) const {
    bool found = false;
    ir::walk_steps({step}, [&](const Step& inner, int) {
      found |= inner.kind == Step::Kind::Run && inner.task < fails_.size() && fails_[inner.task];
    });
    return found;
  }

  uint32_t add_task() {
    ir::Task task;
    task.name = fmt::format("{}_{}_count", kernel_.name, kernel_.tasks.size());
    task.body = kernel_.add_block();
    kernel_.tasks.push_back(std::move(task));
    return static_cast<uint32_t>(kernel_.tasks.size() - 1);
  }

  /// Adds a Count at the end of a task, before a Return, which stays last. It counts each time that control gets there
  /// and the condition of the step holds; without a step, each time. Returns the counter.
  uint32_t count(uint32_t task, const Step* step) {
    const BlockId body = kernel_.tasks[task].body;
    const uint32_t counter = kernel_.counters++;
    std::vector<InstId> more;
    ir::Builder build(kernel_, more, kernel_[body].empty() ? 0 : kernel_[kernel_[body].back()].location);
    InstId amount = InstId::None;
    if (step) {
      const InstId temp = build.load(build.global_temp(Type::I32, step->condition));
      amount = build.compare(ir::CompareOp::Ne, temp, build.constant(Type::I32, 0));
    } else {
      amount = build.constant(Type::I64, 1);
    }
    build.inst(Op::Count, Type::Void, {amount}, counter);
    std::vector<InstId>& insts = kernel_[body];
    const bool returns = !insts.empty() && kernel_[insts.back()].op == Op::Return;
    insts.insert(insts.end() - returns, more.begin(), more.end());
    return counter;
  }

  ir::Kernel& kernel_;
  std::vector<CounterSum> starts_;  // one for each task that the kernel had at first
  std::vector<bool> fails_;         // by the same index: whether an assert in the task may fail
};

}  // namespace

std::vector<CounterSum> count_varying_starts(ir::Kernel& kernel) { return StartCounting(kernel).run(); }

}  // namespace qd::instrument
