// Methods and functions of vectors and matrices.
#include "runtime/frontend/values/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "runtime/frontend/constants/builtins.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/operators.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

using ir::BinaryOp;
using ir::Type;
using syntax::Range;

namespace {

struct Function {
  std::string_view name;
  size_t least, most;  // arguments, the tensor itself among them
};

constexpr Function kFunctions[] = {
    {"transpose", 1, 1}, {"sum", 1, 1}, {"max", 1, 1}, {"min", 1, 1}, {"any", 1, 1}, {"all", 1, 1}, {"cast", 2, 2},
};

}  // namespace

bool is_tensor_method(std::string_view name) {
  return std::ranges::any_of(kFunctions, [&](const Function& f) { return f.name == name; });
}

Item sum_of(Compilation& c, const std::vector<Item>& numbers, const Range& range) {
  Item sum = numbers.at(0);
  for (size_t i = 1; i < numbers.size(); ++i) sum = add(c, sum, numbers[i], range);
  return sum;
}

Item tensor_function(Compilation& c, std::string_view name, const std::vector<Item>& args, const Range& range) {
  const Function* function = std::ranges::find_if(kFunctions, [&](const Function& f) { return f.name == name; });
  if (args.size() < function->least || args.size() > function->most) {
    return c.report.error(ErrorKind::Type, range,
                          fmt::format("`{}` takes {} argument{}, {} given", name, function->least - 1,
                                      function->least == 2 ? "" : "s", args.size() - 1));
  }
  for (const Item& arg : args) {
    if (poisoned(arg)) return Poison{};
  }
  auto first = as_tensor(c, args[0], range);
  if (!first)
    return c.report.error(ErrorKind::Type, range,
                          fmt::format("`{}` needs a vector or matrix, not {}", name, describe_item(c, args[0])));
  const Tensor& a = *first;
  std::vector<Item> numbers;
  for (size_t i = 0; i < a.numbers.size(); ++i) numbers.push_back(component_item(a, i));
  auto make = [&](const std::vector<Item>& list, std::vector<int32_t> shape) -> Item {
    auto tensor = tensor_of(c, list, std::move(shape), std::nullopt, range);
    return tensor ? Item(*tensor) : Item(Poison{});
  };
  auto fold_all = [&](BinaryOp op, std::string_view text) {
    Item result = numbers[0];
    for (size_t i = 1; i < numbers.size(); ++i) result = apply_binary(c, op, result, numbers[i], text, range);
    return result;
  };
  if (name == "transpose") {
    if (a.shape.size() == 1) return make(numbers, {1, a.shape[0]});
    std::vector<Item> result;
    for (int32_t column = 0; column < a.shape[1]; ++column) {
      for (int32_t row = 0; row < a.shape[0]; ++row)
        result.push_back(numbers[static_cast<size_t>(row * a.shape[1] + column)]);
    }
    return make(result, {a.shape[1], a.shape[0]});
  }
  if (name == "sum") return sum_of(c, numbers, range);
  if (name == "max") return fold_all(BinaryOp::Max, "max");
  if (name == "min") return fold_all(BinaryOp::Min, "min");
  if (name == "any" || name == "all") {
    for (Item& number : numbers) {
      auto truth = to_condition(c, number, range);
      if (!truth) return Poison{};
      number = Number{*truth, Type::U1};
    }
    return fold_all(name == "any" ? BinaryOp::BitOr : BinaryOp::BitAnd, name);
  }
  auto type = dtype_argument(c, args[1], range);  // cast
  return type ? convert_tensor(c, a, *type) : Item(Poison{});
}

}  // namespace qd::frontend
