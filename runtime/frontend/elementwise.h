// Operations on numbers, done on each component of vectors and matrices.
#pragma once

#include <fmt/format.h>

#include "runtime/frontend/lowering.h"

namespace qd::frontend {

template <class F>
Item Lowering::elementwise(std::span<const Item> args, const Range& range, F&& f) {
  std::vector<std::optional<Tensor>> tensors(args.size());
  const Tensor* first = nullptr;
  for (size_t i = 0; i < args.size(); ++i) {
    auto* value = std::get_if<Value>(&args[i]);
    const bool list = std::holds_alternative<Items>(args[i]) || (value && std::holds_alternative<Tuple>(*value));
    if (!is_tensor(args[i]) && !list) continue;
    tensors[i] = as_tensor(args[i], range);
    if (!tensors[i])
      return error(ErrorKind::Type, range, fmt::format("{} is no vector or matrix of numbers", describe_item(args[i])));
    if (!first) first = &*tensors[i];
    if (tensors[i]->shape != first->shape) {
      return error(ErrorKind::Type, range,
                   fmt::format("{} and {} have different shapes", describe_item(*first), describe_item(*tensors[i])));
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
