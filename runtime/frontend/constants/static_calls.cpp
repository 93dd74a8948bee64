// Calls at compile time: Python's builtins, math, dtypes, annotations, and calls that only the host can make.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/constants/compound_types.h"
#include "runtime/frontend/constants/number_arithmetic.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/constants/static_ranges.h"

namespace qd::frontend {
namespace {

std::optional<double> float_of(ir::UnaryOp op, double x) {
  switch (op) {
#define QD_FUNCTION(name, function, derivative) \
  case ir::UnaryOp::name: return std::function(x);
#include "runtime/ir/operators.def"
    case ir::UnaryOp::Sqrt: return std::sqrt(x);
    case ir::UnaryOp::Rsqrt: return 1 / std::sqrt(x);
    case ir::UnaryOp::Abs: return std::fabs(x);
    default: return std::nullopt;
  }
}

Outcome integer_of(const Value& v) {
  if (auto* text = std::get_if<std::string>(&v)) return integer_of_text(*text);
  if (auto i = as_integer(v)) return Value(*i);
  if (std::holds_alternative<BigInteger>(v)) return v;
  if (!is_number(v)) return Outcome::failed(fmt::format("int() does not work on {}", describe(v)));
  if (!std::isfinite(as_double(v))) return Outcome::failed(fmt::format("{} is no integer", to_text(v)));
  return whole_number(BigInteger::of_double(as_double(v)));
}

Outcome rounding(ir::UnaryOp op, const Value& v) {
  if (as_big_integer(v)) return integer_of(v);
  double d = as_double(v);
  if (op == ir::UnaryOp::Floor) return integer_of(Value(std::floor(d)));
  if (op == ir::UnaryOp::Ceil) return integer_of(Value(std::ceil(d)));
  return integer_of(Value(std::nearbyint(d)));
}

Outcome zip(const std::vector<Value>& args) {
  size_t shortest = SIZE_MAX;
  std::vector<std::vector<Value>> columns;
  for (const Value& v : args) {
    auto items = iterated(v);
    if (!items) return Outcome::failed(fmt::format("zip() cannot iterate {}", describe(v)));
    shortest = std::min(shortest, items->size());
    columns.push_back(std::move(*items));
  }
  Tuple rows;
  for (size_t i = 0; !args.empty() && i < shortest; ++i) {
    Tuple row;
    for (const auto& column : columns) row.items.push_back(column[i]);
    rows.items.emplace_back(std::move(row));
  }
  return Value(std::move(rows));
}

Outcome enumerate(const std::vector<Value>& args) {
  auto items = args.empty() ? std::nullopt : iterated(args[0]);
  if (!items || args.size() > 2) return Outcome::failed("enumerate() takes a list or tuple and a start");
  int64_t number = args.size() == 2 ? as_integer(args[1]).value_or(0) : 0;
  Tuple rows;
  for (const Value& item : *items) rows.items.emplace_back(Tuple{{Value(number++), item}});
  return Value(std::move(rows));
}

Outcome fold(ir::BinaryOp op, std::vector<Value> args) {
  if (args.size() == 1) {
    if (auto items = iterated(args[0])) args = std::move(*items);
  }
  if (args.empty()) return Outcome::failed("min() and max() need arguments");
  Value best = args[0];
  for (const Value& v : args) {
    Outcome better = compare(op == ir::BinaryOp::Min ? syntax::CmpOperator::Lt : syntax::CmpOperator::Gt, v, best);
    if (!better.value) return better;
    if (truth(*better.value)) best = v;
  }
  return best;
}

Outcome array_type(const std::vector<Value>& args) {
  std::optional<ir::Type> type;
  std::optional<int32_t> rank;
  std::optional<CompoundType> element;
  if (args.size() > 4) return Outcome::failed("the annotation of an array takes a dtype and a number of dimensions");
  if (!args.empty() && !std::holds_alternative<None>(args[0])) {
    auto* compound = std::get_if<CompoundType>(&args[0]);
    auto* dtype = std::get_if<ir::Type>(&args[0]);
    if (compound) element = *compound;
    if (!dtype && !compound)
      return Outcome::failed(fmt::format("the dtype of an array cannot be {}", describe(args[0])));
    if (dtype) type = *dtype;
  }
  if (args.size() > 1 && !std::holds_alternative<None>(args[1])) {
    auto ndim = as_integer(args[1]);
    if (!ndim || *ndim < 0 || *ndim > 12)
      return Outcome::failed("the number of dimensions of an array is an integer from 0 to 12");
    rank = static_cast<int32_t>(*ndim);
  }
  Tuple annotation = std::get<Tuple>(array_annotation(type, rank));
  if (element) annotation.items[1] = *element;
  if (args.size() > 2) annotation.items.push_back(args[2]);
  if (args.size() == 4) {
    auto* boundary = std::get_if<std::string>(&args[3]);
    if (!boundary || (*boundary != "unsafe" && *boundary != "clamp"))
      return Outcome::failed("the boundary of an array is \"unsafe\" or \"clamp\"");
    annotation.items.push_back(args[3]);
  }
  return Value(std::move(annotation));
}

Value group_size(const BuiltinInfo& info, const Options& options) {
  const bool log2 = info.name == "simt.subgroup.log2_group_size";
  return Value(int64_t{log2 ? std::countr_zero(static_cast<unsigned>(options.subgroup_size)) : options.subgroup_size});
}

// Calls a builtin on evaluated arguments; `axes` is the keyword argument of ndrange. Kinds that need a kernel around
// them fail.
Outcome call_constant_builtin(const BuiltinInfo& info, const std::vector<Value>& args, const Value* axes,
                              const Options& options) {
  bool numbers = !args.empty() && std::ranges::all_of(args, is_number);
  switch (info.kind) {
    case BuiltinKind::Static:
      if (args.size() == 1) return args[0];
      return Value(Tuple{args});
    case BuiltinKind::GroupSize:
      if (args.empty()) return group_size(info, options);
      break;
    case BuiltinKind::Range: return static_range(args);
    case BuiltinKind::NdRange: return static_ndrange(args, axes);
    case BuiltinKind::Grouped:
      if (args.size() == 1) return static_grouped(args[0]);
      break;
    case BuiltinKind::Zip: return zip(args);
    case BuiltinKind::Enumerate: return enumerate(args);
    case BuiltinKind::Fold: return fold(static_cast<ir::BinaryOp>(info.operation), args);
    case BuiltinKind::ArrayAnnotation: return array_type(args);
    case BuiltinKind::Template: return Value(Builtin{"template"});
    case BuiltinKind::CompoundTypeMaker: return compound_type(info.name.substr(6), args, {}, options);
    case BuiltinKind::Len:
      if (args.size() == 1) {
        if (auto known = length(args[0])) return Value(*known);
        if (auto* field = std::get_if<HostField>(&args[0]); field && !field->shape.empty())
          return Value(int64_t{field->shape[0]});
      }
      return Outcome::failed("len() needs a tuple, list or string");
    case BuiltinKind::BoolType:
      if (args.size() == 1) return Value(truth(args[0]));
      break;
    case BuiltinKind::IntType:
      if (args.size() == 1) return integer_of(args[0]);
      break;
    case BuiltinKind::FloatType:
      if (auto* text = args.size() == 1 ? std::get_if<std::string>(&args[0]) : nullptr) return float_of_text(*text);
      if (args.size() == 1 && numbers) return Value(as_double(args[0]));
      break;
    case BuiltinKind::Cast:
      if (args.size() == 2 && is_number(args[0])) {
        if (auto type = dtype_of(args[1], options)) return convert(args[0], *type);
      }
      break;
    case BuiltinKind::NumberFunction:
      if (args.size() == 1 && numbers) {
        if (as_big_integer(args[0])) {
          const std::partial_ordering order = compare_numbers(args[0], Value(int64_t{0}));
          if (static_cast<ir::UnaryOp>(info.operation) != ir::UnaryOp::Abs)
            return Value(int64_t{order > 0} - int64_t{order < 0});
          return unary(order < 0 ? syntax::UnaryOperator::USub : syntax::UnaryOperator::UAdd, args[0]);
        }
        double d = as_double(args[0]);
        return Value(static_cast<ir::UnaryOp>(info.operation) == ir::UnaryOp::Abs ? std::fabs(d)
                                                                                  : double((d > 0) - (d < 0)));
      }
      break;
    case BuiltinKind::Rounding:
      if (args.size() == 1 && numbers) return rounding(static_cast<ir::UnaryOp>(info.operation), args[0]);
      break;
    case BuiltinKind::FloatFunction:
      if (args.size() == 1 && numbers) {
        if (auto r = float_of(static_cast<ir::UnaryOp>(info.operation), as_double(args[0]))) return Value(*r);
      }
      break;
    case BuiltinKind::BinaryFunction:
      if (args.size() == 2 && numbers && static_cast<ir::BinaryOp>(info.operation) == ir::BinaryOp::Pow) {
        return binary(syntax::Operator::Pow, args[0], args[1]);
      }
      break;
    case BuiltinKind::FloatBinary:
      if (args.size() == 2 && numbers) return Value(std::atan2(as_double(args[0]), as_double(args[1])));
      break;
    default: break;
  }
  return Outcome::failed(fmt::format("`{}` cannot be called like this at compile time", info.name));
}

}  // namespace

bool takes_iterables(const BuiltinInfo& info) {
  using enum BuiltinKind;
  return info.kind == Container || info.kind == Fold || info.kind == Zip || info.kind == Enumerate;
}

std::optional<Value> listed_by_host(const HostObject& object, Environment& environment) {
  using Kind = HostObject::Kind;
  const bool may_be = object.kind == Kind::Other || object.kind == Kind::Array || object.kind == Kind::Enumeration;
  if (!may_be) return std::nullopt;
  auto items = environment.call({Builtin{"list"}, {}, {Value(object)}, {}}).value;
  return items && std::holds_alternative<Tuple>(*items) ? items : std::nullopt;
}

Value slice_of(Value lower, Value upper, Value step) {
  return Tuple{{Value(Builtin{"slice"}), std::move(lower), std::move(upper), std::move(step)}};
}

bool is_of_the_host(const Value& callee) {
  if (auto* type = std::get_if<CompoundType>(&callee)) return type->structure && type->structure->dataclass;
  if (auto* func = std::get_if<Func>(&callee)) return !func->self;  // a qd.pyfunc; the others say that they cannot be
  auto* object = std::get_if<HostObject>(&callee);
  return object && object->kind != HostObject::Kind::Kernel && object->kind != HostObject::Kind::NotYet;
}

bool is_python_math(const Value& callee) {
  auto* builtin = std::get_if<Builtin>(&callee);
  auto* info = builtin && builtin->name.starts_with("math.") ? find_builtin(builtin->name) : nullptr;
  return info && !info->name.starts_with("math.");
}

std::optional<HostCall> exact_call(const BuiltinInfo& info, const std::vector<Value>& arguments) {
  const bool rounds = info.name == "round" && arguments.size() == 2;
  if ((!rounds && !(info.name == "pow" && arguments.size() == 3)) || !std::ranges::all_of(arguments, is_number))
    return std::nullopt;
  return HostCall{arguments[0], rounds ? "__round__" : "__pow__", {arguments.begin() + 1, arguments.end()}, {}};
}

Outcome call_host(const HostCall& call, StaticScope& scope) {
  auto identify = [&](const Value& value) {
    if (auto* object = std::get_if<HostObject>(&value)) scope.identify(*object);
  };
  identify(call.callee);
  for (const Value& argument : call.arguments) identify(argument);
  for (const auto& [name, argument] : call.named) identify(argument);
  HostResult result = scope.environment().call(call);
  if (result.value) return std::move(*result.value);
  const std::string callee = call.method.empty() ? describe(call.callee) : fmt::format("`{}`", call.method);
  if (result.raised.empty()) return Outcome::failed(fmt::format("{} cannot be called at compile time", callee));
  Outcome outcome = Outcome::impossible(fmt::format("{} raises {}", callee, result.raised));
  outcome.is_code = result.is_code;
  return outcome;
}

namespace {

/// Whether operators on a value are those of a class of the host.
bool has_operators(const Value& value) {
  if (auto* tuple = std::get_if<Tuple>(&value)) return std::ranges::any_of(tuple->items, has_operators);
  if (auto* dict = std::get_if<Dict>(&value)) return std::ranges::any_of(dict->values, has_operators);
  auto* object = std::get_if<HostObject>(&value);
  return object && (object->kind == HostObject::Kind::Other || object->kind == HostObject::Kind::Array ||
                    object->kind == HostObject::Kind::EnumerationMember);
}

}  // namespace

std::optional<Outcome> operator_of_host(std::string_view name, const std::vector<Value>& operands, StaticScope& scope) {
  if (std::ranges::none_of(operands, has_operators)) return std::nullopt;
  Outcome outcome = call_host({Builtin{fmt::format("operator.{}", name)}, {}, operands, {}}, scope);
  return outcome.value || outcome.is_impossible ? std::optional(std::move(outcome)) : std::nullopt;
}

std::optional<Outcome> compare_on_host(syntax::CmpOperator op, const Value& a, const Value& b, StaticScope& scope) {
  using syntax::CmpOperator;
  auto is_member = [](const Value& value) {
    auto* object = std::get_if<HostObject>(&value);
    return object && object->kind == HostObject::Kind::EnumerationMember;
  };
  switch (op) {
    case CmpOperator::Eq: return is_member(a) && is_member(b) ? std::nullopt : operator_of_host("eq", {a, b}, scope);
    case CmpOperator::NotEq: return is_member(a) && is_member(b) ? std::nullopt : operator_of_host("ne", {a, b}, scope);
    case CmpOperator::Lt: return operator_of_host("lt", {a, b}, scope);
    case CmpOperator::LtE: return operator_of_host("le", {a, b}, scope);
    case CmpOperator::Gt: return operator_of_host("gt", {a, b}, scope);
    case CmpOperator::GtE: return operator_of_host("ge", {a, b}, scope);
    case CmpOperator::In:
    case CmpOperator::NotIn: {
      auto outcome = operator_of_host("contains", {b, a}, scope);
      if (outcome && outcome->value && op == CmpOperator::NotIn) outcome = Value(!truth(*outcome->value));
      return outcome;
    }
    case CmpOperator::Is:
    case CmpOperator::IsNot: break;
  }
  return std::nullopt;
}

std::optional<bool> known_truth(const Value& value, const syntax::Range& range, StaticScope& scope) {
  if (!has_truth(value)) {
    scope.error(ErrorKind::Type, range, no_truth(value));
    return std::nullopt;
  }
  auto* object = std::get_if<HostObject>(&value);
  if (!object || !has_operators(value)) return truth(value);
  // Not by the scope, which would ask for the methods again at each launch: they are other objects then.
  Environment& environment = scope.environment();
  if (!environment.attribute(*object, "__bool__") && !environment.attribute(*object, "__len__")) return true;
  Outcome outcome = call_host({Builtin{"bool"}, {}, {value}, {}}, scope);
  if (outcome.value) return truth(*outcome.value);
  if (!outcome.is_impossible) return true;
  scope.error(ErrorKind::Compilation, range, std::move(outcome.error));
  return std::nullopt;
}

std::optional<Value> evaluate_call(const Value& callee, const std::vector<Value>& arguments, const syntax::Range& range,
                                   StaticScope& scope, const Options& options, const Value* axes, NamedValues named) {
  Outcome outcome = Outcome::failed(fmt::format("{} cannot be called at compile time", describe(callee)));
  auto* builtin = std::get_if<Builtin>(&callee);
  auto* function = arguments.size() == 1 ? std::get_if<HostObject>(&arguments[0]) : nullptr;
  if (builtin && function && (builtin->name == "func" || builtin->name == "pyfunc" || builtin->name == "real_func")) {
    HostResult func =
        scope.environment().as_func(*function, builtin->name == "real_func" ? FuncForm::Real : FuncForm::Func);
    if (func.value) outcome = *std::move(func.value);
    if (!func.raised.empty()) outcome = Outcome::impossible(std::move(func.raised));
  } else if (builtin) {
    auto* info = find_builtin(builtin->name);
    if (is_python_math(callee)) outcome = call_host({callee, {}, arguments, {}}, scope);
    if (auto exact = info ? exact_call(*info, arguments) : std::nullopt) outcome = call_host(*exact, scope);
    if (info && !outcome.value && !outcome.is_impossible)
      outcome = call_constant_builtin(*info, arguments, axes, options);
    if (info && info->kind == BuiltinKind::Len && arguments.size() == 1 &&
        std::holds_alternative<HostObject>(arguments[0]))
      outcome = call_host({callee, {}, arguments, {}}, scope);
    if (info && info->kind == BuiltinKind::BoolType && arguments.size() == 1) {
      const auto known = known_truth(arguments[0], range, scope);
      if (!known) return std::nullopt;
      outcome = Value(*known);
    }
    const bool of_text = !arguments.empty() && std::holds_alternative<std::string>(arguments[0]);
    if (info && info->kind == BuiltinKind::IntType && of_text && arguments.size() == 2)
      outcome = call_host({callee, {}, arguments, {}}, scope);
  } else if (auto* type = std::get_if<ir::Type>(&callee)) {
    if (arguments.size() == 1 && is_number(arguments[0])) outcome = convert(arguments[0], *type);
  } else if (is_of_the_host(callee)) {
    outcome = call_host({callee, {}, arguments, std::move(named)}, scope);
  }
  if (!outcome.value) {
    scope.error(outcome.is_impossible ? ErrorKind::Compilation : ErrorKind::Type, range, std::move(outcome.error));
  }
  return std::move(outcome.value);
}

}  // namespace qd::frontend
