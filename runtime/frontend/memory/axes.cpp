// The axes of a loop over indices.
#include "runtime/frontend/memory/axes.h"

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/memory/arrays.h"
#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {

using ir::InstId;
using ir::Type;
using syntax::Range;

Type index_type_of(const ir::Kernel& kernel, InstId loop, uint32_t axis) {
  return kernel[kernel.operands_of(loop)[2 * axis]].type;
}

Type vector_type_of(const ir::Kernel& kernel, InstId loop, uint32_t axis, uint32_t axes) {
  Type type = index_type_of(kernel, loop, axis);
  for (uint32_t i = 1; i < axes; ++i) type = common_count(type, index_type_of(kernel, loop, axis + i));
  return type;
}

Number loop_index(Compilation& c, InstId loop, uint32_t axis) {
  const Type type = index_type_of(c.kernel, loop, axis);
  return {c.build.inst(ir::Op::LoopIndex, type, {}, static_cast<uint32_t>(loop), axis), type};
}

Type common_count(Type a, Type b) {
  if (ir::is_signed(a) != ir::is_signed(b)) return Type::I64;
  return ir::bit_width(a) > ir::bit_width(b) ? a : b;
}

bool array_axes(Compilation& c, const Item& array, const Range& range, Axes& axes) {
  const Item* first = &array;
  while (auto* record = std::get_if<Record>(first)) first = &record->members.at(0);
  auto* value = std::get_if<Value>(first);
  auto* field = value ? std::get_if<HostField>(value) : nullptr;
  Item shape = shape_of(c, *first);
  size_t axis = 0;
  for (const Item& extent : std::get<Items>(shape).list) {
    const int64_t begin = field ? field->first_index(axis++) : 0;
    if (begin == 0) {
      axes.bounds.push_back(c.build.constant(Type::I32, Value(begin)));
      axes.bounds.push_back(*coerce(c, extent, Type::I32, range));
      continue;
    }
    const Value end(begin + field->shape[axis - 1]);
    const Type type = fits(end, Type::I32) ? Type::I32 : Type::I64;
    axes.bounds.push_back(c.build.constant(type, Value(begin)));
    axes.bounds.push_back(c.build.constant(type, end));
  }
  return true;
}

ir::LoopInfo take_loop_info(Compilation& c, const Range& range, bool top_level) {
  ir::LoopInfo info = c.function().loop_info.value_or(ir::LoopInfo{});
  c.function().loop_info.reset();
  if (!top_level && !info.name.empty()) {
    c.report.warn(range, "only a loop at the top level of a kernel can have a name");
    info.name.clear();
  }
  return info;
}

std::vector<InstId> loop_bounds(Compilation& c, const Axes& axes) {
  if (!axes.bounds.empty()) return axes.bounds;
  return {c.build.constant(Type::I32, Value(int64_t{0})), c.build.constant(Type::I32, Value(int64_t{1}))};
}

}  // namespace qd::frontend
