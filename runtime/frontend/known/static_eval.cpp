// Compile-time evaluation of expressions.
#include "runtime/frontend/known/static_eval.h"

#include <fmt/format.h>

#include "runtime/frontend/known/builtins.h"
#include "runtime/frontend/known/compound_types.h"
#include "runtime/frontend/known/constant_tensors.h"
#include "runtime/frontend/known/python_values.h"
#include "runtime/frontend/known/type_attributes.h"

namespace qd::frontend {
namespace {

using syntax::Expr;
using syntax::overloaded;
using syntax::Range;

class Evaluator {
 public:
  Evaluator(StaticScope& scope, const Options& options) : scope_(scope), options_(options) {}

  std::optional<Value> value(const Expr& expr) {
    if (const Value* local = local_of(expr)) return *local;
    if (locals_.empty()) {
      if (auto known = scope_.known(expr)) return known;
    }
    return std::visit(overloaded{
                          [&](const syntax::Constant& e) { return evaluate_constant(e, expr.range, scope_); },
                          [&](const syntax::Name&) { return scope_.name(expr); },
                          [&](const syntax::Attribute& e) { return attribute(e, expr); },
                          [&](const syntax::Subscript& e) { return subscript(e, expr); },
                          [&](const syntax::BinOp& e) { return binop(e, expr); },
                          [&](const syntax::UnaryOp& e) { return unaryop(e, expr); },
                          [&](const syntax::BoolOp& e) { return boolop(e); },
                          [&](const syntax::Compare& e) { return comparison(e, expr); },
                          [&](const syntax::IfExp& e) { return ternary(e); },
                          [&](const syntax::Tuple& e) { return sequence(e.elts); },
                          [&](const syntax::ListExpr& e) { return sequence(e.elts, true); },
                          [&](const syntax::Call& e) { return call(e, expr); },
                          [&](const syntax::ListComp& e) { return comprehension(e.generators, *e.elt); },
                          [&](const syntax::GeneratorExp& e) { return comprehension(e.generators, *e.elt); },
                          [&](const syntax::Dict& e) { return dict(e); },
                          [&](const syntax::DictComp& e) { return dict_comprehension(e); },
                          [&](const syntax::JoinedStr& e) { return joined(e); },
                          [&](const auto&) -> std::optional<Value> {
                            return fail(ErrorKind::Syntax, expr.range,
                                        fmt::format("{} is not supported at compile time", node_name(expr)));
                          },
                      },
                      expr.node);
  }

 private:
  std::nullopt_t fail(ErrorKind kind, const Range& range, std::string message) {
    scope_.error(kind, range, std::move(message));
    return std::nullopt;
  }

  std::optional<Value> checked(Outcome outcome, const Range& range) {
    if (!outcome.value) return fail(ErrorKind::Type, range, std::move(outcome.error));
    return std::move(outcome.value);
  }

  std::optional<Value> attribute(const syntax::Attribute& e, const Expr& expr) {
    auto object = value(*e.value);
    if (!object) return std::nullopt;
    auto result = evaluate_attribute(*object, e.attr, expr.range, scope_);
    auto* host = std::get_if<HostObject>(&*object);
    if (host && result) scope_.has_read(*host, e.attr, *result, expr.range);
    return result;
  }

  /// getattr(object, name) and getattr(object, name, default).
  std::optional<Value> named_attribute(const std::vector<Value>& arguments, const Expr& expr) {
    auto* name = arguments.size() > 1 ? std::get_if<std::string>(&arguments[1]) : nullptr;
    if (!name || arguments.size() > 3)
      return fail(ErrorKind::Type, expr.range,
                  "`getattr` takes an object, the name of an attribute as a string, and a default if there is one");
    auto* host = std::get_if<HostObject>(&arguments[0]);
    if (host && arguments.size() == 3) {
      auto found = scope_.attribute(*host, *name);
      if (!found) return arguments[2];
      scope_.has_read(*host, *name, *found, expr.range);
      return found;
    }
    auto result = evaluate_attribute(arguments[0], *name, expr.range, scope_);
    if (host && result) scope_.has_read(*host, *name, *result, expr.range);
    return result;
  }

