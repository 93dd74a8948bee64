// Bounds checks of debug mode: reports indices that are out of range.
#include "runtime/frontend/memory/bounds_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/values/checks.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/interval.h"
#include "runtime/frontend/values/operators.h"
#include "runtime/frontend/values/text.h"
#include "runtime/ir/frames.h"

namespace qd::frontend {

using Kind = ir::Format::Kind;
using ir::BinaryOp;
using ir::CompareOp;
using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::Range;

namespace {

/// Adds a list to a text: "(8, 16)", numbers as Python writes a tuple, or between other brackets.
template <class Add>
void add_list(Text& text, size_t count, const char* brackets, Add add) {
  text.add(std::string_view(brackets, 1));
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) text.add(", ");
    add(i);
  }
  if (count == 1 && brackets[0] == '(') text.add(",");
  text.add(std::string_view(brackets + 1, 1));
}

constexpr size_t kLongCallstack = 1024;

size_t argument_number(Compilation& c, std::string_view name);

}  // namespace

// Whether an index cannot be out of range: a constant of a field, or that of a loop over the array's own extent.
bool surely_inside(Compilation& c, InstId index, uint32_t array, uint32_t axis, int32_t first) {
  const ir::Array& info = c.kernel.arrays[array];
  const ir::Inst& inst = c.kernel[index];
  auto below = [&](const ir::Inst& end, int64_t slack) {
    if (end.op == Op::Const) return !info.shape.empty() && end.integer() < int64_t{first} + info.shape[axis] + slack;
    return slack == 1 && end.op == Op::Shape && end.aux == array && end.axis() == axis;
  };
  if (inst.op == Op::Const) return inst.integer() >= first && below(inst, 0);
  if (inst.op != Op::LoopIndex) return false;
  auto bounds = c.kernel.operands_of(inst.aux_inst());
  const ir::Inst& begin = c.kernel[bounds[2 * inst.axis()]];
  return begin.op == Op::Const && begin.integer() >= first && below(c.kernel[bounds[2 * inst.axis() + 1]], 1);
}

namespace {

/// Whether a constant is no index of an axis. It is reported without debug mode, too: that costs nothing elsewhere.
bool surely_outside(Compilation& c, InstId index, uint32_t array, ptrdiff_t axis, const std::vector<int32_t>& first) {
  const ir::Inst& inst = c.kernel[index];
  if (inst.op != Op::Const) return false;
  const std::vector<int32_t>& shape = c.kernel.arrays[array].shape;
  const auto at = static_cast<size_t>(axis);
  const int64_t place = inst.integer() - (first.empty() ? 0 : first[at]);
  return place < 0 || (!shape.empty() && place >= shape[at]);
}

}  // namespace

