#include "runtime/codegen/cpu/loop_forms.h"

#include <utility>

#include <fmt/format.h>

#include "runtime/codegen/cpu/lane_choice.h"

namespace qd::codegen {

using ir::InstId;

std::vector<std::string> loop_forms(const ir::Kernel& kernel) {
  std::vector<std::string> forms;
  const auto place_of = [&](InstId id) -> const ir::Location& { return kernel.locations[kernel[id].location]; };
  for (const ir::Task& task : kernel.tasks) {
    if (task.kind != ir::Task::Kind::Parallel) continue;
    const LaneChoice choice = choose_lanes(kernel, task, passes::Divergence(kernel, task));
    const ir::Location& loop = place_of(task.loop);
    std::string text = fmt::format("line {}: ", loop.line);
    if (choice.shape.lanes > 0) {
      text += fmt::format("{} iterations at a time, as lanes of vectors", choice.shape.lanes);
    } else {
      text += fmt::format("one iteration at a time, for {}", choice.reason);
      const ir::Location& at = place_of(choice.at);
      if (at.function != loop.function)
        text += fmt::format(" (line {} of {})", at.line, kernel.functions[at.function].name);
      else if (at.line != loop.line)
        text += fmt::format(" (line {})", at.line);
    }
    forms.push_back(std::move(text));
  }
  return forms;
}

}  // namespace qd::codegen
