// Calls: what is called decides how.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "runtime/frontend/kernel_scope.h"
#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using syntax::Expr;
using syntax::Range;

Item Lowering::call(const syntax::Call& e, const Expr& expr) {
  for (const syntax::Keyword& keyword : e.keywords) {
    if (keyword.arg.empty())
      return error(ErrorKind::Syntax, keyword.range, "`**` is not supported in calls of kernels: name each argument");
  }
  if (const BuiltinInfo* info = builtin_of(*e.func)) return call_builtin(*info, e, expr);
  if (auto result = container_method(e, expr)) return *result;
  if (auto* method = std::get_if<syntax::Attribute>(&e.func->node); method && is_tensor_method(method->attr)) {
    Item object = eval_place(*method->value);
    if (is_tensor(object)) {
      std::vector<Item> args = std::get<Items>(display(e.args)).list;
      args.insert(args.begin(), loaded(object));
      for (const syntax::Keyword& keyword : e.keywords) args.push_back(eval(*keyword.value));
      return tensor_function(method->attr, args, expr.range);
    }
  }
  if (auto* method = std::get_if<syntax::Attribute>(&e.func->node);
      method && method->attr == "fill" && e.args.size() == 1 && e.keywords.empty()) {
    Item object = eval_place(*method->value);
    if (is_tensor(object)) {
      Item number = eval(*e.args[0]);
      if (!is_a_number(number) && !poisoned(number)) {
        return error(ErrorKind::Type, e.args[0]->range,
                     fmt::format("`fill` takes a number, which every component becomes, not {}: assign that with `=`",
                                 describe_item(number)));
      }
      store_item(target_place(*method->value), number, expr.range, true);
      return Value(None{});
    }
  }
  if (auto* method = std::get_if<syntax::Attribute>(&e.func->node);
      method && method->attr == "copy" && e.args.empty() && e.keywords.empty()) {
    Item object = eval_place(*method->value);
    auto* record = std::get_if<Record>(&object);
    const bool own =
        record && (record->type->index("copy") ||
                   std::ranges::any_of(record->type->methods, [](const auto& known) { return known.first == "copy"; }));
    if (is_compound(object) && !own) return loaded(object);
  }
  if (auto* method = std::get_if<syntax::Attribute>(&e.func->node);
      method && (method->attr == "subview" || method->attr == "get_ndarray")) {
    Item object = eval_place(*method->value);
    if (auto* view = std::get_if<View>(&object)) {
      if (method->attr == "subview") return subview(*view, e, expr.range);
      if (e.args.empty() && e.keywords.empty()) return view->array;
    }
  }
  Item callee = eval_place(*e.func);
  if (auto* method = std::get_if<BoundMethod>(&callee)) return call_func(method->func, e, expr, method->self.get());
  if (auto* value = std::get_if<Value>(&callee)) {
    if (auto* func = std::get_if<Func>(value)) return call_func(*func, e, expr);
    if (auto* type = std::get_if<ir::Type>(value)) return call_dtype(*type, e, expr);
    if (auto* type = std::get_if<CompoundType>(value)) return call_compound_type(*type, e, expr);
  }
  for (const Expr* argument : e.args) eval(*argument);  // for their errors
  if (poisoned(callee)) return Poison{};
  if (auto* value = std::get_if<Value>(&callee)) {
    if (auto* object = std::get_if<HostObject>(value); object && object->kind == HostObject::Kind::Kernel) {
      return error(ErrorKind::Compilation, expr.range,
                   describe_item(callee) +
                       " is called in a kernel: kernels cannot call kernels; what both need belongs into a @qd.func");
    }
  }
  return error(ErrorKind::Type, expr.range,
               fmt::format("{} is not a qd.func: it cannot be called in a kernel", describe_item(callee)));
}

Item Lowering::call_dtype(ir::Type type, const syntax::Call& e, const Expr& expr) {
  auto args = arguments(e, expr, ir::name(type), 1, 1);
  if (!args) return Poison{};
  if (is_tensor((*args)[0])) return convert_tensor(*as_tensor((*args)[0], expr.range), type);
  auto value = converted((*args)[0], type, e.args[0]->range);
  return value ? Item(Number{*value, type}) : Item(Poison{});
}

