// Jumps: break, continue and return.
#include "runtime/frontend/statements/statements.h"

#include <fmt/format.h>

#include <array>
#include <string>

#include "runtime/frontend/constants/diagnostics.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/places.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Range;
using syntax::Stmt;

namespace {

std::string returned_and_annotated(size_t returned, size_t annotated) {
  return fmt::format("{} returned, {} {} annotated", counted_are(returned, "value"), annotated,
                     annotated == 1 ? "is" : "are");
}

// The parts of an item for a result that is a tuple or struct.
std::optional<std::vector<Item>> parts_of(const Item& item) {
  if (auto* items = std::get_if<Items>(&item)) return items->list;
  if (auto* record = std::get_if<Record>(&item)) return record->members;
  auto* tuple = known_as<Tuple>(item);
  if (!tuple) return std::nullopt;
  return std::vector<Item>(tuple->items.begin(), tuple->items.end());
}

Flow early_return(Compilation& c, const Item& value, const syntax::Return& s, const syntax::Stmt& stmt) {
  c.function().returned = true;
  const EarlyReturns early = *c.function().early;
  std::vector<Item> parts;
  auto* known = std::get_if<Value>(&value);
  auto* tuple = known_as<Tuple>(value);
  if (auto* items = std::get_if<Items>(&value)) {
    parts = items->list;
  } else if (tuple) {
    parts.assign(tuple->items.begin(), tuple->items.end());
  } else if (!known || !std::holds_alternative<None>(*known)) {
    parts = {value};
  }
  // A list is one part for a vector or a matrix.
  if (!early.tuple && early.results.size() == 1 && std::holds_alternative<CompoundType>(early.results[0].type))
    parts = {value};
  if (poisoned(value)) return Flow::Left;
  if (parts.size() != early.results.size()) {
    const bool annotated = c.function().source->function().returns != nullptr;
    c.report.error(ErrorKind::Type, stmt.range,
                   annotated || parts.empty()
                       ? returned_and_annotated(parts.size(), early.results.size())
                       : std::string("a qd.real_func with a return value must be annotated (-> dtype)"));
    return Flow::Left;
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool compound = std::holds_alternative<CompoundType>(early.results[i].type);
    auto type = compound ? std::nullopt : dtype_of(early.results[i].type, c.options);
    auto id = type ? coerce_stored(c, parts[i], *type, s.value->range) : std::nullopt;
    parts[i] = compound ? loaded(c, convert_item(c, parts[i], early.results[i].type, s.value->range))
               : id     ? Item(Number{*id, *type})
                        : Item(Poison{});
    if (poisoned(parts[i])) return Flow::Left;
  }
  for (size_t i = 0; i < parts.size(); ++i) store_item(c, early.results[i].place, parts[i], s.value->range, false);
  bool in_loop = false;
  for (LoopContext& loop : c.function().loops) {
    if (loop.unrolled) continue;
    loop.returns = in_loop = true;
  }
  if (in_loop) c.build.store(early.done, c.build.constant(Type::U1, Value(true)));
  c.build.inst(Op::Break, Type::Void, {});
  return Flow::Left;
}

}  // namespace

ir::BlockId leave_after_loop(Compilation& c, const LoopContext& loop) {
  if (!loop.returns) return ir::BlockId::None;
  InstId branch = c.build.inst(Op::If, Type::Void, {c.build.load(c.function().early->done)});
  ir::BlockId leave;
  c.build.in_new_block(leave, [&] { c.build.inst(Op::Break, Type::Void, {}); });
  const ir::BlockId rest = c.kernel.add_block();
  c.kernel[branch].blocks = {leave, rest};
  return rest;
}

namespace {

bool result_numbers(Compilation& c, const ResultTree& tree, const Item& item, const syntax::Range& range,
                    std::vector<InstId>& numbers) {
  if (poisoned(item)) return false;
  if (tree.tuple || tree.structure) {
    auto parts = parts_of(item);
    auto* record = std::get_if<Record>(&item);
    if (!parts || (tree.structure && record && !same_type(*tree.structure, *record->type))) {
      c.report.error(ErrorKind::Type, range,
                     fmt::format("{} is returned, {} is annotated", describe_item(c, item),
                                 tree.structure ? fmt::format("struct `{}`", tree.structure->name) : "a tuple"));
      return false;
    }
    if (parts->size() != tree.parts.size()) {
      c.report.error(ErrorKind::Type, range, returned_and_annotated(parts->size(), tree.parts.size()));
      return false;
    }
    bool good = true;
    for (size_t i = 0; i < parts->size(); ++i) good &= result_numbers(c, tree.parts[i], (*parts)[i], range, numbers);
    return good;
  }
  const Type type = c.kernel.results[tree.first];
  if (tree.shape.empty()) {
    auto id = coerce_stored(c, item, type, range);
    if (id) numbers.push_back(*id);
    return id.has_value();
  }
  auto tensor = as_tensor(c, item, range);
  if (!tensor || tensor->shape != tree.shape) {
    c.report.error(ErrorKind::Type, range,
                   fmt::format("{} is returned, {} is annotated", describe_item(c, item),
                               describe(CompoundType{type, tree.shape, nullptr})));
    return false;
  }
  for (size_t i = 0; i < tensor->numbers.size(); ++i) {
    auto id = coerce_stored(c, component_item(*tensor, i), type, range);
    if (!id) return false;
    numbers.push_back(*id);
  }
  return true;
}

// Stores the results of a `return` of the kernel itself.
void lower_results(Compilation& c, const syntax::Return& s, const Stmt& stmt) {
  if (c.functions.size() > 1) return;
  const Item& result = c.function().result;
  if (poisoned(result)) return;
  const bool nothing = !s.value || known_as<None>(result);
  if (!c.result) {
    if (!nothing)
      c.report.error(ErrorKind::Syntax, stmt.range,
                     c.options.graph ? "a kernel with graph=True returns nothing: write what it finds into an ndarray"
                                     : "a kernel with a return value must be annotated (-> dtype)");
    return;
  }
  if (nothing) {
    c.report.error(ErrorKind::Type, stmt.range,
                   returned_and_annotated(0, c.result->tuple ? c.result->parts.size() : 1));
    return;
  }
  std::vector<InstId> numbers;
  const ResultTree& tree = *c.result;
  const auto parts = tree.tuple ? std::nullopt : parts_of(result);
  if (parts && !tree.structure && tree.shape.empty()) {
    c.report.error(ErrorKind::Type, stmt.range,
                   parts->size() == 1
                       ? "a tuple of one value is returned, a number is annotated: return its element, [0]"
                       : returned_and_annotated(parts->size(), 1));
    return;
  }
  if (result_numbers(c, tree, result, s.value->range, numbers) && !numbers.empty())
    c.build.inst(Op::Return, Type::Void, numbers);
}

}  // namespace

