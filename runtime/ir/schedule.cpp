// Properties of schedules: whether they are in order, and tasks that may run any number of times.
#include "runtime/ir/schedule.h"

namespace qd::ir {

Schedule in_order(size_t tasks) {
  Schedule schedule;
  for (size_t i = 0; i < tasks; i++) schedule.push_back(Step::run(static_cast<uint32_t>(i)));
  return schedule;
}

bool is_in_order(const Schedule& schedule, size_t tasks) {
  if (schedule.size() != tasks) return false;
  for (size_t i = 0; i < tasks; i++) {
    if (schedule[i].kind != Step::Kind::Run || schedule[i].task != i) return false;
  }
  return true;
}

std::vector<bool> varying_tasks(const Schedule& schedule, size_t tasks) {
  std::vector<bool> varying(tasks);
  walk_steps(schedule, [&](const Step& step, int conditions) {
    if (step.kind == Step::Kind::Run) varying[step.task] = conditions > 0;
  });
  return varying;
}

}  // namespace qd::ir
