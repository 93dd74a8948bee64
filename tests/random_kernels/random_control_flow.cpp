// Random kernels behind split_tasks, with schedules of their own.
#include "tests/random_kernels/random_control_flow.h"

#include <random>
#include <stdexcept>
#include <utility>

#include "runtime/ir/builder.h"
#include "runtime/passes/passes.h"
#include "tests/random_kernels/interpret.h"
#include "tests/random_kernels/random_kernel.h"

namespace qd::testing {
namespace {

using ir::Step;
using ir::Type;

/// Adds a serial task whose result decides whether a loop's body runs again.
uint32_t add_condition(ir::Kernel& kernel, uint32_t temp) {
  ir::Task task;
  task.name = "again";
  task.body = kernel.add_block();
  ir::Builder build(kernel, task.body);
  const ir::InstId part =
      build.binary(ir::BinaryOp::BitAnd, build.inst(ir::Op::Random, Type::U32), build.constant(Type::U32, 31));
  const ir::InstId again = build.compare(ir::CompareOp::Lt, part, build.constant(Type::U32, 20));
  build.store(build.global_temp(Type::I32, temp), build.cast(Type::I32, again));
  kernel.tasks.push_back(std::move(task));
  return static_cast<uint32_t>(kernel.tasks.size() - 1);
}

/// Nests steps: some that follow each other become the body of a loop or of an if, and again some of the new ones.
void nest(ir::Kernel& kernel, uint32_t seed) {
  std::mt19937 random(seed);
  auto pick = [&](size_t n) { return static_cast<ptrdiff_t>(random() % n); };
  ir::Schedule& steps = kernel.schedule;
  for (auto more = pick(3); more >= 0 && !steps.empty(); --more) {
    const auto first = steps.begin() + pick(steps.size());
    const auto last = first + 1 + pick(static_cast<size_t>(steps.end() - first));
    const uint32_t condition = kernel.global_temps++;
    ir::Schedule body(first, last);
    const Step decide = Step::run(add_condition(kernel, condition));
    if (pick(3)) {
      body.insert(pick(2) ? body.begin() : body.end(), decide);
      steps.insert(steps.erase(first, last), Step::do_while(condition, std::move(body)));
    } else {
      steps.insert(steps.erase(first, last), {decide, Step::choose(condition, std::move(body), {})});
    }
  }
}

}  // namespace

ir::Kernel random_control_flow(uint32_t seed, ControlOptions options) {
  ir::Kernel kernel = random_kernel(seed, {.draws = true, .asserts = options.asserts});
  passes::split_local_arrays(kernel);
  passes::forward_stores(kernel);
  passes::split_tasks(kernel);
  if (options.nests) nest(kernel, seed);
  return kernel;
}

ControlRun run(const ir::Kernel& kernel, uint32_t seed) {
  ControlRun run;
  device::reference::Options options;
  options.seed = seed;
  options.step_limit = 1'000'000;
  try {
    Run interpreted = interpret(kernel, random_launch(kernel, seed), std::move(options));
    for (const auto& [probe, times] : interpreted.outcome.probes) run.probes.insert(probe);
    run.counters = std::move(interpreted.counters);
    run.failed = interpreted.outcome.failed;
  } catch (const std::runtime_error&) {
    run.stopped = true;
  }
  return run;
}

}  // namespace qd::testing
