// The entry of the compiler's front half: a kernel's parameters are bound, its body is lowered, errors are thrown together.
#include <fmt/format.h>

#include <algorithm>

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
  for (size_t i = frames_.size(); i-- > 1;) {
    const Frame& caller = frames_[i - 1];
    diagnostic.calls.push_back(fmt::format("{}:{} in {}", caller.source->file, frames_[i].call.line + caller.source->line_offset,
                                           caller.source->function().name));
  }
  diagnostics_.add(std::move(diagnostic), frames_.size() > 1 ? frames_[1].call : range);
  return {};
}

void Lowering::warn(const Range& range, const std::string& message) {
  if (!warnings_) return;
  std::string text = fmt::format("{}:{}: {}", frame().source->file, line_of(range), message);
  if (std::find(warnings_->begin(), warnings_->end(), text) == warnings_->end()) warnings_->push_back(std::move(text));
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

void Lowering::bind_parameters(const syntax::FunctionDef& def, std::span<const Argument> arguments) {
  std::vector<const syntax::Arg*> parameters;
  for (const syntax::Arg& arg : def.args->posonlyargs) parameters.push_back(&arg);
  for (const syntax::Arg& arg : def.args->args) parameters.push_back(&arg);
  if (parameters.size() != arguments.size()) {
    throw std::logic_error(fmt::format("kernel {} has {} parameters, {} arguments are given", def.name, parameters.size(), arguments.size()));
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string_view name = parameters[i]->arg;
    Binding binding;
    binding.immutable = true;
    std::visit(overloaded{
                   [&](Type type) {
                     kernel_.params.push_back({std::string(name), type});
                     binding.what = ParamRef{static_cast<uint32_t>(kernel_.params.size() - 1)};
                   },
                   [&](const ArrayType& array) {
                     kernel_.arrays.push_back({ir::Array::Kind::Parameter, std::string(name), array.type, array.rank, {}, 0, array.layout});
                     binding.what = Item(ArrayRef{static_cast<uint32_t>(kernel_.arrays.size() - 1)});
                   },
                   [&](const Value& value) { binding.what = Item(reads_.argument(static_cast<uint32_t>(i), value)); },
               },
               arguments[i]);
    bind(name, std::move(binding));
  }
}

// What a `return` of the kernel itself stores as its results.
void Lowering::lower_results(const syntax::Return& s, const Stmt& stmt) {
  if (frames_.size() > 1) return;
  const Item& result = frame().result;
  std::vector<Item> values;
  auto* value = std::get_if<Value>(&result);
  auto* items = std::get_if<Items>(&result);
  auto* tuple = value ? std::get_if<Tuple>(value) : nullptr;
  if (items) values = items->list;
  if (tuple) values.assign(tuple->items.begin(), tuple->items.end());
  if (!items && !tuple && s.value && !(value && std::holds_alternative<None>(*value))) values = {result};
  if (poisoned(result)) return;
  if (kernel_.results.empty() && !values.empty()) {
    error(ErrorKind::Syntax, stmt.range, "a kernel that returns a value needs a return annotation (-> dtype)");
    return;
  }
  if (values.size() != kernel_.results.size()) {
    error(ErrorKind::Type, stmt.range, fmt::format("{} values are returned, {} are annotated", values.size(), kernel_.results.size()));
    return;
  }
  std::vector<InstId> operands;
  for (size_t i = 0; i < values.size(); ++i) {
    if (auto id = coerce_stored(values[i], kernel_.results[i], s.value->range)) operands.push_back(*id);
  }
  if (operands.size() == values.size() && !values.empty()) emit(Op::Return, Type::Void, operands);
}

ir::Kernel Lowering::lower(const FunctionSource& source, Environment& environment, std::span<const Argument> arguments) {
  const syntax::FunctionDef& def = source.function();
  kernel_.name = def.name;
  kernel_.results = signature(source, environment, options_).results;
  kernel_.body = block_ = kernel_.add_block();
  frames_.emplace_back();
  enter_function(source, environment, frame());
  location_ = location(source.def->range);
  kernel_def_ = &def;
  bind_parameters(def, arguments);
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
  return std::move(kernel_);
}

ir::Kernel lower(const FunctionSource& source, Environment& environment, std::span<const Argument> arguments, const Options& options,
                 std::vector<std::string>* warnings, TemplateReads* reads) {
  Lowering lowering(options, warnings);
  ir::Kernel kernel = lowering.lower(source, environment, arguments);
  if (reads) *reads = std::move(lowering.reads());
  return kernel;
}

}  // namespace qd::frontend