  std::optional<Value> subscript(const syntax::Subscript& e, const Expr& expr) {
    auto object = value(*e.value);
    if (!object) return std::nullopt;
    if (auto* part = std::get_if<syntax::Slice>(&e.slice->node)) {
      auto bound = [&](syntax::ExprPtr at) { return at ? value(*at) : std::optional<Value>(None{}); };
      auto lower = bound(part->lower), upper = bound(part->upper), step = bound(part->step);
      if (!lower || !upper || !step) return std::nullopt;
      return checked(slice(*object, *lower, *upper, *step), expr.range);
    }
    auto index = value(*e.slice);
    if (!index) return std::nullopt;
    if (auto* builtin = std::get_if<Builtin>(&*object)) {
      auto* info = find_builtin(builtin->name);
      if (info && info->kind == BuiltinKind::View) return Value(Tuple{{*object, *index}});
      if (info && info->kind == BuiltinKind::ArrayAnnotation) {
        auto* parts = std::get_if<Tuple>(&*index);
        return evaluate_call(*object, parts ? parts->items : std::vector<Value>{*index}, expr.range, scope_, options_);
      }
    }
    if (auto* host = std::get_if<HostObject>(&*object)) {
      scope_.identify(*host);
      if (auto item = scope_.environment().subscript(*host, *index)) return item;
      return fail(ErrorKind::Type, expr.range,
                  fmt::format("{} cannot be indexed like this at compile time", describe(*object)));
    }
    return checked(frontend::subscript(*object, *index), expr.range);
  }

  std::optional<Value> binop(const syntax::BinOp& e, const Expr& expr) {
    auto left = value(*e.left);
    auto right = value(*e.right);
    if (!left || !right) return std::nullopt;
    return checked(binary(e.op, *left, *right), expr.range);
  }

  std::optional<Value> unaryop(const syntax::UnaryOp& e, const Expr& expr) {
    auto operand = value(*e.operand);
    if (!operand) return std::nullopt;
    return checked(unary(e.op, *operand), expr.range);
  }

  std::optional<Value> boolop(const syntax::BoolOp& e) {
    std::optional<Value> result;
    for (const Expr* part : e.values) {
      result = value(*part);
      if (!result) return std::nullopt;
      if (!has_truth(*result)) return fail(ErrorKind::Type, part->range, no_truth(*result));
      if (truth(*result) != (e.op == syntax::BoolOperator::And)) return result;
    }
    return result;
  }

  std::optional<Value> comparison(const syntax::Compare& e, const Expr& expr) {
    auto left = value(*e.left);
    for (size_t i = 0; i < e.ops.size() && left; ++i) {
      auto right = value(*e.comparators[i]);
      if (!right) return std::nullopt;
      for (const Value* side : {&*left, &*right}) {
        if (auto* host = std::get_if<HostObject>(side)) scope_.identify(*host);
      }
      auto result = checked(compare(e.ops[i], *left, *right), expr.range);
      if (!result || !truth(*result) || i + 1 == e.ops.size()) return result;
      left = std::move(right);
    }
    return std::nullopt;
  }

  std::optional<Value> ternary(const syntax::IfExp& e) {
    auto test = value(*e.test);
    if (!test) return std::nullopt;
    if (!has_truth(*test)) return fail(ErrorKind::Type, e.test->range, no_truth(*test));
    return value(truth(*test) ? *e.body : *e.orelse);
  }

  std::optional<Value> sequence(syntax::List<syntax::ExprPtr> elements, bool is_list = false) {
    Tuple tuple;
    tuple.is_list = is_list;
    for (const Expr* element : elements) {
      if (auto* starred = std::get_if<syntax::Starred>(&element->node)) {
        auto inner = value(*starred->value);
        if (!inner) return std::nullopt;
        auto* items = std::get_if<Tuple>(&*inner);
        if (!items)
          return fail(ErrorKind::Type, element->range, fmt::format("{} cannot be unpacked", describe(*inner)));
        tuple.items.insert(tuple.items.end(), items->items.begin(), items->items.end());
        continue;
      }
      auto item = value(*element);
      if (!item) return std::nullopt;
      tuple.items.push_back(std::move(*item));
    }
    return Value(std::move(tuple));
  }

  const Value* local_of(const Expr& expr) const {
    auto* name = std::get_if<syntax::Name>(&expr.node);
    for (size_t i = locals_.size(); name && i-- > 0;) {
      if (locals_[i].first == name->id) return &locals_[i].second;
    }
    return nullptr;
  }

  bool bind(const Expr& target, const Value& item) {
    if (auto* name = std::get_if<syntax::Name>(&target.node)) {
      locals_.emplace_back(name->id, item);
      return true;
    }
    auto* several = std::get_if<syntax::Tuple>(&target.node);
    auto parts = several ? iterated(item) : std::nullopt;
    if (!parts || parts->size() != several->elts.size()) {
      fail(ErrorKind::Type, target.range, fmt::format("{} cannot be unpacked like this", describe(item)));
      return false;
    }
    for (size_t i = 0; i < parts->size(); ++i) {
      if (!bind(*several->elts[i], (*parts)[i])) return false;
    }
    return true;
  }

