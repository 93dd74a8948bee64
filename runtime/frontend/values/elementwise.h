// Operations on numbers, done on each component of vectors and matrices.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/frontend/state/compilation.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

/// Applies `f` to each component of those of the arguments that are tensors; the others are passed unchanged. `f` gives
/// a Number or Poison.
template <class F>
Item elementwise(Compilation& c, std::span<const Item> args, const Range& range, F&& f) {
  std::vector<std::optional<Tensor>> tensors(args.size());
  const Tensor* first = nullptr;
  for (size_t i = 0; i < args.size(); ++i) {
    auto* value = std::get_if<Value>(&args[i]);
    const bool list = std::holds_alternative<Items>(args[i]) || (value && std::holds_alternative<Tuple>(*value));
    if (!is_tensor(args[i]) && !list) continue;
    tensors[i] = as_tensor(c, args[i], range);
    if (!tensors[i])
      return c.report.error(ErrorKind::Type, range,
                            fmt::format("{} is no vector or matrix of numbers", describe_item(c, args[i])));
    if (!first) first = &*tensors[i];
    if (tensors[i]->shape != first->shape) {
      return c.report.error(
          ErrorKind::Type, range,
          fmt::format("{} and {} have different shapes", describe_item(c, *first), describe_item(c, *tensors[i])));
    }
  }
  Tensor result;
  result.shape = first->shape;
  std::vector<Item> numbers(args.begin(), args.end());
  for (size_t component = 0; component < first->numbers.size(); ++component) {
    for (size_t i = 0; i < args.size(); ++i) {
      if (tensors[i]) numbers[i] = component_item(*tensors[i], component);
    }
    Item item = f(std::as_const(numbers));
    auto* number = std::get_if<Number>(&item);
    if (!number) return Poison{};
    result.type = number->type;
    result.numbers.push_back(number->id);
  }
  return result;
}

}  // namespace qd::frontend
