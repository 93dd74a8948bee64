// Calls, dispatched by the callee.
#include "runtime/frontend/expressions/calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/expressions/builtin_calls.h"
#include "runtime/frontend/expressions/constant_calls.h"
#include "runtime/frontend/expressions/containers.h"
#include "runtime/frontend/expressions/displays.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/expressions/kernel_scope.h"
#include "runtime/frontend/expressions/made_objects.h"
#include "runtime/frontend/expressions/texts.h"
#include "runtime/frontend/interface/annotation.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/functions.h"
#include "runtime/frontend/values/places.h"
#include "runtime/frontend/values/tensors.h"
#include "runtime/frontend/values/text.h"

namespace qd::frontend {

using ir::Type;
using syntax::Expr;

namespace {

Item call_dtype(Compilation& c, ir::Type type, const syntax::Call& e, const Expr& expr);
std::string counterpart(const std::string& description);
EvaluatedArguments evaluated_arguments(Compilation& c, const syntax::Call& e);
std::optional<Item> plain_call(Compilation& c, const Item& callee, const EvaluatedArguments& given,
                               const syntax::Call& e, const Expr& expr);

}  // namespace

Item lower_call(Compilation& c, const syntax::Call& e, const Expr& expr) {
  for (const syntax::Keyword& keyword : e.keywords) {
    if (keyword.arg.empty())
      return c.report.error(ErrorKind::Syntax, keyword.range,
                            "`**` is not supported in calls of kernels: name each argument");
  }
  if (const BuiltinInfo* info = builtin_of(c, *e.func)) return call_builtin(c, *info, e, expr);
  if (auto result = container_method(c, e, expr)) return *result;
  if (auto* method = std::get_if<syntax::Attribute>(&e.func->node)) {
    const BuiltinInfo* of_library = find_builtin(fmt::format("Matrix.{}", method->attr));
    if (of_library && of_library->kind != BuiltinKind::Library) of_library = nullptr;
    if (of_library || is_tensor_method(method->attr)) {
      Item object = evaluate_place(c, *method->value);
      if (is_tensor(object) && of_library) return call_library(c, *of_library, e, expr, &object);
      if (is_tensor(object)) {
        std::vector<Item> args = std::get<Items>(evaluate_display(c, e.args)).list;
        args.insert(args.begin(), loaded(c, object));
        for (const syntax::Keyword& keyword : e.keywords) args.push_back(evaluate(c, *keyword.value));
        return tensor_function(c, method->attr, args, expr.range);
      }
    }
  }
  const Expr* filling = nullptr;  // of x.fill(filling) or x.fill(val=filling)
  if (e.args.size() == 1 && e.keywords.empty()) filling = e.args[0];
  if (e.args.empty() && e.keywords.size() == 1 && e.keywords[0].arg == "val") filling = e.keywords[0].value;
  if (auto* method = std::get_if<syntax::Attribute>(&e.func->node); method && method->attr == "fill" && filling) {
    Item object = evaluate_place(c, *method->value);
    if (is_array(object)) {
      fill_array(c, object, *filling, expr.range);
      return Value(None{});
    }
    if (is_tensor(object)) {
      Item number = evaluate(c, *filling);
      if (!is_a_number(number) && !poisoned(number)) {
        return c.report.error(
            ErrorKind::Type, filling->range,
            fmt::format("`fill` takes a number, which every component becomes, not {}: assign that with `=`",
                        describe_item(c, number)));
      }
      store_item(c, target_place(c, *method->value), number, expr.range, true);
      return Value(None{});
    }
  }
  if (auto* method = std::get_if<syntax::Attribute>(&e.func->node);
      method && method->attr == "copy" && e.args.empty() && e.keywords.empty()) {
    Item object = evaluate_place(c, *method->value);
    auto* record = std::get_if<Record>(&object);
    const bool own =
        record && (record->type->index("copy") ||
                   std::ranges::any_of(record->type->methods, [](const auto& known) { return known.first == "copy"; }));
    if (is_compound(object) && !own) return loaded(c, object);
  }
  if (auto* method = std::get_if<syntax::Attribute>(&e.func->node);
      method && (method->attr == "subview" || method->attr == "get_ndarray")) {
    Item object = evaluate_place(c, *method->value);
    if (auto* view = std::get_if<View>(&object)) {
      if (method->attr == "subview") return subview(c, *view, e, expr.range);
      if (e.args.empty() && e.keywords.empty()) return view->array;
    }
  }
  if (auto result = named_tuple_method(c, e, expr)) return *std::move(result);
  Item callee = evaluate_place(c, *e.func);
  if (auto* method = std::get_if<BoundMethod>(&callee)) return call_func(c, method->func, e, expr, method->self.get());
  if (auto* value = std::get_if<Value>(&callee)) {
    if (auto* func = std::get_if<Func>(value)) return call_func(c, *func, e, expr);
    if (auto* builtin = std::get_if<Builtin>(value)) {
      if (const BuiltinInfo* info = find_builtin(builtin->name)) return call_builtin(c, *info, e, expr);
    }
    if (auto* type = std::get_if<ir::Type>(value)) return call_dtype(c, *type, e, expr);
    auto* type = std::get_if<CompoundType>(value);
    if (type && !is_of_the_host(*value)) return call_compound_type(c, *type, e, expr);
  }
  if (poisoned(callee)) {
    for (const Expr* argument : e.args) evaluate(c, *argument);  // for their errors
    return Poison{};
  }
  if (auto result = object_call(c, callee, e, expr)) return *result;
  if (auto result = named_tuple_call(c, callee, e, expr)) return *result;
  const EvaluatedArguments given = evaluated_arguments(c, e);
  std::string needs_kernel;
  if (auto result = constant_call(c, callee, given, e, expr, needs_kernel)) return *result;
  if (auto result = plain_call(c, callee, given, e, expr)) return *result;
  if (!needs_kernel.empty()) return c.report.error(ErrorKind::Compilation, expr.range, std::move(needs_kernel));
  if (auto* type = known_as<CompoundType>(callee)) return call_compound_type(c, *type, e, expr);
  if (auto* value = std::get_if<Value>(&callee)) {
    if (auto* object = std::get_if<HostObject>(value); object && object->kind == HostObject::Kind::Kernel) {
      return c.report.error(
          ErrorKind::Compilation, expr.range,
          describe_item(c, callee) +
              " is called in a kernel: kernels cannot call kernels; what both need belongs into a @qd.func");
    }
  }
  auto* value = std::get_if<Value>(&callee);
  auto* object = value ? std::get_if<HostObject>(value) : nullptr;
  const bool function = object && object->kind == HostObject::Kind::Function && !is_of_the_package(c, callee);
  return c.report.error(
      ErrorKind::Type, expr.range,
      fmt::format("{} is not a qd.func: it cannot be called in a kernel{}", describe_item(c, callee),
                  function ? " with values of the run" + counterpart(object->description) : std::string()));
}

namespace {

/// The function of the language with the name of one of another library, as the end of a message; empty if there is
/// none. `description`: "function 'sqrt'".
std::string counterpart(const std::string& description) {
  const size_t begin = description.find('\'') + 1, end = description.rfind('\'');
  if (begin == 0 || end < begin) return {};
  const std::string name = description.substr(begin, end - begin);
  for (const char* module : {"", "math."}) {
    const std::string path = module + name;
    const std::optional<Value> value = language_value(path);
    if (value && std::holds_alternative<Builtin>(*value)) return fmt::format("; qd.{} can", path);
  }
  return {};
}

EvaluatedArguments evaluated_arguments(Compilation& c, const syntax::Call& e) {
  EvaluatedArguments given;
  auto add = [&](const Expr& argument) {
    EvaluatedArgument& made = given[&argument];
    if (std::holds_alternative<syntax::Starred>(argument.node)) {
      const Expr* list[] = {&argument};
      made.value = evaluate_display(c, list);
      return;
    }
    made.place = evaluate_place(c, argument);
    const ir::Builder::Scope here(c.build, c.build.location_of(argument.range));
    made.value = loaded(c, made.place);
  };
  for (const Expr* argument : e.args) add(*argument);
  for (const syntax::Keyword& keyword : e.keywords) add(*keyword.value);
  return given;
}

/// The Python function that a callee is, or that its class calls for it (__call__).
std::optional<HostObject> python_function(Compilation& c, const Item& callee) {
  auto* object = known_as<HostObject>(callee);
  if (!object || is_of_the_package(c, callee)) return std::nullopt;
  if (object->kind == HostObject::Kind::Function) return *object;
  if (object->kind != HostObject::Kind::Other) return std::nullopt;
  auto call = c.function().environment->attribute(*object, "__call__");
  auto* function = call ? std::get_if<HostObject>(&*call) : nullptr;
  return function && function->kind == HostObject::Kind::Function ? std::optional(*function) : std::nullopt;
}

/// The func that a callee becomes that nobody has decorated; `failed` after an error.
std::optional<Func> plain_func(Compilation& c, const Item& callee, const syntax::Call& e, const Expr& expr,
                               bool& failed) {
  const auto object = python_function(c, callee);
  if (!object) return std::nullopt;
  HostResult made = c.function().environment->as_func(*object, FuncForm::Plain);
  if (!made.value) {
    failed = !made.raised.empty();
    if (failed)
      c.report.error(ErrorKind::Compilation, expr.range,
                     fmt::format("{} cannot become part of the kernel: {}", describe(*object), made.raised));
    return std::nullopt;
  }
  Func func = std::get<Func>(*std::move(made.value));
  // A method: its object as the kernel knows it, which may be that of a template.
  auto* attribute = func.self ? std::get_if<syntax::Attribute>(&e.func->node) : nullptr;
  auto owner = attribute ? KernelScope(c).quiet(*attribute->value) : std::nullopt;
  if (owner && equal(*owner, *func.self)) func.self = std::make_shared<const Value>(*std::move(owner));
  if (func.self && known_as<HostObject>(callee)->kind == HostObject::Kind::Other)
    func.self = std::make_shared<const Value>(std::get<Value>(callee));
  return func;
}

/// A call of a Python function with values of the run: it is a func, without a decorator.
std::optional<Item> plain_call(Compilation& c, const Item& callee, const EvaluatedArguments& given,
                               const syntax::Call& e, const Expr& expr) {
  bool failed = false;
  const auto func = plain_func(c, callee, e, expr, failed);
  if (failed) return Poison{};
  return func ? std::optional(call_func(c, *func, e, expr, nullptr, &given)) : std::nullopt;
}

Item call_dtype(Compilation& c, ir::Type type, const syntax::Call& e, const Expr& expr) {
  auto args = evaluate_arguments(c, e, expr, ir::name(type), 1, 1);
  if (!args) return Poison{};
  if (is_tensor((*args)[0])) return convert_tensor(c, *as_tensor(c, (*args)[0], expr.range), type);
  auto value = convert_checked(c, (*args)[0], type, e.args[0]->range);
  return value ? Item(Number{*value, type}) : Item(Poison{});
}

}  // namespace

Item call_range_like(Compilation& c, const BuiltinInfo& info, const Expr& expr) {
  if (c.static_calls > 0) {  // the result of a func under qd.static
    KernelScope scope(c);
    auto value = evaluate(expr, scope, c.options);
    return value ? Item(std::move(*value)) : Item(Poison{});
  }
  bool under_static = info.kind == BuiltinKind::Zip || info.kind == BuiltinKind::Enumerate;
  return c.report.error(ErrorKind::Syntax, expr.range,
                        fmt::format("`{}` is only supported {}", info.name,
                                    under_static ? "under qd.static" : "as what a `for` iterates over"));
}

std::optional<std::vector<Item>> evaluate_arguments(Compilation& c, const syntax::Call& e, const Expr& expr,
                                                    std::string_view name, size_t least, size_t most) {
  std::vector<Item> args;
  Item list = evaluate_display(c, e.args);
  args = std::move(std::get<Items>(list).list);
  bool failed = false;
  for (const syntax::Keyword& keyword : e.keywords) {
    Item value = evaluate(c, *keyword.value);
    if (keyword.arg == "dtype" && most > least) {
      args.push_back(std::move(value));
      continue;
    }
    c.report.error(ErrorKind::Syntax, keyword.range,
                   fmt::format("`{}` takes no keyword argument `{}`", name, keyword.arg));
    failed = true;
  }
  for (const Item& item : args) failed |= poisoned(item);
  if (failed) return std::nullopt;
  return counted_arguments(c, std::move(args), expr, name, least, most);
}

std::optional<std::vector<Item>> counted_arguments(Compilation& c, std::vector<Item> args, const Expr& expr,
                                                   std::string_view name, size_t least, size_t most) {
  if (args.size() >= least && args.size() <= most) return args;
  std::string expected = most == SIZE_MAX ? fmt::format("at least {}", least)
                         : least == most  ? fmt::format("{}", least)
                                          : fmt::format("{} to {}", least, most);
  c.report.error(ErrorKind::Type, expr.range,
                 fmt::format("`{}` takes {} argument{}, {} given", name, expected,
                             (least == most || most == SIZE_MAX) && least == 1 ? "" : "s", args.size()));
  return std::nullopt;
}

void loop_config(Compilation& c, const syntax::Call& e, const Expr& expr) {
  if (!e.args.empty()) c.report.error(ErrorKind::Syntax, expr.range, "`loop_config` takes keyword arguments only");
  ir::LoopInfo info;
  for (const syntax::Keyword& keyword : e.keywords) {
    Item item = static_value(c, *keyword.value);
    if (poisoned(item)) continue;
    const Value& value = std::get<Value>(item);
    auto integer = as_integer(value);
    if (keyword.arg == "serialize") {
      info.parallel = !truth(value);
      if (!info.parallel && c.regions.innermost() == Region::StreamBlock && c.build.at_top_level()) {
        c.report.error(ErrorKind::Syntax, keyword.range, std::string(kNoSerialLoopInStreams));
        info.parallel = true;
      }
    } else if (keyword.arg == "name") {
      auto* text = std::get_if<std::string>(&value);
      if (text) info.name = *text;
      if (!text && !std::holds_alternative<None>(value)) {
        c.report.error(ErrorKind::Type, keyword.range, "the name of a loop is a string");
      }
    } else if (keyword.arg == "block_dim" || keyword.arg == "parallelize") {
      if (std::holds_alternative<None>(value)) continue;
      if (!integer || *integer < 1 || *integer > 1 << 20) {
        c.report.error(ErrorKind::Type, keyword.range, fmt::format("`{}` is a positive integer", keyword.arg));
      } else if (keyword.arg == "block_dim") {
        info.block_dim = static_cast<int32_t>(*integer);
      } else if (*integer == 1) {
        info.parallel = false;
      }
    } else if (keyword.arg == "vectorize") {
      if (std::holds_alternative<None>(value)) continue;
      info.vectorize = truth(value) ? ir::Vectorize::Yes : ir::Vectorize::No;
    } else if (keyword.arg != "block_dim_adaptive" && keyword.arg != "bit_vectorize") {
      c.report.error(ErrorKind::Syntax, keyword.range,
                     fmt::format("`loop_config` takes no keyword argument `{}`", keyword.arg));
    }
  }
  c.function().loop_info = info;
}

namespace {

/// The scope of the condition of qd.static_assert.
class AssertScope : public KernelScope {
 public:
  using KernelScope::KernelScope;

