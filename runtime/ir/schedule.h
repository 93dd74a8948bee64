// Schedule of a kernel: order and repetition of the tasks of a launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace qd::ir {

/// Largest depth of nested steps.
constexpr int kMaxStepDepth = 32;

struct Step;
/// Steps that run one after the other. A step begins when the one before is over, and sees the writes of that one.
using Schedule = std::vector<Step>;

struct Step {
  enum class Kind : uint8_t {
    Run,      // runs `task` once
    DoWhile,  // runs sections[0] once, and again as long as the temp `condition`, an i32, is not 0 after its last step
    If,       // runs sections[0] if the temp `condition`, an i32, is not 0, else sections[1]
    Fork,     // runs each section once, in any order or at the same time, and ends when all of them have ended
  };
  Kind kind = Kind::Run;
  uint32_t task = 0;       // an index into Kernel::tasks
  uint32_t condition = 0;  // a slot below Kernel::global_temps
  std::vector<Schedule> sections;

  static Step run(uint32_t task) { return {Kind::Run, task, 0, {}}; }
  static Step do_while(uint32_t condition, Schedule body) { return {Kind::DoWhile, 0, condition, {std::move(body)}}; }
  static Step choose(uint32_t condition, Schedule yes, Schedule no) {
    return {Kind::If, 0, condition, {std::move(yes), std::move(no)}};
  }
  static Step fork(std::vector<Schedule> sections) { return {Kind::Fork, 0, 0, std::move(sections)}; }
};

/// The schedule that runs each task once, in the order of their numbers: that of a kernel without regions.
Schedule in_order(size_t tasks);
bool is_in_order(const Schedule& schedule, size_t tasks);

/// For each task, whether its number of runs depends on the launch: it is in a DoWhile or an If.
std::vector<bool> varying_tasks(const Schedule& schedule, size_t tasks);

/// Calls visit(const Step&, int conditions) for each step, and then for the steps in it. `conditions`: the number of
/// DoWhile and If around the step.
template <class Visit>
void walk_steps(const Schedule& schedule, Visit&& visit, int conditions = 0) {
  for (const Step& step : schedule) {
    visit(step, conditions);
    for (const Schedule& section : step.sections)
      walk_steps(section, visit, conditions + (step.kind == Step::Kind::DoWhile || step.kind == Step::Kind::If));
  }
}

}  // namespace qd::ir
