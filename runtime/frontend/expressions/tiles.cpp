// The syntax of tiles: parts of arrays become arguments of the library's methods, a column a number for each thread.
#include "runtime/frontend/expressions/tiles.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/diagnostics.h"
#include "runtime/frontend/expressions/builtin_calls.h"
#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/memory/arrays.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/places.h"

namespace qd::frontend {

using ir::BinaryOp;
using ir::CompareOp;
using ir::InstId;
using ir::Op;
using ir::Type;

namespace {

constexpr std::string_view kParts =
    "a tile takes the part `A[r0:r1, c0:c1]` of an array or `A[b, r0:r1, c0:c1]`, and a column is `A[r0:r1, c]` or "
    "`A[b, r0:r1, c]`";

/// A method of tiles; null when an item is no tile.
const Func* method_of_tile(const Item& item, std::string_view name) {
  auto* record = std::get_if<Record>(&item);
  if (!record || record->is_array) return nullptr;
  for (const auto& [known, func] : record->type->methods) {
    if (known == name && func.source->library) return &func;
  }
  return nullptr;
}

bool is_tile(const Item& item) { return method_of_tile(item, "_load") != nullptr; }

bool is_whole(const Expr& slice) {
  auto* cut = std::get_if<syntax::Slice>(&slice.node);
  return cut && !cut->lower && !cut->upper && !cut->step;
}

/// The indices in the brackets of `array[batch, begin:end, begin:end]` or `array[batch, begin:end, column]`.
struct Part {
  std::vector<Item> bounds;  // the batch if there is one, of the rows begin and end, then of the columns
  bool batch = false;
  bool column = false;  // one column, which is the last of `bounds`
};

std::optional<Item> bound_of(Compilation& c, const Expr& expr) {
  Item item = evaluate(c, expr);
  if (poisoned(item) || !index_type(c, item, expr.range)) return std::nullopt;
  auto* known = known_number(item);
  if (!known || as_double(*known) >= 0) return item;
  c.report.error(ErrorKind::Index, expr.range, "negative indices are not supported");
  return std::nullopt;
}

/// The type of an array's numbers, if a tile can load them; nothing after an error.
std::optional<Type> numbers_of(Compilation& c, const Item& array, size_t indices, const Range& range) {
  auto* shared = std::get_if<SharedArray>(&array);
  auto* ref = std::get_if<ArrayRef>(&array);
  auto* field = known_as<HostField>(array);
  auto fail = [&](ErrorKind kind, std::string message) -> std::optional<Type> {
    c.report.error(kind, range, std::move(message));
    return std::nullopt;
  };
  const bool numbers = shared ? shared->element_shape.empty()
                       : ref  ? ref->element_shape.empty()
                              : field && field->element_shape.empty();
  if (!numbers)
    return fail(ErrorKind::Type, fmt::format("a tile has numbers, which {} has not", describe_item(c, array)));
  if (field && std::ranges::any_of(field->offset, [](int32_t first) { return first != 0; }))
    return fail(ErrorKind::Type, "parts of a field with an offset cannot be loaded into tiles or stored");
  const size_t rank = shared ? shared->shape.size() : static_cast<size_t>(c.kernel.arrays[*array_index(c, array)].rank);
  if (rank != indices)
    return fail(ErrorKind::Index,
                fmt::format("the array has {}, but {} given", counted(rank, "axis"), counted_are(indices, "index")));
  return shared ? shared->type : c.kernel.arrays[*array_index(c, array)].type;
}

/// The indices of a part of an array. Nothing after an error.
std::optional<Part> part_of(Compilation& c, const Item& array, const Expr& slice, const Range& range) {
  const auto& indices = std::get<syntax::Tuple>(slice.node).elts;
  auto cut = [&](size_t i) { return std::get_if<syntax::Slice>(&indices[i]->node); };
  Part part;
  part.batch = indices.size() == 3 && !cut(0);
  const size_t rows = part.batch ? 1 : 0;
  if (indices.size() != rows + 2 || !cut(rows)) {
    c.report.error(ErrorKind::Syntax, range, std::string(kParts));
    return std::nullopt;
  }
  part.column = !cut(rows + 1);
  bool failed = !numbers_of(c, array, indices.size(), range);
  auto add = [&](const Expr& expr) {
    auto item = bound_of(c, expr);
    failed |= !item;
    if (item) part.bounds.push_back(*item);
  };
  for (size_t i = 0; i < indices.size(); ++i) {
    auto* bounds = cut(i);
    if (!bounds) {
      add(*indices[i]);
    } else if (!bounds->lower || !bounds->upper || bounds->step) {
      c.report.error(ErrorKind::Syntax, indices[i]->range,
                     bounds->step ? "a part of an array has no step: write A[r0:r1, c0:c1]"
                                  : "a part of an array needs both bounds: write A[r0:r1, c0:c1]");
      failed = true;
    } else {
      add(*bounds->lower);
      add(*bounds->upper);
    }
  }
  return failed ? std::nullopt : std::optional(std::move(part));
}

/// Calls tile._load(array, ...) or tile._store(array, ...).
void move_part(Compilation& c, const Item& tile, std::string_view method, const Item& array, const Expr& slice,
               const Range& range) {
  auto part = part_of(c, array, slice, range);
  if (!part) return;
  if (part->column) {
    c.report.error(ErrorKind::Syntax, range, std::string(kParts));
    return;
  }
  part->bounds.insert(part->bounds.begin(), array);
  const std::string name = fmt::format("{}{}", method, part->batch ? "_of_batch" : "");
  call_method(c, *method_of_tile(tile, name), tile, std::move(part->bounds), range);
}

/// A tile that methods can be called on: a tile outside of a variable is put into one.
Item in_variable(Compilation& c, const Item& tile) {
  const auto& members = std::get<Record>(tile).members;
  return std::holds_alternative<TensorPlace>(members[0]) ? tile : new_place(c, tile, false);
}

void load_tile(Compilation& c, const Item& tile, const Expr& target, const Expr& value) {
  auto* subscript = std::get_if<syntax::Subscript>(&value.node);
  const Item array = subscript ? evaluate_place(c, *subscript->value) : evaluate(c, value);
  if (poisoned(array)) return;
  if (!subscript || !is_array(array) || !has_slices(*subscript->slice)) {
    c.report.error(ErrorKind::Type, value.range,
                   fmt::format("`tile[:] =` takes a part of an array, A[r0:r1, c0:c1], not {}",
                               describe_item(c, subscript ? evaluate(c, value) : array)));
    return;
  }
  const ir::Builder::Scope here(c.build, c.build.location_of(target.range));
  move_part(c, tile, "_load", array, *subscript->slice, value.range);
}

/// Lowers `target = tile`; the target is a part of `array`. `range`: of the tile.
void store_tile(Compilation& c, const Item& array, const Expr& target, const Item& tile, const Range& range) {
  if (poisoned(tile)) return;
  if (!is_tile(tile)) {
    c.report.error(ErrorKind::Type, range,
                   fmt::format("what a part of an array is assigned is a tile, not {}", describe_item(c, tile)));
    return;
  }
  const ir::Builder::Scope here(c.build, c.build.location_of(target.range));
  move_part(c, in_variable(c, tile), "_store", array, *std::get<syntax::Subscript>(target.node).slice, target.range);
}

/// Whether evaluating an expression a second time changes nothing: a name, its members, and items of them.
bool is_simple(const Expr& expr) {
  if (auto* attribute = std::get_if<syntax::Attribute>(&expr.node)) return is_simple(*attribute->value);
  if (auto* subscript = std::get_if<syntax::Subscript>(&expr.node)) {
    const auto& index = subscript->slice->node;
    const bool plain = std::holds_alternative<syntax::Constant>(index) || std::holds_alternative<syntax::Name>(index);
    return plain && is_simple(*subscript->value);
  }
  return std::holds_alternative<syntax::Name>(expr.node);
}

}  // namespace

bool has_slices(const Expr& slice) {
  auto* several = std::get_if<syntax::Tuple>(&slice.node);
  return several && std::ranges::any_of(several->elts, [](const Expr* index) {
           return std::holds_alternative<syntax::Slice>(index->node);
         });
}

bool assign_tile(Compilation& c, const Expr& target, const Expr& value) {
  auto* subscript = std::get_if<syntax::Subscript>(&target.node);
  const bool whole = subscript && is_whole(*subscript->slice);
  if (!whole && !(subscript && has_slices(*subscript->slice))) return false;
  if (!is_simple(*subscript->value)) return false;
  const Item object = evaluate_place(c, *subscript->value);
  if (whole && is_tile(object)) {
    load_tile(c, object, target, value);
    return true;
  }
  if (whole || !is_array(object)) return false;
  store_tile(c, object, target, evaluate_place(c, value), value.range);
  return true;
}

bool store_in_part(Compilation& c, const Expr& target, const Item& value, const Range& range) {
  auto* subscript = std::get_if<syntax::Subscript>(&target.node);
  if (!subscript || !has_slices(*subscript->slice) || !is_simple(*subscript->value)) return false;
  const Item array = evaluate_place(c, *subscript->value);
  if (!is_array(array)) return false;
  store_tile(c, array, target, value, range);
  return true;
}

bool update_tile(Compilation& c, const syntax::AugAssign& s) {
  auto* call = std::get_if<syntax::Call>(&s.value->node);
  const BuiltinInfo* info = call ? builtin_of(c, *call->func) : nullptr;
  if (!info || info->kind != BuiltinKind::Outer) return false;
  const bool adds = s.op == syntax::Operator::Add;
  const Item tile = target_place(c, *s.target);
  if (poisoned(tile)) return true;
  const Func* method = method_of_tile(tile, adds ? "_add_outer" : "_subtract_outer");
  if (!method || (!adds && s.op != syntax::Operator::Sub)) {
    c.report.error(ErrorKind::Type, s.value->range,
                   fmt::format("`+=` and `-=` with qd.outer(a, b) change a tile, not `{}=` {}", text(s.op),
                               describe_item(c, tile)));
    return true;
  }
  call_func(c, *method, *call, *s.value, &tile);
  return true;
}

Item column_of_array(Compilation& c, const Item& array, const syntax::Subscript& e, const Expr& expr) {
  const Range& range = expr.range;
  auto part = part_of(c, array, *e.slice, range);
  if (!part) return Poison{};
  if (!part->column)
    return c.report.error(ErrorKind::Syntax, range,
                          "a part of an array is no value: load it into a tile, tile[:] = A[r0:r1, c0:c1]");
  const auto block_dim = block_dim_of_loop(c, "a column of an array", range);
  if (!block_dim) return Poison{};
  if (*block_dim != 16 && *block_dim != 32)
    return c.report.error(ErrorKind::Type, range,
                          fmt::format("a column of an array has a number for each thread, as a tile has a row: the "
                                      "loop needs qd.loop_config(block_dim=...) with 16 or 32, not {}",
                                      *block_dim));
  const size_t axis = part->batch ? 1 : 0;
  const Item extent = std::get<Items>(shape_of(c, array)).list[axis];
  auto wide = [&](const Item& item) {
    auto type = index_type(c, item, range);
    return type && is_wide(*type);
  };
  const Type type = wide(part->bounds[axis]) || wide(part->bounds[axis + 1]) ? Type::I64 : Type::I32;
  auto number = [&](const Item& item) { return coerce(c, item, type, range); };
  auto begin = number(part->bounds[axis]), end = number(part->bounds[axis + 1]), rows = number(extent);
  if (!begin || !end || !rows) return Poison{};
  const InstId thread = c.build.cast(type, c.build.inst(Op::Thread, Type::I32, {}));
  const InstId row = c.build.binary(BinaryOp::Add, *begin, thread);
  const InstId inside =
      c.build.binary(BinaryOp::BitAnd, c.build.compare(CompareOp::Ge, row, c.build.constant(type, Value(int64_t{0}))),
                     c.build.compare(CompareOp::Lt, row, c.build.binary(BinaryOp::Min, *end, *rows)));
  const Type of_numbers = *numbers_of(c, array, axis + 2, range);
  const InstId place = c.build.variable(of_numbers);
  c.build.store(place, c.build.constant(of_numbers, Value(int64_t{0})));
  const InstId branch = c.build.inst(Op::If, Type::Void, {inside});
  ir::BlockId there;
  c.build.in_new_block(there, [&] {
    std::vector<Item> indices{Number{row, type}, part->bounds.back()};
    if (part->batch) indices.insert(indices.begin(), part->bounds.front());
    const Item element = element_place(c, array, indices, *e.slice, range);
    if (auto value = poisoned(element) ? std::nullopt : to_number(c, loaded(c, element), range))
      c.build.store(place, value->id);
  });
  c.kernel[branch].blocks = {there, c.kernel.add_block()};
  return Number{c.build.load(place), of_numbers};
}

Item tile_row(Compilation& c, const syntax::Call& e, const Expr& expr) {
  const Item given = static_value(c, *e.args[0]);
  if (poisoned(given)) return Poison{};
  const int64_t size = as_integer(std::get<Value>(given)).value_or(0);
  const auto block_dim = block_dim_of_loop(c, "a tile of qd.simt", expr.range);
  if (!block_dim) return Poison{};
  if (*block_dim != size)
    return c.report.error(
        ErrorKind::Type, expr.range,
        fmt::format("a Tile{0}x{0} has a row for each of {0} threads: the loop needs qd.loop_config(block_dim={0}), "
                    "not {1}",
                    size, *block_dim));
  return Number{c.build.inst(Op::Thread, Type::I32, {}), Type::I32};
}

}  // namespace qd::frontend
