// The entry of the compiler's front half: a kernel's parameters are bound, its body is lowered, errors are thrown
// together.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/frontend/annotation.h"
#include "runtime/frontend/kernel_scope.h"
#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::overloaded;

Poison Lowering::error(ErrorKind kind, const Range& range, std::string message) {
  Diagnostic diagnostic = diagnostic_at(*frame().source, kind, range, std::move(message));
  size_t repeated = 0;
  for (size_t i = frames_.size(); i-- > 1;) {
    const Frame& caller = frames_[i - 1];
    std::string call = fmt::format("{}:{} in {}", caller.source->file,
                                   frames_[i].call.line + caller.source->line_offset, caller.source->function().name);
    if (!diagnostic.calls.empty() && diagnostic.calls.back() == call) {
      ++repeated;
      continue;
    }
    if (repeated > 0) diagnostic.calls.back() += fmt::format(" ({} times)", std::exchange(repeated, 0) + 1);
    diagnostic.calls.push_back(std::move(call));
  }
  diagnostics_.add(std::move(diagnostic), frames_.size() > 1 ? frames_[1].call : range);
  return {};
}

std::string message(const Warning& warning) {
  return fmt::format("{}:{}: {}", warning.file, warning.line, warning.text);
}

Poison Lowering::caller_error(ErrorKind kind, const Range& call, std::string message) {
  Frame callee = std::move(frames_.back());
  frames_.pop_back();
  error(kind, call, std::move(message));
  frames_.push_back(std::move(callee));
  return {};
}

void Lowering::warn(const Range& range, const std::string& message, bool of_this_process) {
  if (!warnings_) return;
  Warning warning{frame().source->file, line_of(range), message, of_this_process};
  if (std::ranges::find(*warnings_, warning) == warnings_->end()) warnings_->push_back(std::move(warning));
}

void Lowering::enter_function(const FunctionSource& source, Environment& environment, Frame& frame) {
  frame.source = &source;
  frame.environment = &environment;
  frame.first_line = source.first_line();
  frame.assigned = assigned_names(source.function().body);
  frame.scopes.emplace_back();
  frame.decided = decided_in(source);
  std::string_view name = source.function().name;
  for (const ir::Function& known : kernel_.functions) {
    if (known.file == source.file && known.first_line == frame.first_line && known.name == name) {
      frame.function = static_cast<uint32_t>(&known - kernel_.functions.data());
      return;
    }
  }
  frame.function = static_cast<uint32_t>(kernel_.functions.size());
  kernel_.functions.push_back({source.file, std::string(name), frame.first_line});
}

ir::Kernel Lowering::lower(const FunctionSource& source, Environment& environment,
                           std::span<const Argument> arguments) {
  const syntax::FunctionDef& def = source.function();
  kernel_.name = def.name;
  Signature signature = frontend::signature(source, environment, options_);
  kernel_.results = signature.results;
  result_ = std::move(signature.result);
  kernel_.body = kernel_.add_block();
  build_.set_block(kernel_.body);
  frames_.emplace_back();
  enter_function(source, environment, frame());
  build_.set_location(location(source.def->range));
  for (const Parameter& leaf : signature.parameters) leaf_names_.push_back(leaf.name);
  bind_parameters(signature, arguments);
  try {
    suite(without_docstring(def.body), *source.def, -frame().first_line);
  } catch (const TooLarge&) {
    diagnostics_.throw_if_any();
  }
  if (!kernel_.results.empty() && !frame().returned) {
    Range header{source.def->range.line, source.def->range.col, source.def->range.line, source.def->range.col + 3};
    error(ErrorKind::Syntax, header, "Kernel has a return type but does not have a return statement");
  }
  diagnostics_.throw_if_any();
  guard_recursion();
  return std::move(kernel_);
}

ir::Kernel lower(const FunctionSource& source, Environment& environment, std::span<const Argument> arguments,
                 const Options& options, std::vector<Warning>* warnings, TemplateReads* reads) {
  Lowering lowering(options, warnings);
  ir::Kernel kernel = lowering.lower(source, environment, arguments);
  if (reads) *reads = std::move(lowering.reads());
  ir::require_valid(kernel, "lower");
  return kernel;
}

}  // namespace qd::frontend
