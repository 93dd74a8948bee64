// Arguments of the funcs of the language that are written in it: their requirements, which the decorator of each says,
// and conversions. For example, `norm` of a vector of integers computes in the default float:
//
//     @func("tensor", "number", floats="first")
//     def norm(v, eps=None):
//
// The decorators do the same on arch=qd.python (runtime/python/qdcov/_library/funcs.py, which has their words).
#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/functions/library_calls.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/tensors.h"
#include "runtime/syntax/parse.h"

namespace qd::frontend {
namespace {

/// Requirements of a func.
struct Requirements {
  syntax::List<syntax::ExprPtr> kinds;  // of the first parameters: strings
  std::string_view floats;              // "first", "all" or nothing
  int64_t least = 1, most = INT32_MAX;  // rows of the first one
  bool sized = false;
};

std::string_view word(const Expr& expr) { return std::get<syntax::Constant>(expr.node).text; }

Requirements requirements_of(const syntax::FunctionDef& def) {
  Requirements found;
  for (const Expr* decorator : def.decorator_list) {
    auto* call = std::get_if<syntax::Call>(&decorator->node);
    if (!call) continue;
    found.kinds = call->args;
    for (const syntax::Keyword& keyword : call->keywords) {
      if (keyword.arg == "floats") found.floats = word(*keyword.value);
      if (keyword.arg != "rows") continue;
      const auto& rows = std::get<syntax::Tuple>(keyword.value->node).elts;
      auto number = [&](size_t i) { return *syntax::int_value(std::get<syntax::Constant>(rows[i]->node)); };
      found.least = number(0), found.most = number(1), found.sized = true;
    }
  }
  return found;
}

/// Makes the indices of a field, or of the fields of a struct, begin at 0.
Value from_first(Value value) {
  if (auto* field = std::get_if<HostField>(&value)) field->offset.clear();
  if (auto* structure = std::get_if<ConstantStruct>(&value)) {
    for (Value& member : structure->members) member = from_first(std::move(member));
  }
  return value;
}
void count_from_first(Item& item) {
  if (auto* value = std::get_if<Value>(&item)) item = from_first(std::move(*value));
  if (auto* record = std::get_if<Record>(&item)) {
    for (Item& member : record->members) count_from_first(member);
  }
}

/// Arguments of one call, checked and converted in place.
struct Arguments {
  Compilation& c;
  std::string_view name;
  const Requirements& wanted;
  std::vector<BoundArgument>& bound;
  const Range& call;

  bool given(size_t i) const { return !poisoned(item(i)) && !known_as<None>(item(i)); }
  /// The argument of a parameter; the object of a method is the first one.
  const Item& item(size_t i) const {
    return bound[i].variable ? std::get<Item>(bound[i].variable->what) : bound[i].item;
  }
  Range range(size_t i) const { return bound[i].expr && !bound[i].variable ? bound[i].expr->range : call; }
  bool fail(size_t i, std::string message) const {
    c.report.error(ErrorKind::Type, range(i), std::move(message));
    return false;
  }
  /// Binds a value that the func does not change: no variable is made of it.
  void set(size_t i, Item value) const { bound[i].variable = Binding{std::move(value), ir::BlockId::None, false}; }

  std::string sizes(std::string_view kind) const {
    const int64_t least = wanted.least, most = wanted.most;
    if (kind == "column")
      return fmt::format("a vector of {} components with this matrix", std::get<Tensor>(item(0)).shape[0]);
    if (kind == "vector")
      return wanted.sized ? fmt::format("a vector of {} or {} components", least, most) : std::string("a vector");
    if (!wanted.sized) return "a square matrix";
    if (least == 1) return fmt::format("a square matrix of at most {} rows", most);
    return least == most ? fmt::format("a {0}x{0} matrix", least)
                         : fmt::format("a square matrix of {} to {} rows", least, most);
  }