  /// Calls `each` for every iteration of a comprehension. False after an error.
  template <class Each>
  bool iterate(syntax::List<syntax::Comprehension> generators, Each&& each) {
    if (generators.empty()) return each();
    const syntax::Comprehension& generator = generators[0];
    auto over = value(*generator.iter);
    if (!over) return false;
    auto items = iterated(*over);
    if (!items) {
      fail(ErrorKind::Type, generator.iter->range,
           fmt::format("{} cannot be iterated at compile time", describe(*over)));
      return false;
    }
    const size_t outer = locals_.size();
    bool good = true;
    for (const Value& item : *items) {
      if (++iterations_ > kMostIterations) {
        fail(ErrorKind::Compilation, generator.iter->range, "the comprehension has more than a million iterations");
        return false;
      }
      good = bind(*generator.target, item);
      bool wanted = true;
      for (const Expr* filter : generator.ifs) {
        auto test = good && wanted ? value(*filter) : std::nullopt;
        if (good && wanted && !test) good = false;
        wanted = wanted && test && truth(*test);
      }
      if (good && wanted) good = iterate(generators.subspan(1), each);
      locals_.resize(outer);
      if (!good) break;
    }
    return good;
  }

  std::optional<Value> comprehension(syntax::List<syntax::Comprehension> generators, const Expr& element) {
    Tuple tuple;
    tuple.is_list = true;
    bool good = iterate(generators, [&] {
      auto item = value(element);
      if (item) tuple.items.push_back(std::move(*item));
      return item.has_value();
    });
    return good ? std::optional<Value>(std::move(tuple)) : std::nullopt;
  }

  static void put(Dict& dict, Value key, Value item) {
    for (size_t i = 0; i < dict.keys.size(); ++i) {
      if (!equal(dict.keys[i], key)) continue;
      dict.values[i] = std::move(item);
      return;
    }
    dict.keys.push_back(std::move(key));
    dict.values.push_back(std::move(item));
  }

  std::optional<Value> dict_comprehension(const syntax::DictComp& e) {
    Dict dict;
    bool good = iterate(e.generators, [&] {
      auto key = value(*e.key);
      auto item = key ? value(*e.value) : std::nullopt;
      if (item) put(dict, std::move(*key), std::move(*item));
      return item.has_value();
    });
    return good ? std::optional<Value>(std::move(dict)) : std::nullopt;
  }

  std::optional<Value> dict(const syntax::Dict& e) {
    Dict dict;
    for (size_t i = 0; i < e.keys.size(); ++i) {
      auto key = e.keys[i] ? value(*e.keys[i]) : std::optional<Value>(None{});
      auto item = key ? value(*e.values[i]) : std::nullopt;
      if (!item) return std::nullopt;
      auto* other = e.keys[i] ? nullptr : std::get_if<Dict>(&*item);
      if (!e.keys[i] && !other)
        return fail(ErrorKind::Type, e.values[i]->range, fmt::format("{} is no dict", describe(*item)));
      for (size_t k = 0; other && k < other->keys.size(); ++k) put(dict, other->keys[k], other->values[k]);
      if (!other) put(dict, std::move(*key), std::move(*item));
    }
    return Value(std::move(dict));
  }

  std::optional<Value> joined(const syntax::JoinedStr& e) {
    std::string text;
    for (const Expr* part : e.values) {
      if (auto* constant = std::get_if<syntax::Constant>(&part->node)) {
        text += constant->text;
        continue;
      }
      auto* nested = std::get_if<syntax::JoinedStr>(&part->node);
      auto* field = std::get_if<syntax::FormattedValue>(&part->node);
      auto item = nested ? joined(*nested) : field ? value(*field->value) : std::nullopt;
      if (!item) return std::nullopt;
      if (field && field->conversion == 'r') item = Value(representation(*item));
      std::optional<Value> spec = Value(std::string());
      if (field && field->format_spec) spec = value(*field->format_spec);
      item = spec ? checked(formatted(*item, std::get<std::string>(*spec)), part->range) : std::nullopt;
      if (!item) return std::nullopt;
      text += std::get<std::string>(*item);
    }
    return Value(std::move(text));
  }