Item Lowering::call_range_like(const BuiltinInfo& info, const Expr& expr) {
  bool under_static = info.kind == BuiltinKind::Zip || info.kind == BuiltinKind::Enumerate;
  return error(ErrorKind::Syntax, expr.range,
               fmt::format("`{}` is only supported {}", info.name,
                           under_static ? "under qd.static" : "as what a `for` iterates over"));
}

std::optional<std::vector<Item>> Lowering::arguments(const syntax::Call& e, const Expr& expr, std::string_view name,
                                                     size_t least, size_t most) {
  std::vector<Item> args;
  Item list = display(e.args);
  args = std::move(std::get<Items>(list).list);
  bool failed = false;
  for (const syntax::Keyword& keyword : e.keywords) {
    Item value = eval(*keyword.value);
    if (keyword.arg == "dtype" && most > least) {
      args.push_back(std::move(value));
      continue;
    }
    error(ErrorKind::Syntax, keyword.range, fmt::format("`{}` takes no keyword argument `{}`", name, keyword.arg));
    failed = true;
  }
  for (const Item& item : args) failed |= poisoned(item);
  if (failed) return std::nullopt;
  if (args.size() >= least && args.size() <= most) return args;
  std::string expected = most == SIZE_MAX ? fmt::format("at least {}", least)
                         : least == most  ? fmt::format("{}", least)
                                          : fmt::format("{} to {}", least, most);
  error(ErrorKind::Type, expr.range,
        fmt::format("`{}` takes {} argument{}, {} given", name, expected, expected == "1" ? "" : "s", args.size()));
  return std::nullopt;
}

void Lowering::loop_config(const syntax::Call& e, const Expr& expr) {
  if (!e.args.empty()) error(ErrorKind::Syntax, expr.range, "`loop_config` takes keyword arguments only");
  ir::LoopInfo info;
  for (const syntax::Keyword& keyword : e.keywords) {
    Item item = static_value(*keyword.value);
    if (poisoned(item)) continue;
    const Value& value = std::get<Value>(item);
    auto integer = as_integer(value);
    if (keyword.arg == "serialize") {
      info.parallel = !truth(value);
    } else if (keyword.arg == "name") {
      auto* text = std::get_if<std::string>(&value);
      if (text) info.name = *text;
      if (!text && !std::holds_alternative<None>(value)) {
        error(ErrorKind::Type, keyword.range, "the name of a loop is a string");
      }
    } else if (keyword.arg == "block_dim" || keyword.arg == "parallelize") {
      if (std::holds_alternative<None>(value)) continue;
      if (!integer || *integer < 1 || *integer > 1 << 20) {
        error(ErrorKind::Type, keyword.range, fmt::format("`{}` is a positive integer", keyword.arg));
      } else if (keyword.arg == "block_dim") {
        info.block_dim = static_cast<int32_t>(*integer);
      } else if (*integer == 1) {
        info.parallel = false;
      }
    } else if (keyword.arg != "block_dim_adaptive" && keyword.arg != "bit_vectorize") {
      error(ErrorKind::Syntax, keyword.range, fmt::format("`loop_config` takes no keyword argument `{}`", keyword.arg));
    }
  }
  loop_info_ = info;
}

void Lowering::static_assert_call(const syntax::Call& e, const Expr& expr) {
  if (e.args.empty() || e.args.size() > 2 || !e.keywords.empty()) {
    error(ErrorKind::Type, expr.range, "`static_assert` takes a condition and a message");
    return;
  }
  Item test = static_value(*e.args[0]);
  if (poisoned(test)) return;
  if (!has_truth(std::get<Value>(test))) {
    error(ErrorKind::Type, e.args[0]->range, no_truth(std::get<Value>(test)));
    return;
  }
  if (truth(std::get<Value>(test))) return;
  Text text;
  bool with_message = e.args.size() == 2 && add_expr(text, *e.args[1]);
  std::string message = with_message && text.values.empty() ? ": " + text.pieces[0] : "";
  error(ErrorKind::Compilation, expr.range, "static assertion failed" + message);
}

void Lowering::static_print(const syntax::Call& e) {
  std::string line;
  for (const Expr* argument : e.args) {
    Item item = static_value(*argument);
    if (!line.empty()) line += ' ';
    if (auto* value = std::get_if<Value>(&item)) line += to_text(*value);
  }
  frame().environment->print(line);
}

}  // namespace qd::frontend
