#include "runtime/codegen/cpu/loop_forms.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "runtime/codegen/cpu/lane_choice.h"

namespace qd::codegen {
namespace {

std::string text_of(const LaneShape& shape) {
  if (shape.lanes == 0) return "one iteration at a time";
  return fmt::format("{} iterations at a time, as lanes of vectors", shape.lanes);
}

/// The form that was the faster one.
std::string text_of(const LaneChoice& choice, const MeasuredForm& measured) {
  LaneShape faster = choice.shape, slower = *choice.other;
  if (measured.is_other) std::swap(faster, slower);
  return fmt::format("{}, which took {:.2f} of the time of {}", text_of(faster),
                     measured.is_other ? measured.ratio : 1 / measured.ratio, text_of(slower));
}

}  // namespace

std::vector<std::string> loop_forms(const ir::Kernel& kernel, std::span<const MeasuredForm> measured) {
  std::vector<std::string> forms;
  const auto place_of = [&](ir::InstId id) -> const ir::Location& { return kernel.locations[kernel[id].location]; };
  for (uint32_t number = 0; number < kernel.tasks.size(); ++number) {
    const ir::Task& task = kernel.tasks[number];
    if (task.kind != ir::Task::Kind::Parallel) continue;
    const LaneChoice choice = choose_lanes(kernel, task, passes::Divergence(kernel, task));
    const ir::Location& loop = place_of(task.loop);
    std::string& text = forms.emplace_back(fmt::format("line {}: ", loop.line));
    const auto times = std::ranges::find(measured, number, &MeasuredForm::task);
    if (times != measured.end() && choice.other) {
      text += text_of(choice, *times);
      continue;
    }
    text += text_of(choice.shape);
    if (!choice.reason.empty()) text += fmt::format(", for {}", choice.reason);
    const ir::Location& at = place_of(choice.at);
    if (at.function != loop.function)
      text += fmt::format(" (line {} of {})", at.line, kernel.functions[at.function].name);
    else if (at.line != loop.line)
      text += fmt::format(" (line {})", at.line);
    if (choice.other) text += ", until both forms are timed";
  }
  return forms;
}

}  // namespace qd::codegen
