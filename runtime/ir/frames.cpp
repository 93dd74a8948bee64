// Follows a location to the calls around it.
#include "runtime/ir/frames.h"

#include <fmt/format.h>

namespace qd::ir {
namespace {

/// A location and the calls around it, innermost first.
std::vector<const Location*> frames(const Kernel& kernel, uint32_t at) {
  std::vector<const Location*> found;
  for (; at < kernel.locations.size(); at = kernel.locations[at].caller) found.push_back(&kernel.locations[at]);
  return found;
}

}  // namespace

std::string trace(const Kernel& kernel, uint32_t location) {
  std::string text;
  for (const Location* frame : frames(kernel, location)) {
    const Function& function = kernel.functions[frame->function];
    text += fmt::format("\n{}:{} in {}", function.file, frame->line, function.name);
  }
  return text;
}

std::string callstack(const Kernel& kernel, uint32_t location) {
  std::string text = "\nCallstack:";
  const std::vector<const Location*> all = frames(kernel, location);
  for (size_t i = all.size(); i-- > 0;) {
    const Function& function = kernel.functions[all[i]->function];
    text += fmt::format("\n{:{}}{} ({}:{})", "", 2 * (all.size() - 1 - i), function.name, function.file, all[i]->line);
  }
  return text;
}

}  // namespace qd::ir
