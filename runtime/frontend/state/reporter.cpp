// Errors and warnings of a kernel, with the calls that led to them.
#include "runtime/frontend/state/reporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace qd::frontend {

Poison Reporter::error_in(size_t depth, ErrorKind kind, const syntax::Range& where, std::string message) {
  syntax::Range range = where;
  while (functions_[depth].library_call) range = functions_[depth--].call;
  Diagnostic diagnostic = diagnostic_at(*functions_[depth].source, kind, range, std::move(message));
  size_t repeated = 0;
  for (size_t i = depth; i > 0; --i) {
    const FunctionState& caller = functions_[i - 1];
    std::string call = fmt::format("{}:{} in {}", caller.source->file, caller.line_of(functions_[i].call),
                                   caller.source->function().name);
    if (!diagnostic.calls.empty() && diagnostic.calls.back() == call) {
      ++repeated;
      continue;
    }
    if (repeated > 0) diagnostic.calls.back() += fmt::format(" ({} times)", std::exchange(repeated, 0) + 1);
    diagnostic.calls.push_back(std::move(call));
  }
  diagnostics_.add(std::move(diagnostic), depth > 0 ? functions_[1].call : range);
  return {};
}

void Reporter::warn(const syntax::Range& range, const std::string& message, Warning::Kind kind) {
  if (!warnings_) return;
  size_t depth = functions_.size() - 1;
  syntax::Range here = range;
  while (functions_[depth].library_call) here = functions_[depth--].call;
  const FunctionState& function = functions_[depth];
  Warning warning{function.source->file, function.line_of(here), message, kind};
  if (std::ranges::find(*warnings_, warning) == warnings_->end()) warnings_->push_back(std::move(warning));
}

void Reporter::warn_at(const ir::Kernel& kernel, uint32_t location, std::string message) {
  if (!warnings_) return;
  const ir::Location& row = kernel.locations[location];
  warnings_->push_back({kernel.functions[row.function].file, row.line, std::move(message)});
}

bool Reporter::has_warned(const std::string& text) const {
  return warnings_ && std::ranges::any_of(*warnings_, [&](const Warning& warning) { return warning.text == text; });
}

std::string message(const Warning& warning) {
  return fmt::format("{}:{}: {}", warning.file, warning.line, warning.text);
}

}  // namespace qd::frontend