 protected:
  void unknown(const syntax::Range& range, std::string what) override {
    KernelScope::unknown(range, "Static assert with non-static condition: " + std::move(what));
  }
};

}  // namespace

void static_assert_call(Compilation& c, const syntax::Call& e, const Expr& expr) {
  if (e.args.empty() || e.args.size() > 2 || !e.keywords.empty()) {
    c.report.error(ErrorKind::Type, expr.range,
                   "`static_assert` takes a condition and a message: qd.static_assert(cond, msg)");
    return;
  }
  AssertScope scope(c);
  const auto test = evaluate(*e.args[0], scope, c.options);
  if (!test) return;
  if (known_truth(*test, e.args[0]->range, scope).value_or(true)) return;
  Text text;
  bool with_message = e.args.size() == 2 && add_expr(c, text, *e.args[1]);
  std::string message = with_message && text.values.empty() ? ": " + text.pieces[0] : "";
  c.report.error(ErrorKind::Compilation, expr.range, "static assertion failed" + message);
}

void static_print(Compilation& c, const syntax::Call& e) {
  std::string line;
  for (const Expr* argument : e.args) {
    Item item = static_value(c, *argument);
    if (!line.empty()) line += ' ';
    if (auto* value = std::get_if<Value>(&item)) line += to_text(*value);
  }
  c.function().environment->print(line);
}

std::optional<Value> callee_value(Compilation& c, const Expr& callee) {
  auto* name = std::get_if<syntax::Name>(&callee.node);
  Binding* binding = name ? c.function().find_local(name->id) : nullptr;
  if (!binding) return quiet_value(callee, *c.function().environment);
  auto* item = std::get_if<Item>(&binding->what);
  auto* known = item ? std::get_if<Value>(item) : nullptr;
  return known ? std::optional(*known) : std::nullopt;
}

const BuiltinInfo* builtin_of(Compilation& c, const Expr& callee) {
  const std::optional<Value> value = callee_value(c, callee);
  auto* builtin = value ? std::get_if<Builtin>(&*value) : nullptr;
  return builtin ? find_builtin(builtin->name) : nullptr;
}

const syntax::Call* static_call(Compilation& c, const Expr& expr) {
  auto* call = std::get_if<syntax::Call>(&expr.node);
  if (!call) return nullptr;
  const BuiltinInfo* info = builtin_of(c, *call->func);
  return info && info->kind == BuiltinKind::Static ? call : nullptr;
}

bool is_compile_time_call(Compilation& c, const Expr& expr) {
  auto* call = std::get_if<syntax::Call>(&expr.node);
  const BuiltinInfo* info = call ? builtin_of(c, *call->func) : nullptr;
  return info && (info->kind == BuiltinKind::Static || info->kind == BuiltinKind::StaticAssert ||
                  info->kind == BuiltinKind::StaticPrint);
}

}  // namespace qd::frontend
