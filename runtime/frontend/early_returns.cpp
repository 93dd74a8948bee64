// Results of funcs, and functions that return from anywhere: their body is a loop that runs once, which a return leaves.
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
  result.tuple = list != nullptr;
  KernelScope scope(*this);
  auto value = evaluate_annotation(list ? *list : *annotation, scope, options_);
  if (!value) return std::nullopt;
  auto* tuple = std::get_if<Tuple>(&*value);
  result.tuple |= tuple != nullptr;
  for (const Value& part : tuple ? tuple->items : std::vector<Value>{*value}) {
    auto type = dtype_of(part, options_);
    if (!type) return std::nullopt;
    result.types.push_back(*type);
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
      return error(ErrorKind::Type, range, fmt::format("{} is returned, {} values are annotated", describe_item(result), wanted->types.size()));
    }
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    auto* known = std::get_if<Value>(&parts[i]);
    auto own = number_type(parts[i], range);
    if (!own) return Poison{};
    if (known && *own == wanted->types[i]) continue;  // still a constant
    auto id = coerce_stored(parts[i], wanted->types[i], range);
    parts[i] = id ? Item(Number{*id, wanted->types[i]}) : Item(Poison{});
  }
  if (!wanted->tuple) return parts[0];
  return Items{std::move(parts)};
}

Item Lowering::early_returning_body(const FunctionSource& source, const Range& call) {
  const syntax::FunctionDef& def = source.function();
  auto wanted = result_types(source);
  if (def.returns && !wanted && !is_none(*def.returns)) {
    return error(ErrorKind::Type, call, fmt::format("the results of the qd.real_func `{}` must be annotated as numbers, or as a tuple of numbers", def.name));
  }
  EarlyReturns early;
  if (wanted) {
    early.tuple = wanted->tuple;
    for (Type type : wanted->types) {
      InstId place = alloca_of(type);
      store(place, constant(type, Value(int64_t{0})));
      early.results.push_back({place, type, false});
    }
  }
  early.done = alloca_of(Type::U1);
  store(early.done, constant(Type::U1, Value(false)));
  frame().early = early;
  InstId once = emit(Op::Loop, Type::Void, {});
  ir::BlockId block;
  in_new_block(block, [&] {
    Flow flow = suite(without_docstring(def.body), *source.def, -frame().first_line);
    if (flow != Flow::Left) emit(Op::Break, Type::Void, {});
  });
  kernel_[once].blocks[0] = block;
  if (early.results.empty()) return Value(None{});
  if (!frame().returned) {
    return error(ErrorKind::Syntax, source.def->range, fmt::format("`{}` has a return type but does not have a return statement", def.name));
  }
  Items items;
  for (const Variable& result : early.results) items.list.push_back(Number{load(result.place), result.type});
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
  if (poisoned(value)) return Flow::Left;
  if (parts.size() != early.results.size()) {
    const bool annotated = frame().source->function().returns != nullptr;
    error(ErrorKind::Type, stmt.range,
          annotated || parts.empty() ? fmt::format("{} values are returned, {} are annotated", parts.size(), early.results.size())
                                     : std::string("a qd.real_func that returns a value needs a return annotation (-> dtype)"));
    return Flow::Left;
  }
  std::vector<InstId> results;
  for (size_t i = 0; i < parts.size(); ++i) {
    auto id = coerce_stored(parts[i], early.results[i].type, s.value->range);
    if (!id) return Flow::Left;
    results.push_back(*id);
  }
  for (size_t i = 0; i < results.size(); ++i) store(early.results[i].place, results[i]);
  bool in_loop = false;
  for (LoopContext& loop : frame().loops) {
    if (loop.unrolled) continue;
    loop.returns = in_loop = true;
  }
  if (in_loop) store(early.done, constant(Type::U1, Value(true)));
  emit(Op::Break, Type::Void, {});
  return Flow::Left;
}

void Lowering::leave_after_loop(const LoopContext& loop, bool always) {
  if (!loop.returns) return;
  if (always) {
    emit(Op::Break, Type::Void, {});
    return;
  }
  InstId branch = emit(Op::If, Type::Void, {load(frame().early->done)});
  ir::BlockId leave;
  in_new_block(leave, [&] { emit(Op::Break, Type::Void, {}); });
  kernel_[branch].blocks = {leave, kernel_.add_block()};
}

}  // namespace qd::frontend
