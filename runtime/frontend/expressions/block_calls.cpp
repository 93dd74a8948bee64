// Operations of the threads of a block, as those of the IR. The rest of qd.simt is written in the kernel language
// (qd/simt).
#include "runtime/frontend/expressions/builtin_calls.h"

#include <fmt/format.h>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/expressions/kernel_scope.h"
#include "runtime/frontend/values/checks.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/text.h"
#include "runtime/ir/blocks.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;

using ir::Type;

namespace {

/// Limit of shared memory of a block, in bytes, if the device sets none.
constexpr int64_t kMostSharedBytes = 1 << 20;

/// Whether the threads of a block run the code here; an error if not.
bool in_block(Compilation& c, std::string_view what, bool needs_loop, const Range& range) {
  for (size_t i = 0; i < c.functions.size(); ++i) {
    if (!c.functions[i].routine) continue;
    c.report.error(ErrorKind::Syntax, range, fmt::format("{} cannot be used in a @qd.real_func", what));
    return false;
  }
  if (!c.function().in_parallel && needs_loop) {
    c.report.error(ErrorKind::Syntax, range, fmt::format("{} is used outside of a parallel loop", what));
    return false;
  }
  return true;
}

void barrier(Compilation& c, ir::Scope scope, const Range& range) {
  if (c.options.debug && scope == ir::Scope::Block) {
    Text text;
    text.add("qd.simt.block.sync() under a condition that differs between the threads of a block");
    add_iteration(c, text, range);
    emit_check(c, Op::Assert, c.build.inst(Op::Together, Type::U1, {}), text, range, ir::Format::Kind::Plain);
  }
  c.build.inst(Op::Barrier, Type::Void, {}, 0, static_cast<uint64_t>(scope));
}

/// Whether the code runs on one thread alone, outside of parallel loops: the subgroup has that lane only.
bool is_alone(Compilation& c) { return !c.function().in_parallel; }

Item lane(Compilation& c) {
  const InstId id =
      is_alone(c) ? c.build.constant(Type::I32, Value(int64_t{0})) : c.build.inst(Op::Lane, Type::I32, {});
  return Number{id, Type::I32};
}

Item shuffle(Compilation& c, const std::vector<Item>& args, const Range& range) {
  if (!is_a_number(args[0]) && !poisoned(args[0]))
    return c.report.error(ErrorKind::Type, range,
                          fmt::format("qd.simt.subgroup.shuffle() takes a number, not {}", describe_item(c, args[0])));
  auto value = to_number(c, args[0], range);
  auto lane = coerce(c, args[1], Type::I32, range);
  if (!value || !lane) return Poison{};
  if (is_alone(c)) return *value;
  return Number{c.build.inst(Op::Shuffle, value->type, {value->id, *lane}), value->type};
}

Item ballot(Compilation& c, const Item& predicate, const Range& range) {
  auto vote = to_condition(c, predicate, range);
  if (!vote) return Poison{};
  if (is_alone(c)) return Number{c.build.cast(Type::U64, *vote), Type::U64};
  return Number{c.build.cast(Type::U64, c.build.inst(Op::Ballot, Type::I64, {*vote})), Type::U64};
}

/// The sizes of a shape; nothing when it is none.
std::optional<std::vector<int32_t>> sizes_of(const Value& shape) {
  auto* several = std::get_if<Tuple>(&shape);
  const std::vector<Value> list = several ? several->items : std::vector{shape};
  std::vector<int32_t> sizes;
  for (const Value& item : list) {
    auto size = std::holds_alternative<bool>(item) ? std::nullopt : as_integer(item);
    if (!size || *size < 1 || *size > static_cast<int64_t>(ir::kMaxBlockArray)) return std::nullopt;
    sizes.push_back(static_cast<int32_t>(*size));
  }
  return sizes.empty() ? std::nullopt : std::optional(sizes);
}

}  // namespace

Item block_operation(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr) {
  const std::string_view name = info.name.substr(5);  // behind "simt."
  const size_t takes = name == "subgroup.shuffle" ? 2 : name == "subgroup.ballot" ? 1 : 0;
  auto args = evaluate_arguments(c, e, expr, info.name, takes, takes);
  const bool of_subgroup = name.starts_with("subgroup.");
  if (!args || !in_block(c, fmt::format("qd.{}()", info.name), !of_subgroup, expr.range)) return Poison{};
  auto fence = [&](ir::Scope scope) -> Item {
    if (is_alone(c)) return Value(None{});
    c.build.inst(Op::Fence, Type::Void, {}, 0, static_cast<uint64_t>(scope));
    return Value(None{});
  };
  auto wait = [&](ir::Scope scope) -> Item {
    if (is_alone(c)) return Value(None{});
    barrier(c, scope, expr.range);
    return Value(None{});
  };
  if (name == "block.sync") return wait(ir::Scope::Block);
  if (name == "subgroup.sync") return wait(ir::Scope::Subgroup);
  if (name == "block.mem_fence") return fence(ir::Scope::Block);
  if (name == "subgroup.mem_fence") return fence(ir::Scope::Subgroup);
  if (name == "grid.mem_fence") return fence(ir::Scope::Device);
  if (name == "block.thread_idx") return Number{c.build.inst(Op::Thread, Type::I32, {}), Type::I32};
  if (name == "subgroup.invocation_id") return lane(c);
  if (name == "subgroup.shuffle") return shuffle(c, *args, expr.range);
  return ballot(c, (*args)[0], expr.range);
}

