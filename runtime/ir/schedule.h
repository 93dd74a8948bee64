// The schedule of a kernel: in which order, and how often, a launch runs its tasks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace qd::ir {

/// How deeply steps may be nested.
constexpr int kMaxStepDepth = 32;

struct Step;
/// Steps that run one after the other. A step begins when the one before is over, and sees what that one has written.
using Schedule = std::vector<Step>;

struct Step {
  enum class Kind : uint8_t {
    Run,      // runs `task` once
    DoWhile,  // runs sections[0] once, and again as long as the temp `condition`, an i32, is not 0 after its last step
    Checkpoint,  // runs nothing: at this place a launch can be stopped, and continued later. `id` is its name
    Fork,        // runs each section once, in any order or at the same time, and ends when all of them have ended
  };
  Kind kind = Kind::Run;
  uint32_t task = 0;       // an index into Kernel::tasks
  uint32_t id = 0;         // each checkpoint of a kernel has another one
  uint32_t condition = 0;  // a slot below Kernel::global_temps
  std::vector<Schedule> sections;

  static Step run(uint32_t task) { return {Kind::Run, task, 0, 0, {}}; }
  static Step do_while(uint32_t condition, Schedule body) {
    return {Kind::DoWhile, 0, 0, condition, {std::move(body)}};
  }
  static Step checkpoint(uint32_t id) { return {Kind::Checkpoint, 0, id, 0, {}}; }
  static Step fork(std::vector<Schedule> sections) { return {Kind::Fork, 0, 0, 0, std::move(sections)}; }
};

/// The schedule that runs each task once, in the order of their numbers. That is what split_tasks makes.
Schedule in_order(size_t tasks);
bool is_in_order(const Schedule& schedule, size_t tasks);

/// For each task, whether it is in a DoWhile.
std::vector<bool> repeated_tasks(const Schedule& schedule, size_t tasks);

/// Calls visit(const Step&, int loops) for each step, and then for the steps in it. `loops` says how many DoWhile are
/// around the step.
template <class Visit>
void walk_steps(const Schedule& schedule, Visit&& visit, int loops = 0) {
  for (const Step& step : schedule) {
    visit(step, loops);
    for (const Schedule& section : step.sections)
      walk_steps(section, visit, loops + (step.kind == Step::Kind::DoWhile));
  }
}

}  // namespace qd::ir
