// Lowers `x.fill(value)` of a field or an ndarray.
#include "runtime/frontend/expressions/builtin_calls.h"

#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/memory/arrays.h"
#include "runtime/frontend/memory/axes.h"
#include "runtime/frontend/values/places.h"

namespace qd::frontend {

void fill_array(Compilation& c, const Item& array, const Expr& filling, const Range& range) {
  const Item value = loaded(c, evaluate(c, filling));
  Axes axes;
  if (poisoned(value) || !array_axes(c, array, range, axes)) return;
  const bool top_level = c.build.at_top_level();
  ir::LoopInfo info = take_loop_info(c, range, top_level);
  const bool parallel = top_level && info.parallel;
  c.kernel.loops.push_back(std::move(info));
  const auto loop =
      c.build.inst(ir::Op::For, ir::Type::Void, loop_bounds(c, axes), static_cast<uint32_t>(c.kernel.loops.size() - 1));
  const bool outer_parallel = std::exchange(c.function().in_parallel, c.function().in_parallel || parallel);
  ir::BlockId body;
  c.build.in_new_block(body, [&] {
    std::vector<Item> indices;
    for (uint32_t axis = 0; axis < axes.bounds.size() / 2; ++axis) {
      indices.push_back(loop_index(c, loop, axis));
    }
    const Item element = element_place(c, array, indices, filling, range);
    if (!poisoned(element)) store_item(c, element, value, filling.range, true);
  });
  c.kernel[loop].blocks[0] = body;
  c.function().in_parallel = outer_parallel;
}

}  // namespace qd::frontend
