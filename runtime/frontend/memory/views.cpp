// Parts of arrays (BufferView): their attributes and bounds.
#include "runtime/frontend/memory/views.h"

#include <fmt/format.h>

#include <array>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/memory/bounds_checks.h"
#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {

using ir::BinaryOp;
using ir::InstId;
using ir::Type;
using syntax::Range;

Item view_attribute(Compilation& c, const View& view, std::string_view name, const Range& range) {
  if (name == "size") return Number{view.size, Type::I32};
  if (name == "offset") return Number{view.offset, Type::I32};
  if (name == "shape") return Items{{Number{view.size, Type::I32}}};
  if (name == "dtype") return Value(c.kernel.arrays[view.array.index].type);
  if (name == "ndim") return Value(int64_t{1});
  if (name == "arr") return view.array;
  return c.report.error(ErrorKind::Name, range, fmt::format("a BufferView has no attribute `{}` in kernels", name));
}

std::optional<InstId> view_number(Compilation& c, const Item& item, const Range& range) {
  auto type = number_type(c, item, range);
  if (!type) return std::nullopt;
  if (!ir::is_integer(*type)) {
    c.report.error(ErrorKind::Type, range,
                   fmt::format("the offset and the size of a BufferView are integers, not {}", ir::name(*type)));
    return std::nullopt;
  }
  return uncut_index(c, item, range);
}

bool known_negative(Compilation& c, const Item& item, const Range& range) {
  auto* value = known_number(item);
  if (!value || as_double(*value) >= 0) return false;
  c.report.error(ErrorKind::Index, range,
                 "negative bounds, offsets and sizes of a BufferView are not supported: they count from its start");
  return true;
}

// No part begins before its whole. Debug mode stops the launch instead.
InstId not_negative(Compilation& c, InstId number) {
  if (c.options.debug || c.kernel[number].op == ir::Op::Const) return number;
  return c.build.binary(BinaryOp::Max, number, c.build.constant(c.kernel[number].type, Value(int64_t{0})));
}

// A bound of a slice, moved into the sliced view, as in Python.
InstId clipped(Compilation& c, InstId bound, InstId end) {
  if (c.options.debug || bound == end || (c.kernel[bound].op == ir::Op::Const && c.kernel[bound].integer() == 0))
    return bound;
  return not_negative(c, c.build.binary(BinaryOp::Min, bound, c.build.cast(c.kernel[bound].type, end)));
}

Item view_part(Compilation& c, const View& view, InstId offset, InstId size, const Range& range) {
  check_part(c, offset, size, view.size, PartOf::View, range);
  const InstId begin = c.build.cast(Type::I32, offset);
  return View{view.array, c.build.binary(BinaryOp::Add, view.offset, begin), c.build.cast(Type::I32, size)};
}

}  // namespace qd::frontend
