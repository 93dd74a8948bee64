// Results of funcs, and early returns: the body of a function that returns from anywhere is a loop that runs once, and
// a return leaves it.
#include "runtime/frontend/functions/results.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/compound_types.h"
#include "runtime/frontend/constants/diagnostics.h"
#include "runtime/frontend/constants/function_bodies.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/expressions/kernel_scope.h"
#include "runtime/frontend/interface/annotation.h"
#include "runtime/frontend/statements/statements.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/places.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Expr;
using syntax::Range;

namespace {

/// The parts of an annotation that names several results: (a, b), tuple[a, b]. Null for other annotations.
const Expr* tuple_of(const Expr& annotation) {
  if (std::holds_alternative<syntax::Tuple>(annotation.node)) return &annotation;
  auto* subscript = std::get_if<syntax::Subscript>(&annotation.node);
  auto* base = subscript ? std::get_if<syntax::Name>(&subscript->value->node) : nullptr;
  return base && (base->id == "tuple" || base->id == "Tuple") ? subscript->slice : nullptr;
}

bool is_none(const Expr& annotation) {
  auto* constant = std::get_if<syntax::Constant>(&annotation.node);
  return constant && constant->kind == syntax::ConstantKind::None;
}

std::optional<ResultTypes> result_types(Compilation& c, const FunctionSource& source) {
  const Expr* annotation = source.function().returns;
  if (!annotation) return std::nullopt;
  ResultTypes result;
  const Expr* list = tuple_of(*annotation);
  auto value = defined_annotation("return", *c.function().environment);
  result.tuple = !value && list;
  KernelScope scope(c);
  if (!value) value = evaluate_annotation(list ? *list : *annotation, scope, c.options);
  if (!value) return std::nullopt;
  auto* tuple = std::get_if<Tuple>(&*value);
  result.tuple |= tuple != nullptr;
  for (const Value& part : tuple ? tuple->items : std::vector<Value>{*value}) {
    if (!std::holds_alternative<CompoundType>(part) && !dtype_of(part, c.options)) return std::nullopt;
    result.types.push_back(part);
  }
  return result;
}

/// Whether a value has the form that an annotation tells: a number, or components of a number's type, for a number's
/// type; so many components for a vector or a matrix; the members of a struct.
bool has_form(const Item& item, const Value& type) {
  auto* compound = std::get_if<CompoundType>(&type);
  auto* record = std::get_if<Record>(&item);
  auto* items = std::get_if<Items>(&item);
  auto* tuple = known_as<Tuple>(item);
  if (compound && compound->structure)
    return record && !record->is_array && same_type(*record->type, *compound->structure);
  if (is_tensor(item)) return !compound || shape_of_tensor(item) == compound->shape;
  if (items || tuple) {
    const size_t count = items ? items->list.size() : tuple->items.size();
    return compound && count == static_cast<size_t>(compound->shape[0]);
  }
  return !record && (!compound || !is_a_number(item));
}

}  // namespace

Item typed_result(Compilation& c, const FunctionSource& source, std::optional<Item> returned) {
  if (returned && poisoned(*returned)) return *std::move(returned);
  auto wanted = result_types(c, source);
  if (!returned && wanted)
    return c.report.error(ErrorKind::Syntax, source.function().returns->range,
                          "Function has a return type but does not have a return statement");
  Item result = returned ? *std::move(returned) : Item(Value(None{}));
  if (!wanted) return result;
  const Range& range = source.function().returns->range;
  std::vector<Item> parts{result};
  if (wanted->tuple) {
    auto* tuple = known_as<Tuple>(result);
    auto* items = std::get_if<Items>(&result);
    if (items) parts = items->list;
    if (tuple) parts.assign(tuple->items.begin(), tuple->items.end());
    if (parts.size() != wanted->types.size() || (!items && !tuple)) {
      return c.report.error(ErrorKind::Type, range,
                            fmt::format("{} is returned, {} annotated", describe_item(c, result),
                                        counted_are(wanted->types.size(), "value")));
    }
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!has_form(parts[i], wanted->types[i])) {
      c.report.warn(range, fmt::format("{} is returned, {} is annotated", describe_item(c, parts[i]),
                                       describe(wanted->types[i])));
      continue;
    }
    auto type = dtype_of(wanted->types[i], c.options);
    if (!type) {
      parts[i] = convert_item(c, parts[i], wanted->types[i], range);
      continue;
    }
    if (is_tensor(parts[i])) {  // the type of its components
      parts[i] = convert_tensor(c, *as_tensor(c, parts[i], range), *type);
      continue;
    }
    auto* known = std::get_if<Value>(&parts[i]);
    auto own = number_type(c, parts[i], range);
    if (!own) return Poison{};
    if (known && *own == *type) continue;  // still a constant
    auto id = coerce_stored(c, parts[i], *type, range);
    parts[i] = id ? Item(Number{*id, *type}) : Item(Poison{});
  }
  if (!wanted->tuple) return parts[0];
  return Items{std::move(parts)};
}

std::optional<EarlyReturns> early_return_places(Compilation& c, const FunctionSource& source, const Range& call) {
  const syntax::FunctionDef& def = source.function();
  auto wanted = result_types(c, source);
  if (def.returns && !wanted && !is_none(*def.returns)) {
    c.report.error(
        ErrorKind::Type, call,
        fmt::format("the results of the qd.real_func `{}` must be annotated as numbers, vectors, matrices or "
                    "structs, or as a tuple of such",
                    def.name));
    return std::nullopt;
  }
  EarlyReturns early;
  if (wanted) {
    early.tuple = wanted->tuple;
    for (const Value& type : wanted->types) {
      Item zero = zero_of(c, type, def.returns->range);
      if (poisoned(zero)) return std::nullopt;
      early.results.push_back({new_place(c, zero, false), type});
    }
  }
  early.done = c.build.variable(Type::U1);
  c.build.store(early.done, c.build.constant(Type::U1, Value(false)));
  return early;
}

Item early_returning_body(Compilation& c, const FunctionSource& source, EarlyReturns early) {
  const syntax::FunctionDef& def = source.function();
  c.function().early = early;
  InstId once = c.build.inst(Op::Loop, Type::Void, {});
  ir::BlockId block;
  c.build.in_new_block(block, [&] {
    Flow flow = lower_suite(c, without_docstring(def.body), *source.def, -c.function().first_line);
    if (flow != Flow::Left) c.build.inst(Op::Break, Type::Void, {});
  });
  c.kernel[once].blocks[0] = block;
  if (early.results.empty()) return Value(None{});
  if (!c.function().returned) {
    return c.report.error(ErrorKind::Syntax, source.def->range,
                          "Function has a return type but does not have a return statement");
  }
  Items items;
  for (const EarlyReturns::Result& result : early.results) items.list.push_back(loaded(c, result.place));
  if (!early.tuple) return items.list[0];
  return items;
}

}  // namespace qd::frontend
