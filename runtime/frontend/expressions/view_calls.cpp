// Calls that make a view: BufferView(...), view.subview(...).
#include "runtime/frontend/expressions/builtin_calls.h"

#include <fmt/format.h>

#include <array>

#include "runtime/frontend/constants/diagnostics.h"
#include "runtime/frontend/expressions/displays.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/memory/bounds_checks.h"
#include "runtime/frontend/memory/views.h"
#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {

using ir::InstId;
using ir::Type;
using syntax::Range;

namespace {

// The arguments of `subview(offset, size)` and `BufferView(arr, offset, size)`, by position or by name.
std::optional<std::vector<Item>> view_arguments(Compilation& c, const syntax::Call& e, const Range& range,
                                                std::string_view what, std::span<const std::string_view> names) {
  std::vector<Item> given = std::get<Items>(evaluate_display(c, e.args)).list;
  std::vector<Item> items(names.size(), Item(Poison{}));
  std::vector<bool> set(names.size());
  bool good = given.size() <= names.size();
  for (size_t i = 0; good && i < given.size(); ++i) {
    items[i] = std::move(given[i]);
    set[i] = true;
  }
  for (const syntax::Keyword& keyword : e.keywords) {
    size_t i = 0;
    while (i < names.size() && (names[i] != keyword.arg || set[i])) ++i;
    Item value = evaluate(c, *keyword.value);
    good = good && i < names.size();
    if (!good) break;
    items[i] = std::move(value);
    set[i] = true;
  }
  for (size_t i = 0; good && i < set.size(); ++i) good = set[i];
  if (!good) {
    c.report.error(ErrorKind::Type, range,
                   fmt::format("`{}` takes {}: {}", what, counted(names.size(), "argument"), fmt::join(names, ", ")));
    return std::nullopt;
  }
  for (const Item& item : items) {
    if (poisoned(item)) return std::nullopt;
  }
  return items;
}

}  // namespace

Item subview(Compilation& c, const View& view, const syntax::Call& e, const Range& range) {
  constexpr std::array<std::string_view, 2> kNames{"offset", "size"};
  auto items = view_arguments(c, e, range, "subview", kNames);
  if (!items) return Poison{};
  auto offset = view_number(c, (*items)[0], range);
  auto size = view_number(c, (*items)[1], range);
  if (!offset || !size || known_negative(c, (*items)[0], range) || known_negative(c, (*items)[1], range))
    return Poison{};
  return view_part(c, view, not_negative(c, *offset), not_negative(c, *size), range);
}

Item make_view(Compilation& c, const syntax::Call& e, const Range& range) {
  constexpr std::array<std::string_view, 3> kNames{"arr", "offset", "size"};
  auto items = view_arguments(c, e, range, "BufferView", kNames);
  if (!items) return Poison{};
  auto* array = std::get_if<ArrayRef>(&(*items)[0]);
  if (std::holds_alternative<View>((*items)[0])) {
    return c.report.error(
        ErrorKind::Type, range,
        "BufferView takes an ndarray, not another BufferView: use view.subview(offset, size) or view[a:b]");
  }
  if (!array)
    return c.report.error(ErrorKind::Type, range,
                          fmt::format("BufferView takes an ndarray, not {}", describe_item(c, (*items)[0])));
  if (int32_t rank = c.kernel.arrays[array->index].rank; rank != 1) {
    return c.report.error(ErrorKind::Type, range,
                          fmt::format("BufferView takes a 1D ndarray, not one of {} dimensions", rank));
  }
  auto offset = view_number(c, (*items)[1], range);
  auto size = view_number(c, (*items)[2], range);
  if (!offset || !size || known_negative(c, (*items)[1], range) || known_negative(c, (*items)[2], range))
    return Poison{};
  const InstId whole = c.build.inst(ir::Op::Shape, Type::I32, {}, array->index, 0);
  check_part(c, *offset, *size, whole, PartOf::Ndarray, range);
  auto narrow = [&](InstId number) { return c.build.cast(Type::I32, not_negative(c, number)); };
  return View{*array, narrow(*offset), narrow(*size)};
}

}  // namespace qd::frontend