  /// object.method(...) of a string, tuple or dict; nothing when the callee is something else.
  std::optional<std::optional<Value>> method(const syntax::Call& e, const Expr& expr) {
    auto* attribute = std::get_if<syntax::Attribute>(&e.func->node);
    if (!attribute) return std::nullopt;
    const bool constant = std::holds_alternative<syntax::Constant>(attribute->value->node);
    if (auto called = e.keywords.empty() ? tensor_call(e, *attribute, expr) : std::nullopt) return called;
    if (!constant && !is_method_of_known(attribute->attr)) return std::nullopt;
    auto object = value(*attribute->value);
    if (!object) return std::optional<Value>();
    if (!is_known_container(*object)) return std::nullopt;
    auto arguments = sequence(e.args);
    if (!arguments) return std::optional<Value>();
    std::vector<Value>& list = std::get<Tuple>(*arguments).items;
    NamedValues named;
    for (const syntax::Keyword& keyword : e.keywords) {
      auto argument = value(*keyword.value);
      if (!argument) return std::optional<Value>();
      named.emplace_back(keyword.arg, std::move(*argument));
    }
    Outcome outcome = Outcome::failed("");
    if (named.empty()) outcome = call_method(*object, attribute->attr, list);
    // A text does not change; Python knows all of its methods.
    if (!outcome.value && std::holds_alternative<std::string>(*object)) {
      Outcome asked = call_host({*object, std::string(attribute->attr), std::move(list), std::move(named)}, scope_);
      if (asked.value || asked.is_impossible || outcome.error.empty()) outcome = std::move(asked);
    }
    if (!outcome.value && outcome.error.empty()) {
      outcome = Outcome::failed(fmt::format("the method `{}` of {} takes no keyword arguments at compile time",
                                            attribute->attr, describe(*object)));
    }
    return checked(std::move(outcome), expr.range);
  }

  /// vector.sum() and its like; nothing when the object is no vector or matrix.
  std::optional<std::optional<Value>> tensor_call(const syntax::Call& e, const syntax::Attribute& callee,
                                                  const Expr& expr) {
    if (callee.attr != "sum" && callee.attr != "max" && callee.attr != "min" && callee.attr != "dot" &&
        callee.attr != "norm_sqr")
      return std::nullopt;
    auto object = value(*callee.value);
    if (!object) return std::optional<Value>();
    auto* tensor = std::get_if<ConstantTensor>(&*object);
    if (!tensor) return std::nullopt;
    auto arguments = sequence(e.args);
    if (!arguments) return std::optional<Value>();
    return checked(tensor_method(*tensor, callee.attr, std::get<Tuple>(*arguments).items), expr.range);
  }

  std::optional<Value> call(const syntax::Call& e, const Expr& expr) {
    if (auto result = method(e, expr)) return *result;
    auto callee = value(*e.func);
    if (!callee) return std::nullopt;
    auto arguments = sequence(e.args);
    if (!arguments) return std::nullopt;
    std::vector<Value> list = std::get<Tuple>(*arguments).items;
    auto* builtin = std::get_if<Builtin>(&*callee);
    auto* info = builtin ? find_builtin(builtin->name) : nullptr;
    std::vector<std::pair<std::string, Value>> named;
    bool reverse = false;
    std::optional<Value> axes;
    for (const syntax::Keyword& keyword : e.keywords) {
      auto argument = value(*keyword.value);
      if (!argument) return std::nullopt;
      if ((info && info->kind == BuiltinKind::CompoundTypeMaker) || (is_of_the_host(*callee) && !keyword.arg.empty())) {
        named.emplace_back(keyword.arg, std::move(*argument));
        continue;
      }
      if (info && info->kind == BuiltinKind::NdRange && keyword.arg == "axes") {
        axes = std::move(argument);
        continue;
      }
      if (info && info->name == "sorted" && keyword.arg == "reverse") {
        reverse = truth(*argument);
        continue;
      }
      if (info && keyword.arg == "start" && list.size() == 1 &&
          (info->name == "sum" || info->kind == BuiltinKind::Enumerate)) {
        list.push_back(std::move(*argument));
        continue;
      }
      if (info && info->kind == BuiltinKind::ArrayAnnotation &&
          (keyword.arg == "dtype" || keyword.arg == "ndim" || keyword.arg == "needs_grad" ||
           keyword.arg == "boundary")) {
        size_t position = keyword.arg == "dtype" ? 0 : keyword.arg == "ndim" ? 1 : keyword.arg == "needs_grad" ? 2 : 3;
        if (list.size() <= position) list.resize(position + 1, Value(None{}));
        list[position] = std::move(*argument);
        continue;
      }
      return fail(
          ErrorKind::Syntax, keyword.range,
          fmt::format("the keyword argument `{}` is not supported here", keyword.arg.empty() ? "**" : keyword.arg));
    }
    if (info && info->kind == BuiltinKind::GetAttribute) return named_attribute(list, expr);
    if (info && info->kind == BuiltinKind::Container)
      return checked(call_container_function(info->name, list, reverse), expr.range);
    if (info && !named.empty()) return checked(compound_type(info->name.substr(6), list, named, options_), expr.range);
    return evaluate_call(*callee, list, expr.range, scope_, options_, axes ? &*axes : nullptr, std::move(named));
  }