std::optional<int32_t> block_dim_of_loop(Compilation& c, std::string_view what, const Range& range) {
  if (!in_block(c, what, true, range)) return std::nullopt;
  for (size_t i = 0; i < c.functions.size(); ++i) {
    for (const LoopContext& loop : c.functions[i].loops) {
      if (loop.outermost_parallel) return loop.block_dim != 0 ? loop.block_dim : c.options.default_gpu_block_dim;
    }
  }
  return c.options.default_gpu_block_dim;
}

Item block_index(Compilation& c, const Range& range) {
  if (is_alone(c)) return Number{c.build.constant(Type::I32, Value(int64_t{0})), Type::I32};
  const auto block_dim = block_dim_of_loop(c, "qd.block_idx()", range);
  if (!block_dim) return Poison{};
  const InstId iteration = c.build.inst(Op::Iteration, Type::I64, {});
  const InstId size = c.build.constant(Type::I64, Value(int64_t{*block_dim}));
  return Number{c.build.cast(Type::I32, c.build.binary(ir::BinaryOp::FloorDiv, iteration, size)), Type::I32};
}

Item block_array(Compilation& c, const BuiltinInfo& info, const syntax::Call& e, const Expr& expr) {
  const Range& range = expr.range;
  const Expr* given[2] = {e.args.size() > 0 ? e.args[0] : nullptr, e.args.size() > 1 ? e.args[1] : nullptr};
  for (const syntax::Keyword& keyword : e.keywords) {
    const int place = keyword.arg == "shape" ? 0 : keyword.arg == "dtype" ? 1 : -1;
    if (place < 0 || given[place])
      return c.report.error(ErrorKind::Type, keyword.range, "`SharedArray` takes a shape and a dtype");
    given[place] = keyword.value;
  }
  if (e.args.size() > 2 || !given[0] || !given[1])
    return c.report.error(ErrorKind::Type, range, "`SharedArray` takes a shape and a dtype");
  const Item shape = evaluate(c, *given[0]), type = static_value(c, *given[1]);
  // An array may be named before the loops that use it.
  if (poisoned(shape) || poisoned(type) || !in_block(c, fmt::format("qd.{}", info.name), false, range)) return Poison{};
  const auto known_shape = KernelScope(c).as_value(shape);
  const auto sizes = known_shape ? sizes_of(*known_shape) : std::nullopt;
  if (!sizes)
    return c.report.error(
        ErrorKind::Type, given[0]->range,
        fmt::format("the shape of a SharedArray is one positive integer or several, known at compile time, not {}",
                    describe_item(c, shape)));
  SharedArray array{InstId::None, Type::Void, *sizes};
  auto* compound = known_as<CompoundType>(type);
  if (compound && !compound->structure && compound->type) {
    array.type = *compound->type;
    array.element_shape = compound->shape;
  } else if (auto dtype = compound ? std::nullopt : dtype_of(std::get<Value>(type), c.options)) {
    array.type = *dtype;
  } else {
    return c.report.error(ErrorKind::Type, given[1]->range,
                          fmt::format("the dtype of a SharedArray is that of a number, a vector or a matrix, not {}",
                                      describe_item(c, type)));
  }
  int64_t numbers = 1;
  for (const auto* list : {&array.shape, &array.element_shape}) {
    for (int32_t size : *list) numbers = std::min(numbers * size, int64_t{1} << 40);
  }
  if (numbers * ir::size_in_bytes(array.type) > kMostSharedBytes)
    return c.report.error(ErrorKind::Type, range,
                          fmt::format("a SharedArray has {} bytes at most, not {}", kMostSharedBytes,
                                      numbers * ir::size_in_bytes(array.type)));
  const ir::Builder::Scope here(c.build);
  if (!c.function().in_parallel) c.build.set_block(ir::BlockId::None);  // each loop that uses it has one
  array.place = c.build.inst(Op::Shared, array.type, {}, 0, static_cast<uint64_t>(numbers));
  return array;
}

}  // namespace qd::frontend