// `first`: the first index of each axis; empty: 0.
void check_indices(Compilation& c, uint32_t array, std::span<InstId> indices, const std::vector<int32_t>& first,
                   const Range& range) {
  const bool outside = std::ranges::any_of(
      indices, [&](const InstId& index) { return surely_outside(c, index, array, &index - indices.data(), first); });
  if (!c.options.check_out_of_bound && !outside) return;
  auto sure = [&](uint32_t axis) {
    return surely_inside(c, indices[axis], array, axis, first.empty() ? 0 : first[axis]);
  };
  uint32_t known = 0;
  while (known < indices.size() && sure(known)) ++known;
  if (known == indices.size()) return;
  const ir::Builder::Scope here(c.build, c.build.location_of(range));
  const ir::Array info = c.kernel.arrays[array];
  std::vector<InstId> extents;
  std::vector<InstId> given;  // for the message
  InstId inside = InstId::None;
  auto require = [&](InstId fits) {
    inside = inside == InstId::None ? fits : c.build.binary(BinaryOp::BitAnd, inside, fits);
  };
  for (uint32_t axis = 0; axis < indices.size(); ++axis) {
    given.push_back(indices[axis]);
    extents.push_back(info.shape.empty() ? c.build.inst(Op::Shape, Type::I32, {}, array, axis)
                                         : c.build.constant(Type::I32, Value(int64_t{info.shape[axis]})));
    if (sure(axis)) continue;
    // A large u64 is a negative i64, which may be an index of a field with an offset.
    if (c.kernel[indices[axis]].type == Type::U64 && !first.empty() && first[axis] < 0)
      require(c.build.compare(CompareOp::Le, indices[axis], c.build.constant(Type::U64, Value(INT64_MAX))));
    // The checked index is the one that is used: one that wrapped in 32 bits must not be computed again in 64.
    if (c.kernel[indices[axis]].type != Type::I64) indices[axis] = c.build.inst(Op::Cast, Type::I64, {indices[axis]});
    InstId place = first.empty() ? indices[axis]
                                 : c.build.binary(BinaryOp::Sub, indices[axis],
                                                  c.build.constant(Type::I64, Value(int64_t{first[axis]})));
    InstId index = c.build.inst(Op::Cast, Type::U64, {place});
    InstId fits = c.build.compare(CompareOp::Lt, index, c.build.inst(Op::Cast, Type::U64, {extents[axis]}));
    require(fits);
    if (c.kernel[given[axis]].type != Type::U64) given[axis] = indices[axis];
  }
  const bool field = info.kind == ir::Array::Kind::Field;
  Text text;
  auto add_indices = [&](const char* brackets) {
    add_list(text, indices.size(), brackets,
             [&](size_t i) { text.add_value(Number{given[i], c.kernel[given[i]].type}, "", range); });
  };
  auto add_size = [&] {
    add_list(text, extents.size(), "()", [&](size_t i) {
      if (info.shape.empty()) {
        text.add_value(Number{extents[i], Type::I32}, "", range);
      } else {
        text.add(fmt::format("{}", info.shape[i]));
      }
    });
  };
  if (field) {
    text.add(
        fmt::format("Accessing field ({}{}{}) of size ", ir::name(info.type), info.name.empty() ? "" : " ", info.name));
    add_size();
    if (!first.empty()) text.add(fmt::format(" offset ({}{})", fmt::join(first, ", "), first.size() == 1 ? "," : ""));
    text.add(" with indices ");
    add_indices("()");
    text.add(": out of bounds");
    add_iteration(c, text, range);
  } else {
    text.add(fmt::format("[kernel={}] Out of bound access to ndarray at arg {} with indices ", c.kernel.name,
                         argument_number(c, info.name)));
    add_indices("[]");
    text.add(fmt::format("\n{} has size ", info.name));
    add_size();
    text.add(": out of bounds");
    add_iteration(c, text, range);
  }
  emit_check(c, Op::Assert, inside, text, range, field ? Kind::Plain : Kind::Bounds);
}

namespace {

// The position of a parameter among the kernel's; of a part of one, that of the whole.
size_t argument_number(Compilation& c, std::string_view name) {
  const syntax::Arguments& args = *c.functions[0].source->function().args;
  name = name.substr(0, name.find('.'));
  size_t number = 0;
  for (const syntax::List<syntax::Arg>& list : {args.posonlyargs, args.args}) {
    for (const syntax::Arg& arg : list) {
      if (arg.arg == name) return number;
      ++number;
    }
  }
  return number;
}

}  // namespace

void check_components(Compilation& c, const std::vector<int32_t>& shape, const std::vector<Component>& indices,
                      const Range& range) {
  if (!c.options.check_out_of_bound) return;
  const ir::Builder::Scope here(c.build, c.build.location_of(range));
  InstId inside = InstId::None;
  for (size_t axis = 0; axis < indices.size(); ++axis) {
    const InstId index = indices[axis].index;
    if (index == InstId::None) continue;
    const Interval known = interval(c.kernel, index);
    if (known.low >= 0 && known.high < shape[axis]) continue;
    InstId fits = is_below(c, index, shape[axis]);
    inside = inside == InstId::None ? fits : c.build.binary(BinaryOp::BitAnd, inside, fits);
  }
  if (inside != InstId::None) {
    Text text;
    text.add(fmt::format("Out of bound access to a [{}, {}] matrix with index ", shape[0],
                         shape.size() == 2 ? shape[1] : 1));
    add_list(text, indices.size(), "[]", [&](size_t i) {
      if (indices[i].index == InstId::None) {
        text.add(fmt::format("{}", indices[i].known));
      } else {
        text.add_value(Number{indices[i].index, c.kernel[indices[i].index].type}, "", range);
      }
    });
    add_iteration(c, text, range);
    emit_check(c, Op::Assert, inside, text, range, Kind::Plain);
  }
}

