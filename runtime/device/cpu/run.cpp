// Runs a launch: the tasks of a kernel by its schedule, parallel ones on the thread pool.
#include "runtime/device/cpu/task_run.h"

#include <algorithm>
#include <array>

namespace qd::device {
namespace {

constexpr size_t kInlineTemps = 64;

void run_steps(CpuState& state, const ir::Schedule& steps, CpuLaunch& launch) {
  for (const ir::Step& step : steps) {
    if (launch.over()) return;
    switch (step.kind) {
      case ir::Step::Kind::Run: run_task(state, launch, step.task); break;
      case ir::Step::Kind::DoWhile:
        do run_steps(state, step.sections[0], launch);
        while (!launch.over() && launch.holds(step));
        break;
      case ir::Step::Kind::If: run_steps(state, step.sections[launch.holds(step) ? 0 : 1], launch); break;
      case ir::Step::Kind::Fork: run_sections(state, launch, step); break;
    }
  }
}

}  // namespace

void run(CpuState& state, const CpuExecutable& executable, const Invocation& invocation) {
  std::array<uint64_t, kInlineTemps> inline_temps;
  std::vector<uint64_t> more_temps;
  uint64_t* temps = inline_temps.data();
  if (executable.temps() > kInlineTemps) {
    more_temps.resize(executable.temps());
    temps = more_temps.data();
  }
  std::fill_n(temps, executable.temps(), 0);
  if (invocation.kept) std::copy_n(invocation.kept, executable.kept_temps(), temps);

  LaunchOutcome& outcome = *invocation.outcome;
  CpuLaunch launch(executable, invocation, temps);
  try {
    if (executable.schedule().empty()) {
      const auto tasks = static_cast<uint32_t>(executable.tasks().size());
      for (uint32_t task = 0; task < tasks && !launch.over(); ++task) run_task(state, launch, task);
    } else {
      run_steps(state, executable.schedule(), launch);
    }
  } catch (const std::overflow_error& error) {  // a loop that would never end
    outcome.status = LaunchOutcome::Status::Lost;
    outcome.error = error.what();
  }
  launch.watch.reset();
  if (invocation.kept) std::copy_n(temps, executable.kept_temps(), invocation.kept);
  if (outcome.status == LaunchOutcome::Status::Lost) return;
  if (!launch.failed.load()) {
    if (invocation.counters && executable.end_counter() != ir::kNoCounter)
      ++invocation.counters[executable.end_counter()];
    return;
  }
  outcome.status = launch.interrupted.load() ? LaunchOutcome::Status::Interrupted : LaunchOutcome::Status::Failed;
  if (launch.failure) outcome.messages.push_back(*std::move(launch.failure));
}

}  // namespace qd::device