  StaticScope& scope_;
  const Options& options_;
  static constexpr size_t kMostIterations = 1'000'000;
  size_t iterations_ = 0;
  std::vector<std::pair<std::string_view, Value>> locals_;  // of comprehensions, the innermost last
};

}  // namespace

std::optional<Value> evaluate(const Expr& expr, StaticScope& scope, const Options& options) {
  return Evaluator(scope, options).value(expr);
}

std::optional<Value> evaluate_constant(const syntax::Constant& constant, const Range& range, StaticScope& scope) {
  switch (constant.kind) {
    case syntax::ConstantKind::None: return Value(None{});
    case syntax::ConstantKind::True: return Value(true);
    case syntax::ConstantKind::False: return Value(false);
    case syntax::ConstantKind::Float: return Value(syntax::float_value(constant));
    case syntax::ConstantKind::Str: return Value(std::string(constant.text));
    case syntax::ConstantKind::Int:
      if (auto value = syntax::int_value(constant)) return Value(*value);
      return Value(*BigInteger::parse(constant.text));
    case syntax::ConstantKind::Complex:
      scope.error(ErrorKind::Type, range, "complex numbers are not supported in kernels");
      return std::nullopt;
    case syntax::ConstantKind::Bytes:
      scope.error(ErrorKind::Type, range, "bytes are not supported in kernels");
      return std::nullopt;
    case syntax::ConstantKind::Ellipsis:
      scope.error(ErrorKind::Type, range, "`...` is not supported in kernels");
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Value> evaluate_attribute(const Value& object, std::string_view name, const Range& range,
                                        StaticScope& scope) {
  std::optional<Value> result;
  if (auto* host = std::get_if<HostObject>(&object)) {
    result = scope.attribute(*host, name);
  } else if (auto* builtin = std::get_if<Builtin>(&object)) {
    result = language_value(builtin->name + "." + std::string(name));
  } else if (auto* field = std::get_if<HostField>(&object)) {
    if (auto known = type_attribute(array_facts(*field), name)) {
      result = *std::move(known);
    } else if (name == "grad" && field->grad) {
      result = Value(*field->grad);
    } else if (name == "dual" && field->dual) {
      result = Value(*field->dual);
    } else if (name == "dual") {
      scope.error(ErrorKind::Name, range,
                  fmt::format("{} has no dual: make it with needs_dual=True, or place its .dual", describe(object)));
      return std::nullopt;
    } else if (name == "grad") {
      scope.error(
          ErrorKind::Name, range,
          fmt::format("{} has no gradient: make it with needs_grad=True, or place its .grad", describe(object)));
      return std::nullopt;
    }
  } else if (auto* known = std::get_if<ConstantStruct>(&object)) {
    if (auto index = known->type->index(name)) result = known->members[*index];
  } else if (auto* tensor = std::get_if<ConstantTensor>(&object)) {
    result = name == "n" || name == "m" ? type_attribute(tensor_facts(tensor->type, tensor->shape), name)
                                        : tensor_component(*tensor, name);
  } else if (auto* type = std::get_if<CompoundType>(&object); type && !type->structure) {
    if (name == "n" || name == "m") result = type_attribute(tensor_facts(type->type, type->shape), name);
  } else if (auto* array = std::get_if<HostArray>(&object)) {
    const bool of_elements = name == "n" || name == "m";
    if (!of_elements) result = type_attribute(array_facts(array->type.type, array->type.rank, {}), name);
  }
  if (!result) {
    auto* known = std::get_if<HostObject>(&object);
    const bool not_yet = known && known->kind == HostObject::Kind::NotYet;
    scope.error(ErrorKind::Name, range,
                not_yet ? known->description + " is not supported yet"
                        : fmt::format("{} has no attribute `{}` in kernels", describe(object), name));
  }
  return result;
}

std::optional<ir::Type> dtype_of(const Value& value, const Options& options) {
  if (auto* type = std::get_if<ir::Type>(&value)) return *type;
  if (auto* builtin = std::get_if<Builtin>(&value)) {
    if (builtin->name == "int") return options.default_ip;
    if (builtin->name == "float") return options.default_fp;
    if (builtin->name == "bool") return ir::Type::U1;
  }
  return std::nullopt;
}

}  // namespace qd::frontend