  bool check(size_t i, std::string_view kind) const {
    if (kind == "number") return !given(i) || number_type(c, item(i), range(i)).has_value();
    auto tensor = as_tensor(c, item(i), range(i));
    const bool any = kind == "tensor" || kind == "like";
    const size_t axes = tensor ? tensor->shape.size() : 0;
    bool fits = axes == 1 ? kind != "square" : axes == 2 && (any || kind == "square");
    if (fits && kind == "square") fits = tensor->shape[0] == tensor->shape[1];
    if (fits && kind == "column") fits = tensor->shape[0] == std::get<Tensor>(item(0)).shape[0];
    if (fits && i == 0) fits = tensor->shape[0] >= wanted.least && tensor->shape[0] <= wanted.most;
    if (!fits) {
      return fail(i, fmt::format("`{}` takes {}, not {}", name, any ? "a vector or a matrix" : sizes(kind),
                                 describe_item(c, item(i))));
    }
    if (kind == "like" && tensor->shape != std::get<Tensor>(item(0)).shape) {
      return fail(i,
                  fmt::format("{} and {} have different shapes", describe_item(c, item(0)), describe_item(c, *tensor)));
    }
    set(i, *std::move(tensor));
    return true;
  }

  /// Converts to floats: of the type of the first argument, or of the common type of all.
  bool convert() const {
    bool lists = false;  // they are vectors beside one
    for (size_t i = 0; i < bound.size(); ++i) lists |= is_tensor(item(i));
    std::optional<ir::Type> type;
    for (size_t i = 0; i < bound.size() && (i == 0 || wanted.floats == "all"); ++i) {
      auto tensor = lists ? as_tensor(c, item(i), range(i)) : std::nullopt;
      auto own = tensor ? tensor->type : number_type(c, item(i), range(i));
      if (!own) return false;
      if (tensor) set(i, *std::move(tensor));
      type = type ? ir::promote(*type, *own) : *own;
    }
    if (!ir::is_float(*type)) type = c.options.default_fp;
    for (size_t i = 0; i < bound.size(); ++i) {
      if (!given(i)) continue;
      auto* tensor = std::get_if<Tensor>(&item(i));
      set(i, tensor ? convert_tensor(c, *tensor, *type) : Item(Number{*coerce(c, item(i), *type, range(i)), *type}));
    }
    return true;
  }

  /// Converts the matrix and the vector to the type `dt`, which is the default float if it is not given.
  bool convert_to_dtype() const {
    BoundArgument& dt = bound.back();
    ir::Type type = c.options.default_fp;
    if (dt.expr && !known_as<None>(dt.item)) {
      auto own = dtype_argument(c, dt.item, dt.expr->range);
      if (!own) return false;
      type = *own;
    }
    if (type != ir::Type::F32 && type != ir::Type::F64)
      return fail(bound.size() - 1,
                  fmt::format("`{}` computes in qd.f32 or qd.f64, not in qd.{}", name, ir::name(type)));
    dt = {Value(type), dt.expr, {}};
    for (size_t i = 0; i + 1 < bound.size(); ++i)
      bound[i] = {convert_tensor(c, std::get<Tensor>(item(i)), type), bound[i].expr, {}};  // which the func may change
    return true;
  }
};

}  // namespace

bool prepare_library_arguments(Compilation& c, const Func& func, std::vector<BoundArgument>& bound, const Range& call) {
  if (func.source->top_level) {
    for (BoundArgument& argument : bound) count_from_first(argument.item);
  }
  const syntax::FunctionDef& def = func.source->function();
  const Requirements wanted = requirements_of(def);
  if (wanted.kinds.empty() && wanted.floats.empty()) return true;
  const Arguments arguments{c, def.name, wanted, bound, call};
  for (size_t i = 0; i < bound.size(); ++i) {
    if ((bound[i].expr || bound[i].variable) && poisoned(arguments.item(i))) return false;
  }
  for (size_t i = 0; i < wanted.kinds.size(); ++i) {
    if (!arguments.check(i, word(*wanted.kinds[i]))) return false;
  }
  if (def.args->args.back().arg == "dt") return arguments.convert_to_dtype();
  return wanted.floats.empty() || arguments.convert();
}

}  // namespace qd::frontend
