// Vectors and matrices of known numbers.
#include "runtime/frontend/constants/constant_tensors.h"

#include <fmt/format.h>

#include <algorithm>

namespace qd::frontend {

using syntax::Operator;

namespace {

/// An index of an axis; nothing when it is no integer or out of range. Negative ones do not count from the end: they do
/// not in kernels.
std::optional<size_t> position(const Value& index, int32_t extent) {
  auto at = as_integer(index);
  return at && *at >= 0 && *at < extent ? std::optional(static_cast<size_t>(*at)) : std::nullopt;
}

Outcome no_item(const ConstantTensor& tensor, const Value& index) {
  return Outcome::failed(fmt::format("{} has no item {}", describe(Value(tensor)), representation(index)));
}

}  // namespace

Outcome tensor_item(const ConstantTensor& tensor, const Value& index) {
  auto* several = std::get_if<Tuple>(&index);
  const std::vector<Value> indices = several ? several->items : std::vector{index};
  if (indices.empty() || indices.size() > tensor.shape.size()) return no_item(tensor, index);
  auto row = position(indices[0], tensor.shape[0]);
  if (!row) return no_item(tensor, index);
  if (tensor.shape.size() == 1) return tensor.numbers[*row];
  const auto width = static_cast<size_t>(tensor.shape[1]);
  if (indices.size() == 1) {
    auto first = tensor.numbers.begin() + static_cast<ptrdiff_t>(*row * width);
    return Value(ConstantTensor{tensor.type, {tensor.shape[1]}, {first, first + static_cast<ptrdiff_t>(width)}});
  }
  auto column = position(indices[1], tensor.shape[1]);
  return column ? Outcome(tensor.numbers[*row * width + *column]) : no_item(tensor, index);
}

std::optional<Value> tensor_component(const ConstantTensor& vector, std::string_view name) {
  if (vector.shape.size() != 1 || name.size() != 1) return std::nullopt;
  for (std::string_view letters : {"xyzw", "rgba", "stpq"}) {
    const size_t at = letters.find(name[0]);
    if (at != std::string_view::npos && at < vector.numbers.size()) return vector.numbers[at];
  }
  return std::nullopt;
}

Outcome tensor_binary(Operator op, const Value& a, const Value& b) {
  auto *x = std::get_if<ConstantTensor>(&a), *y = std::get_if<ConstantTensor>(&b);
  const ConstantTensor& like = x ? *x : *y;
  auto no = [&] {
    return Outcome::failed(
        fmt::format("`{}` does not work on {} and {} at compile time", text(op), describe(a), describe(b)));
  };
  if (x && y && (x->shape != y->shape || x->type != y->type)) return no();
  if ((!x && !is_number(a)) || (!y && !is_number(b))) return no();
  ConstantTensor result{like.type, like.shape, {}};
  for (size_t i = 0; i < like.numbers.size(); ++i) {
    Outcome number = binary(op, x ? x->numbers[i] : a, y ? y->numbers[i] : b);
    if (!number.value) return number;
    if (!ir::is_float(like.type) && !as_integer(*number.value)) return no();
    result.numbers.push_back(convert(*number.value, like.type));
  }
  return Value(std::move(result));
}

Outcome tensor_method(const ConstantTensor& tensor, std::string_view name, const std::vector<Value>& arguments) {
  if (name == "dot" && arguments.size() == 1) {
    Outcome products = tensor_binary(Operator::Mult, Value(tensor), arguments[0]);
    return products.value ? tensor_method(std::get<ConstantTensor>(*products.value), "sum", {}) : products;
  }
  if (name == "norm_sqr" && arguments.empty()) return tensor_method(tensor, "dot", {Value(tensor)});
  if (arguments.empty() && !tensor.numbers.empty() && (name == "sum" || name == "max" || name == "min")) {
    Outcome result = tensor.numbers[0];
    for (size_t i = 1; i < tensor.numbers.size() && result.value; ++i) {
      const Value& number = tensor.numbers[i];
      if (name == "sum") {
        result = binary(Operator::Add, *result.value, number);
      } else {
        const double a = as_double(*result.value), b = as_double(number);
        if (name == "max" ? b > a : b < a) result = number;
      }
    }
    return result;
  }
  return Outcome::failed(
      fmt::format("the method `{}` of {} cannot be called like this at compile time", name, describe(Value(tensor))));
}

}  // namespace qd::frontend