namespace {

Flow leaves_do_while(Compilation& c, std::string_view what, const Stmt& stmt) {
  const std::string_view remedy = what == "break" ? "set the flag to 0" : "write the rest of the body under an `if`";
  c.report.error(ErrorKind::Syntax, stmt.range,
                 fmt::format("`{}` of a `while qd.graph.do_while(...)` is not supported: {}", what, remedy));
  return Flow::Left;
}

/// The arc of a jump in a suite that stands in the logical line of its header.
void leave_header_line(Compilation& c, int32_t to) {
  if (const int32_t line = c.function().suite_line; line != 0) c.notes.probe(line, to);
}

}  // namespace

Flow break_statement(Compilation& c, const Stmt& stmt) {
  auto& loops = c.function().loops;
  if (loops.empty()) return c.report.error(ErrorKind::Syntax, stmt.range, "`break` outside of a loop"), Flow::Next;
  LoopContext& loop = loops.back();
  leave_header_line(c, loop.next);
  if (loop.unrolled) {
    if (c.function().runtime_depth == loop.runtime_depth) return Flow::StaticBreak;
    c.report.error(ErrorKind::Syntax, stmt.range,
                   "You are trying to `break` a static `for` loop under an `if` that is decided at run time");
    return Flow::Left;
  }
  if (loop.scheduled) return leaves_do_while(c, "break", stmt);
  if (loop.outermost_parallel) {
    c.report.error(
        ErrorKind::Syntax, stmt.range,
        "Cannot break in the outermost loop: it runs in parallel; qd.loop_config(serialize=True) makes it serial");
    return Flow::Left;
  }
  loop.broken |= c.function().covered;  // a dead `break` leaves no loop
  c.build.inst(Op::Break, Type::Void, {});
  return Flow::Left;
}

Flow continue_statement(Compilation& c, const Stmt& stmt) {
  auto& loops = c.function().loops;
  if (loops.empty()) return c.report.error(ErrorKind::Syntax, stmt.range, "`continue` outside of a loop"), Flow::Next;
  LoopContext& loop = loops.back();
  leave_header_line(c, loop.line);
  if (loop.unrolled) {
    if (c.function().runtime_depth == loop.runtime_depth) return Flow::StaticContinue;
    c.report.error(ErrorKind::Syntax, stmt.range,
                   "You are trying to `continue` a static `for` loop under an `if` that is decided at run time");
    return Flow::Left;
  }
  if (loop.scheduled) return leaves_do_while(c, "continue", stmt);
  c.build.inst(Op::Continue, Type::Void, {});
  return Flow::Left;
}

Flow return_statement(Compilation& c, const syntax::Return& s, const Stmt& stmt) {
  Item value = s.value ? evaluate(c, *s.value) : Item(Value(None{}));
  leave_header_line(c, -c.function().first_line);
  if (c.function().early) return early_return(c, value, s, stmt);
  if (c.functions.size() == 1 && c.regions.innermost() != Region::TopLevel) {
    c.report.error(ErrorKind::Syntax, stmt.range,
                   "`return` cannot stand in a `while qd.graph.do_while(...)` or in a `with`");
    return Flow::Left;
  }
  if (c.function().runtime_depth > 0) {
    const char* kind =
        c.functions.size() > 1 ? "; make the function a @qd.real_func, which may return anywhere" : " in a kernel";
    c.report.error(ErrorKind::Syntax, stmt.range,
                   fmt::format("Return inside non-static if/for is not supported{}", kind));
    c.function().returned = true;  // wrong at its place, but the kernel is not without a return either
    return Flow::Left;
  }
  c.function().returned = true;
  c.function().result = std::move(value);
  lower_results(c, s, stmt);
  return Flow::Left;
}

}  // namespace qd::frontend