namespace {

/// Emits an assert with the call stack; warns if that is long.
void check_view(Compilation& c, InstId holds, const Text& text, const Range& range) {
  const size_t size = ir::callstack(c.kernel, c.build.location_of(range)).size();
  if (size > kLongCallstack)
    c.report.warn(range, fmt::format("the call stack of a BufferView's debug message has {} bytes", size),
                  Warning::Kind::OfThisProcess);
  emit_check(c, Op::Assert, holds, text, range, Kind::View);
}

}  // namespace

void check_view_index(Compilation& c, const View& view, InstId index, const Range& range) {
  if (!c.options.debug) return;
  const ir::Builder::Scope here(c.build, c.build.location_of(range));
  auto wide = [&](InstId number) { return c.build.inst(Op::Cast, Type::U64, {c.build.cast(Type::I64, number)}); };
  const InstId a = wide(index);
  const InstId b = wide(view.size);
  Text text;
  text.add(fmt::format("BufferView Out Of Range: kernel[{}] tid=", c.kernel.name));
  add_text(c, text, thread_number(c), "", range);
  text.add(", got index ");
  text.add_value(Number{index, c.kernel[index].type}, "", range);
  text.add(" (offset=");
  text.add_value(Number{view.offset, Type::I32}, "", range);
  text.add(", size=");
  text.add_value(Number{view.size, Type::I32}, "", range);
  text.add(").");
  check_view(c, c.build.compare(CompareOp::Lt, a, b), text, range);
}

void check_part(Compilation& c, InstId offset, InstId size, InstId whole, PartOf what, const Range& range) {
  if (!c.options.debug) return;
  const ir::Builder::Scope here(c.build, c.build.location_of(range));
  auto wide = [&](InstId number) { return c.build.cast(Type::I64, number); };
  // As no part is longer than 2^31 - 1, the sum of an offset and a size that are right does not wrap.
  auto is_length = [&](InstId number) {
    if (c.kernel[number].type == Type::I32)
      return c.build.compare(CompareOp::Ge, number, c.build.constant(Type::I32, Value(int64_t{0})));
    return is_below(c, number, int64_t{1} << 31);
  };
  const InstId begins = is_length(offset);
  const InstId has = is_length(size);
  const InstId from = wide(offset);
  const InstId end = c.build.binary(BinaryOp::Add, from, wide(size));
  const InstId ends = c.build.compare(CompareOp::Le, end, wide(whole));
  const bool part = what == PartOf::View;
  Text text;
  text.add(part ? "BufferView subview Out Of Range: " : "BufferView construction out of range: ");
  if (part) {
    text.add(fmt::format("kernel[{}] tid=", c.kernel.name));
    add_text(c, text, thread_number(c), "", range);
    text.add(", subview ");
  }
  text.add("offset=");
  text.add_value(Number{offset, c.kernel[offset].type}, "", range);
  text.add(part ? ", subview size=" : ", size=");
  text.add_value(Number{size, c.kernel[size].type}, "", range);
  text.add(part ? ", parent size=" : ", ndarray length=");
  text.add_value(Number{whole, Type::I32}, "", range);
  text.add(".");
  const InstId inside = c.build.binary(BinaryOp::BitAnd, c.build.binary(BinaryOp::BitAnd, begins, has), ends);
  check_view(c, inside, text, range);
}

}  // namespace qd::frontend
