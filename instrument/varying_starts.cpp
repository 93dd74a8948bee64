// The schedule says which task runs just before another one.
#include "instrument/varying_starts.h"

#include <fmt/format.h>

#include "runtime/ir/builder.h"

namespace qd::instrument {

namespace {

using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::Step;
using ir::Type;

class StartCounting {
 public:
  explicit StartCounting(ir::Kernel& kernel) : kernel_(kernel), counters_(kernel.tasks.size(), ir::kNoCounter) {}

  std::vector<uint32_t> run() {
    steps(kernel_.schedule, false);
    counters_.resize(kernel_.tasks.size(), ir::kNoCounter);
    return std::move(counters_);
  }

 private:
  void steps(ir::Schedule& schedule, bool varying) {
    for (size_t i = 0; i < schedule.size(); ++i) {
      for (ir::Schedule& section : schedule[i].sections)
        steps(section, varying || schedule[i].kind == Step::Kind::DoWhile || schedule[i].kind == Step::Kind::If);
      if (!varying || !wanted(schedule[i])) continue;
      const uint32_t task = schedule[i].task;
      if (i == 0 || !is_serial(schedule[i - 1])) {
        schedule.insert(schedule.begin() + static_cast<ptrdiff_t>(i), Step::run(add_task(kernel_.tasks[task].name)));
        ++i;
      }
      counters_[task] = count_at_end(kernel_.tasks[schedule[i - 1].task].body);
    }
  }

  bool wanted(const Step& step) const {
    return step.kind == Step::Kind::Run && kernel_.tasks[step.task].kind == ir::Task::Kind::Parallel &&
           !kernel_.tasks[step.task].start_probes.empty();
  }
  bool is_serial(const Step& step) const {
    return step.kind == Step::Kind::Run && kernel_.tasks[step.task].kind == ir::Task::Kind::Serial;
  }

  uint32_t add_task(const std::string& before) {
    ir::Task task;
    task.name = fmt::format("{}_start", before);
    task.body = kernel_.add_block();
    kernel_.tasks.push_back(std::move(task));
    return static_cast<uint32_t>(kernel_.tasks.size() - 1);
  }

  /// Adds a Count at the end of a block, before a Return, which stays last.
  uint32_t count_at_end(BlockId body) {
    const uint32_t counter = kernel_.counters++;
    std::vector<InstId> more;
    ir::Builder build(kernel_, more, kernel_[body].empty() ? 0 : kernel_[kernel_[body].back()].location);
    build.inst(Op::Count, Type::Void, {build.constant(Type::I64, 1)}, counter);
    std::vector<InstId>& insts = kernel_[body];
    const bool returns = !insts.empty() && kernel_[insts.back()].op == Op::Return;
    insts.insert(insts.end() - returns, more.begin(), more.end());
    return counter;
  }

  ir::Kernel& kernel_;
  std::vector<uint32_t> counters_;  // one for each task that the kernel had at first
};

}  // namespace

std::vector<uint32_t> count_varying_starts(ir::Kernel& kernel) { return StartCounting(kernel).run(); }

}  // namespace qd::instrument
