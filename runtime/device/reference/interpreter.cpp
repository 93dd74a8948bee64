// Walks over the schedule of a launch, and adds the counts of a launcher to counters.
#include "runtime/device/reference/interpreter.h"

#include <algorithm>
#include <numeric>

#include "runtime/device/reference/kernel_interpreter.h"
#include "runtime/device/task_clock.h"

namespace qd::device::reference {

using ir::Step;

Interpreter::Interpreter(const ir::Kernel& kernel, const Bindings& bindings, Options options)
    : kernel_(kernel),
      bindings_(bindings),
      host_counts_(options.host_counts),
      times_(options.times),
      order_(options.seed) {
  if (!bindings_.temps) {
    own_temps_.assign(kernel.global_temps, options.check ? kGarbage : 0);
    bindings_.temps = own_temps_.data();
  }
  machine_ = std::make_unique<KernelInterpreter>(kernel, bindings_, std::move(options));
  frames_.push_back({&kernel.schedule});
  count(kernel.begin_counter, 1);
}

Interpreter::~Interpreter() = default;

const std::vector<std::string>& Interpreter::races() const { return machine_->races(); }

void Interpreter::count(uint32_t counter, int64_t amount) {
  if (host_counts_ && bindings_.counters && counter != ir::kNoCounter)
    bindings_.counters[counter] += static_cast<uint64_t>(amount);
}

void Interpreter::fire(const std::vector<uint32_t>& probes) {
  if (!bindings_.probes) return;
  for (uint32_t probe : probes) bindings_.probes[probe]++;
}

Interpreter::State Interpreter::finish() {
  if (kernel_.body != ir::BlockId::None && !machine_->run_body()) return state_ = State::Failed;
  fire(kernel_.end_probes);
  count(kernel_.end_counter, 1);
  return state_ = State::Finished;
}

/// Begins a fork: pushes the sections on the stack of frames; the last one that is pushed runs first.
void Interpreter::fork(const Step& step) {
  std::vector<size_t> order(step.sections.size());
  std::iota(order.begin(), order.end(), size_t{0});
  for (size_t left = order.size(); left > 1; left--) std::swap(order[left - 1], order[order_() % left]);
  machine_->begin_fork();
  for (size_t section : order)
    frames_.push_back({&step.sections[section], 0, nullptr, static_cast<uint32_t>(section) + 1});
}

Interpreter::State Interpreter::advance() {
  if (state_ == State::Finished || state_ == State::Failed) return state_;
  state_ = State::Running;
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    if (frame.next == frame.steps->size()) {
      if (frame.loop && static_cast<int32_t>(bindings_.temps[frame.loop->condition]) != 0) {
        frame.next = 0;
        return state_;  // this stops also at a loop whose body runs nothing
      }
      frames_.pop_back();
      continue;
    }
    const Step& step = (*frame.steps)[frame.next++];
    const uint32_t section = frame.section;
    switch (step.kind) {
      case Step::Kind::Run: {
        const ir::Task& task = kernel_.tasks[step.task];
        fire(task.start_probes);
        count(task.start_counter, 1);
        count(task.trip_counter, machine_->iterations(task));
        tasks_++;
        const TaskClock clock(times_, step.task);
        if (!machine_->run_task(step.task, section)) state_ = State::Failed;
        return state_;
      }
      case Step::Kind::If:
        frames_.push_back(
            {&step.sections[static_cast<int32_t>(bindings_.temps[step.condition]) != 0 ? 0 : 1], 0, nullptr, section});
        break;
      case Step::Kind::DoWhile: frames_.push_back({&step.sections[0], 0, &step, section}); break;
      case Step::Kind::Fork: fork(step); break;
    }
  }
  return finish();
}

Interpreter::State Interpreter::run() {
  while (advance() == State::Running) continue;
  return state_;
}

}  // namespace qd::device::reference
