// range, ndrange and grouped at compile time.
#include "runtime/frontend/constants/static_ranges.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace qd::frontend {

namespace {

constexpr int64_t kLongestRange = 1 << 16;
constexpr const char* kTooLong = "the range is too long to unroll";

}  // namespace

Outcome static_range(const std::vector<Value>& bounds) {
  if (bounds.empty() || bounds.size() > 3) return Outcome::failed("range() takes 1 to 3 arguments");
  for (const Value& v : bounds) {
    if (!as_integer(v)) return Outcome::failed(fmt::format("range() needs integers, not {}", describe(v)));
  }
  int64_t begin = bounds.size() > 1 ? *as_integer(bounds[0]) : 0;
  int64_t end = *as_integer(bounds[bounds.size() > 1 ? 1 : 0]);
  int64_t step = bounds.size() > 2 ? *as_integer(bounds[2]) : 1;
  if (step == 0) return Outcome::failed("range() needs a step that is not 0");
  Tuple result;
  for (int64_t i = begin; step > 0 ? i < end : i > end; i += step) {
    if (static_cast<int64_t>(result.items.size()) == kLongestRange) return Outcome::failed(kTooLong);
    result.items.emplace_back(i);
  }
  return Value(std::move(result));
}

Outcome static_ndrange(const std::vector<Value>& axes, const Value* order) {
  auto loops = axes_order(order ? *order : Value(None{}), axes.size());
  if (!loops) return Outcome::failed(axes_order_error(axes.size()));
  if (loops->empty()) {
    loops->resize(axes.size());
    std::iota(loops->begin(), loops->end(), 0);
  }
  // The indices of the axes so far, the outermost axis first in time and each in its own place.
  std::vector<Tuple> points = {Tuple{std::vector<Value>(axes.size())}};
  for (uint32_t axis : *loops) {
    auto* pair = std::get_if<Tuple>(&axes[axis]);
    Outcome values = static_range(pair ? pair->items : std::vector<Value>{axes[axis]});
    if (!values.value) return values;
    const std::vector<Value>& indices = std::get<Tuple>(*values.value).items;
    if (points.size() * indices.size() > kLongestRange) return Outcome::failed(kTooLong);
    std::vector<Tuple> longer;
    for (const Tuple& point : points) {
      for (const Value& index : indices) {
        longer.push_back(point);
        longer.back().items[axis] = index;
      }
    }
    points = std::move(longer);
  }
  Tuple result;
  for (Tuple& point : points) result.items.push_back(axes.size() == 1 ? point.items[0] : Value(std::move(point)));
  return Value(std::move(result));
}

Outcome static_grouped(const Value& points) {
  auto* tuple = std::get_if<Tuple>(&points);
  if (!tuple)
    return Outcome::failed(fmt::format("`grouped` takes an ndrange(...) at compile time, not {}", describe(points)));
  Tuple result;
  for (const Value& point : tuple->items) {
    auto* several = std::get_if<Tuple>(&point);
    ConstantTensor index{ir::Type::I32, {}, several ? several->items : std::vector<Value>{point}};
    index.shape = {static_cast<int32_t>(index.numbers.size())};
    if (!std::ranges::all_of(index.numbers, [](const Value& v) { return as_integer(v).has_value(); }))
      return Outcome::failed(fmt::format("`grouped` takes an ndrange(...) at compile time, not {}", describe(points)));
    result.items.emplace_back(std::move(index));
  }
  return Value(std::move(result));
}

std::optional<std::vector<uint32_t>> axes_order(const Value& order, size_t count) {
  std::vector<uint32_t> axes;
  if (std::holds_alternative<None>(order)) return axes;
  auto* tuple = std::get_if<Tuple>(&order);
  if (!tuple || tuple->items.size() != count) return std::nullopt;
  for (const Value& item : tuple->items) {
    auto axis = as_integer(item);
    if (!axis || *axis < 0 || *axis >= static_cast<int64_t>(count)) return std::nullopt;
    if (std::ranges::find(axes, static_cast<uint32_t>(*axis)) != axes.end()) return std::nullopt;
    axes.push_back(static_cast<uint32_t>(*axis));
  }
  return axes;
}

std::string axes_order_error(size_t count) {
  return fmt::format("`axes` names each of the {} axes once, the outermost first", count);
}

}  // namespace qd::frontend
