// Results of funcs, and functions that return from anywhere: their body is a loop that runs once, which a return
// leaves.
#include <fmt/format.h>

#include "runtime/frontend/annotation.h"
#include "runtime/frontend/kernel_scope.h"
#include "runtime/frontend/lowering.h"

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

}  // namespace

std::optional<Lowering::ResultTypes> Lowering::result_types(const FunctionSource& source) {
  const Expr* annotation = source.function().returns;
  if (!annotation) return std::nullopt;
  ResultTypes result;
  const Expr* list = tuple_of(*annotation);
  auto value = defined_annotation("return", *frame().environment);
  result.tuple = !value && list;
  KernelScope scope(*this);
  if (!value) value = evaluate_annotation(list ? *list : *annotation, scope, options_);
  if (!value) return std::nullopt;
  auto* tuple = std::get_if<Tuple>(&*value);
  result.tuple |= tuple != nullptr;
  for (const Value& part : tuple ? tuple->items : std::vector<Value>{*value}) {
    if (!std::holds_alternative<CompoundType>(part) && !dtype_of(part, options_)) return std::nullopt;
    result.types.push_back(part);
  }
  return result;
}

Item Lowering::typed_result(const FunctionSource& source, Item result) {
  if (poisoned(result)) return result;
  auto wanted = result_types(source);
  if (!wanted) return result;
  const Range& range = source.function().returns->range;
  std::vector<Item> parts{result};
  if (wanted->tuple) {
    auto* value = std::get_if<Value>(&result);
    auto* tuple = value ? std::get_if<Tuple>(value) : nullptr;
    auto* items = std::get_if<Items>(&result);
    if (items) parts = items->list;
    if (tuple) parts.assign(tuple->items.begin(), tuple->items.end());
    if (parts.size() != wanted->types.size() || (!items && !tuple)) {
      return error(ErrorKind::Type, range,
                   fmt::format("{} is returned, {} values are annotated", describe_item(result), wanted->types.size()));
    }
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    auto type = dtype_of(wanted->types[i], options_);
    if (!type) {
      parts[i] = convert_item(parts[i], wanted->types[i], range);
      continue;
    }
    auto* known = std::get_if<Value>(&parts[i]);
    auto own = number_type(parts[i], range);
    if (!own) return Poison{};
    if (known && *own == *type) continue;  // still a constant
    auto id = coerce_stored(parts[i], *type, range);
    parts[i] = id ? Item(Number{*id, *type}) : Item(Poison{});
  }
  if (!wanted->tuple) return parts[0];
  return Items{std::move(parts)};
}

std::optional<EarlyReturns> Lowering::early_returns(const FunctionSource& source, const Range& call) {
  const syntax::FunctionDef& def = source.function();
  auto wanted = result_types(source);
  if (def.returns && !wanted && !is_none(*def.returns)) {
    error(ErrorKind::Type, call,
          fmt::format("the results of the qd.real_func `{}` must be annotated as numbers, vectors, matrices or "
                      "structs, or as a tuple of such",
                      def.name));
    return std::nullopt;
  }
  EarlyReturns early;
  if (wanted) {
    early.tuple = wanted->tuple;
    for (const Value& type : wanted->types) {
      Item zero = zero_of(type, def.returns->range);
      if (poisoned(zero)) return std::nullopt;
      early.results.push_back({new_place(zero, false), type});
    }
  }
  early.done = build_.variable(Type::U1);
  build_.store(early.done, constant(Type::U1, Value(false)));
  return early;
}

Item Lowering::early_returning_body(const FunctionSource& source, EarlyReturns early) {
  const syntax::FunctionDef& def = source.function();
  frame().early = early;
  InstId once = build_.inst(Op::Loop, Type::Void, {});
  ir::BlockId block;
  in_new_block(block, [&] {
    Flow flow = suite(without_docstring(def.body), *source.def, -frame().first_line);
    if (flow != Flow::Left) build_.inst(Op::Break, Type::Void, {});
  });
  kernel_[once].blocks[0] = block;
  if (early.results.empty()) return Value(None{});
  if (!frame().returned) {
    return error(ErrorKind::Syntax, source.def->range,
                 fmt::format("`{}` has a return type but does not have a return statement", def.name));
  }
  Items items;
  for (const EarlyReturns::Result& result : early.results) items.list.push_back(loaded(result.place));
  if (!early.tuple) return items.list[0];
  return items;
}

Flow Lowering::early_return(const Item& value, const syntax::Return& s, const syntax::Stmt& stmt) {
  frame().returned = true;
  const EarlyReturns early = *frame().early;
  std::vector<Item> parts;
  auto* known = std::get_if<Value>(&value);
  auto* tuple = known ? std::get_if<Tuple>(known) : nullptr;
  if (auto* items = std::get_if<Items>(&value)) {
    parts = items->list;
  } else if (tuple) {
    parts.assign(tuple->items.begin(), tuple->items.end());
  } else if (!known || !std::holds_alternative<None>(*known)) {
    parts = {value};
  }
  // A list for a vector or a matrix.
  if (!early.tuple && early.results.size() == 1 && std::holds_alternative<CompoundType>(early.results[0].type))
    parts = {value};
  if (poisoned(value)) return Flow::Left;
  if (parts.size() != early.results.size()) {
    const bool annotated = frame().source->function().returns != nullptr;
    error(ErrorKind::Type, stmt.range,
          annotated || parts.empty()
              ? fmt::format("{} values are returned, {} are annotated", parts.size(), early.results.size())
              : std::string("a qd.real_func that returns a value needs a return annotation (-> dtype)"));
    return Flow::Left;
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool compound = std::holds_alternative<CompoundType>(early.results[i].type);
    auto type = compound ? std::nullopt : dtype_of(early.results[i].type, options_);
    auto id = type ? coerce_stored(parts[i], *type, s.value->range) : std::nullopt;
    parts[i] = compound ? loaded(convert_item(parts[i], early.results[i].type, s.value->range))
               : id     ? Item(Number{*id, *type})
                        : Item(Poison{});
    if (poisoned(parts[i])) return Flow::Left;
  }
  for (size_t i = 0; i < parts.size(); ++i) store_item(early.results[i].place, parts[i], s.value->range, false);
  bool in_loop = false;
  for (LoopContext& loop : frame().loops) {
    if (loop.unrolled) continue;
    loop.returns = in_loop = true;
  }
  if (in_loop) build_.store(early.done, constant(Type::U1, Value(true)));
  build_.inst(Op::Break, Type::Void, {});
  return Flow::Left;
}

ir::BlockId Lowering::leave_after_loop(const LoopContext& loop) {
  if (!loop.returns) return ir::BlockId::None;
  InstId branch = build_.inst(Op::If, Type::Void, {build_.load(frame().early->done)});
  ir::BlockId leave;
  in_new_block(leave, [&] { build_.inst(Op::Break, Type::Void, {}); });
  const ir::BlockId rest = kernel_.add_block();
  kernel_[branch].blocks = {leave, rest};
  return rest;
}

}  // namespace qd::frontend
