// Properties of each task, from its instructions.
#include "runtime/device/cpu/cpu_executable.h"

#include <algorithm>

#include "runtime/ir/calls.h"

namespace qd::device {
namespace {

void look_at(const ir::Kernel& kernel, const ir::Task& task, CpuExecutable::LoadedTask& known) {
  auto look = [&](ir::InstId id) {
    const ir::Op op = kernel[id].op;
    known.random |= op == ir::Op::Random;
    known.uniform &= op != ir::Op::For && op != ir::Op::Loop;
    known.loops |= op == ir::Op::For || op == ir::Op::Loop || op == ir::Op::Call;
  };
  ir::walk(kernel, task.body, [&](ir::InstId id) {
    if (kernel[id].op != ir::Op::AtomicRmw) return;
    const ir::InstId place = kernel.operands_of(id)[0];
    const auto is_index = [&](ir::InstId index) { return kernel[index].op == ir::Op::LoopIndex; };
    known.scatters |= kernel[place].op == ir::Op::ElementPtr && kernel.arrays[kernel[place].aux].rank > 0 &&
                      !std::ranges::all_of(kernel.operands_of(place).first(1), is_index);
  });
  ir::walk(kernel, task.prologue, look);
  ir::walk(kernel, task.body, look);
  ir::walk_reached(kernel, task, [&](ir::InstId id) {
    look(id);
    const ir::Op op = kernel[id].op;
    known.uniform &= op != ir::Op::Call;
    known.calls |= ir::has_effect(op, ir::kCounts);
    known.recursive |= op == ir::Op::StackLeft;
  });
}

}  // namespace

CpuExecutable::CpuExecutable(const codegen::Binary& binary, const ir::Kernel& kernel)
    : code_(device::load(binary.code, binary.symbols)),
      routine_counters_(ir::routine_counters(kernel)),
      temps_(kernel.global_temps),
      kept_temps_(kernel.kept_temps),
      end_counter_(kernel.end_counter),
      warned_(std::make_unique<std::atomic<bool>[]>(kernel.formats.size())) {
  if (!ir::is_in_order(kernel.schedule, kernel.tasks.size())) schedule_ = kernel.schedule;
  for (const ir::Format& format : kernel.formats) format_values_.push_back(static_cast<uint32_t>(format.types.size()));
  for (size_t i = 0; i < kernel.tasks.size(); ++i) {
    const ir::Task& task = kernel.tasks[i];
    LoadedTask& known = tasks_.emplace_back();
    known.form = {code_->functions()[i], code_.get()};
    known.parallel = task.kind == ir::Task::Kind::Parallel;
    known.bounds = task.bounds;
    known.block_dim = task.block_dim;
    known.start_counter = task.start_counter;
    known.trip_counter = task.trip_counter;
    known.cost = std::max<int64_t>(1, task.cost);
    known.counters = ir::counters_of(kernel, task);
    if (i < binary.lanes.size()) known.lanes = binary.lanes[i];
    look_at(kernel, task, known);
  }
  for (uint32_t task : binary.unsure)
    tasks_[task].other = others_.emplace_back(std::make_unique<OtherForm>(task)).get();
  ir::walk(kernel, [&](ir::InstId id) { claims_ |= kernel[id].op == ir::Op::Claim; });
}

bool CpuExecutable::wants_other_forms() {
  return std::ranges::any_of(others_, [](const auto& other) { return other->trial.wants_other(); });
}

void CpuExecutable::add_other_forms(const codegen::Binary& binary) {
  std::unique_ptr<LoadedObject> code = device::load(binary.code, binary.symbols);
  for (size_t i = 0; i < others_.size(); ++i) others_[i]->form = {code->functions()[i], code.get()};
  other_code_ = std::move(code);
  for (const auto& other : others_) other->trial.begin();
}

void CpuExecutable::without_other_forms() {
  for (const auto& other : others_) other->trial.dropped();
}

std::vector<codegen::MeasuredForm> CpuExecutable::measured_forms() const {
  std::vector<codegen::MeasuredForm> measured;
  for (const auto& other : others_) {
    if (const auto ratio = other->trial.ratio()) measured.push_back({other->task, *ratio, other->trial.is_other()});
  }
  return measured;
}

}  // namespace qd::device
