// The axes of a loop over indices.
#include "runtime/frontend/memory/axes.h"

#include "runtime/frontend/known/python_values.h"
#include "runtime/frontend/memory/arrays.h"
#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {

using ir::InstId;
using ir::Type;
using syntax::Range;

bool array_axes(Compilation& c, const Item& array, const Range& range, Axes& axes) {
  const Item* first = &array;
  while (auto* record = std::get_if<Record>(first)) first = &record->members.at(0);
  auto* value = std::get_if<Value>(first);
  auto* field = value ? std::get_if<HostField>(value) : nullptr;
  Item shape = shape_of(c, *first);
  size_t axis = 0;
  for (const Item& extent : std::get<Items>(shape).list) {
    const int64_t begin = field ? field->first_index(axis++) : 0;
    axes.bounds.push_back(c.build.constant(Type::I32, Value(begin)));
    axes.bounds.push_back(begin == 0 ? *coerce(c, extent, Type::I32, range)
                                     : c.build.constant(Type::I32, Value(begin + field->shape[axis - 1])));
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
