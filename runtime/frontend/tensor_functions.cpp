// What vectors and matrices can do: the methods of their values, and the functions of qd.math on them.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "runtime/frontend/elementwise.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using ir::BinaryOp;
using ir::InstId;
using ir::Type;
using syntax::Range;

namespace {

struct Function {
  std::string_view name;
  size_t least, most;  // arguments, the tensor itself among them
};
constexpr Function kFunctions[] = {
    {"dot", 2, 2},       {"cross", 2, 2},    {"outer_product", 2, 2}, {"outer", 2, 2},     {"norm", 1, 2},
    {"norm_sqr", 1, 1},  {"norm_inv", 1, 2}, {"normalized", 1, 2},    {"transpose", 1, 1}, {"determinant", 1, 1},
    {"inverse", 1, 1},   {"trace", 1, 1},    {"sum", 1, 1},           {"max", 1, 1},       {"min", 1, 1},
    {"any", 1, 1},       {"all", 1, 1},      {"cast", 2, 2},          {"length", 1, 1},    {"distance", 2, 2},
    {"normalize", 1, 1}, {"reflect", 2, 2},  {"refract", 3, 3},
};

}  // namespace

bool Lowering::is_tensor_method(std::string_view name) const {
  return std::ranges::any_of(kFunctions, [&](const Function& f) { return f.name == name; });
}

Item Lowering::sum_of(const std::vector<Item>& numbers, const Range& range) {
  Item sum = numbers.at(0);
  for (size_t i = 1; i < numbers.size(); ++i) sum = add(sum, numbers[i], range);
  return sum;
}

Item Lowering::dot(const Tensor& a, const Tensor& b, const Range& range) {
  std::vector<Item> products;
  for (size_t i = 0; i < a.numbers.size(); ++i)
    products.push_back(multiply(component_item(a, i), component_item(b, i), range));
  return sum_of(products, range);
}

// By the first row, as the formula is written.
Item Lowering::determinant(const std::vector<Item>& m, int32_t n, const Range& range) {
  auto at = [&](int32_t row, int32_t column) { return m[static_cast<size_t>(row * n + column)]; };
  if (n == 1) return m[0];
  if (n == 2) {
    Item down = multiply(at(0, 0), at(1, 1), range);
    Item up = multiply(at(0, 1), at(1, 0), range);
    return subtract(down, up, range);
  }
  Item result = Poison{};
  for (int32_t column = 0; column < n; ++column) {
    std::vector<Item> minor;
    for (int32_t r = 1; r < n; ++r) {
      for (int32_t c = 0; c < n; ++c) {
        if (c != column) minor.push_back(at(r, c));
      }
    }
    Item term = multiply(at(0, column), determinant(minor, n - 1, range), range);
    if (column == 0) {
      result = term;
    } else {
      result = column % 2 ? subtract(result, term, range) : add(result, term, range);
    }
  }
  return result;
}

// The adjugate over the determinant.
Item Lowering::inverse(const Tensor& matrix, const Range& range) {
  const int32_t n = matrix.shape[0];
  Type type = ir::is_float(matrix.type) ? matrix.type : options_.default_fp;
  Tensor m = std::get<Tensor>(convert_tensor(matrix, type));
  std::vector<Item> numbers;
  for (size_t i = 0; i < m.numbers.size(); ++i) numbers.push_back(component_item(m, i));
  Item one = Number{constant(type, Value(1.0)), type};
  Item scale = divide(one, determinant(numbers, n, range), range);
  if (n == 1) return *tensor_of({scale}, m.shape, type, range);
  std::vector<Item> result;
  for (int32_t row = 0; row < n; ++row) {
    for (int32_t column = 0; column < n; ++column) {
      std::vector<Item> minor;
      for (int32_t r = 0; r < n; ++r) {
        for (int32_t c = 0; c < n; ++c) {
          if (r != column && c != row) minor.push_back(numbers[static_cast<size_t>(r * n + c)]);
        }
      }
      Item cofactor = multiply(scale, determinant(minor, n - 1, range), range);
      if ((row + column) % 2) {
        Number positive = std::get<Number>(cofactor);
        cofactor = Number{build_.unary(ir::UnaryOp::Neg, positive.id), positive.type};
      }
      result.push_back(cofactor);
    }
  }
  return *tensor_of(result, m.shape, type, range);
}

Item Lowering::tensor_function(std::string_view name, const std::vector<Item>& args, const Range& range) {
  const Function* function = std::ranges::find_if(kFunctions, [&](const Function& f) { return f.name == name; });
  if (args.size() < function->least || args.size() > function->most) {
    return error(ErrorKind::Type, range,
                 fmt::format("`{}` takes {} argument{}, {} given", name, function->least - 1,
                             function->least == 2 ? "" : "s", args.size() - 1));
  }
  for (const Item& arg : args) {
    if (poisoned(arg)) return Poison{};
  }
  auto first = as_tensor(args[0], range);
  if (!first)
    return error(ErrorKind::Type, range,
                 fmt::format("`{}` needs a vector or matrix, not {}", name, describe_item(args[0])));
  const Tensor& a = *first;
  std::vector<Item> numbers;
  for (size_t i = 0; i < a.numbers.size(); ++i) numbers.push_back(component_item(a, i));
  const Type float_type = ir::is_float(a.type) ? a.type : options_.default_fp;
  auto needs = [&](bool fits, std::string_view what) {
    if (!fits) error(ErrorKind::Type, range, fmt::format("`{}` needs {}, not {}", name, what, describe_item(a)));
    return fits;
  };
  auto make = [&](const std::vector<Item>& list, std::vector<int32_t> shape) -> Item {
    auto tensor = tensor_of(list, std::move(shape), std::nullopt, range);
    return tensor ? Item(*tensor) : Item(Poison{});
  };
  auto root = [&](const Item& item) -> Item {
    auto value = coerce(item, float_type, range);
    return value ? Item(Number{build_.unary(ir::UnaryOp::Sqrt, *value), float_type}) : Item(Poison{});
  };
  auto fold_all = [&](BinaryOp op, std::string_view text) {
    Item result = numbers[0];
    for (size_t i = 1; i < numbers.size(); ++i) result = apply_binary(op, result, numbers[i], text, range);
    return result;
  };
  auto norm = [&]() -> Item {
    Item squares = dot(a, a, range);
    if (args.size() == 2) squares = add(squares, args[1], range);
    return root(squares);
  };
  auto one = [&] { return Item(Number{constant(float_type, Value(1.0)), float_type}); };

  std::optional<Tensor> second;
  if (name == "dot" || name == "cross" || name == "outer" || name == "outer_product" || name == "distance" ||
      name == "reflect" || name == "refract") {
    second = as_tensor(args[1], range);
    if (!second)
      return error(ErrorKind::Type, range, fmt::format("`{}` needs a vector, not {}", name, describe_item(args[1])));
    const bool same = a.shape == second->shape;
    const bool outer = name.starts_with("outer") && a.shape.size() == 1 && second->shape.size() == 1;
    if (!same && !outer)
      return error(ErrorKind::Type, range,
                   fmt::format("{} and {} have different shapes", describe_item(a), describe_item(*second)));
  }
  if (name == "dot") return dot(a, *second, range);
  if (name == "cross") {
    if (a.shape == std::vector{2}) {
      Item left = multiply(numbers[0], component_item(*second, 1), range);
      Item right = multiply(numbers[1], component_item(*second, 0), range);
      return subtract(left, right, range);
    }
    if (!needs(a.shape == std::vector{3}, "vectors of 2 or 3 components")) return Poison{};
    std::vector<Item> result;
    for (size_t i = 0; i < 3; ++i) {
      const size_t j = (i + 1) % 3, k = (i + 2) % 3;
      Item left = multiply(numbers[j], component_item(*second, k), range);
      Item right = multiply(numbers[k], component_item(*second, j), range);
      result.push_back(subtract(left, right, range));
    }
    return make(result, a.shape);
  }
  if (name == "outer" || name == "outer_product") {
    if (!needs(a.shape.size() == 1, "vectors")) return Poison{};
    std::vector<Item> result;
    for (const Item& row : numbers) {
      for (size_t i = 0; i < second->numbers.size(); ++i)
        result.push_back(multiply(row, component_item(*second, i), range));
    }
    return make(result, {a.shape[0], second->shape[0]});
  }
  if (name == "norm" || name == "length") return norm();
  if (name == "norm_sqr") return dot(a, a, range);
  if (name == "norm_inv") {
    Item length = norm();
    return divide(one(), length, range);
  }
  if (name == "normalized" || name == "normalize") {
    Item length = root(dot(a, a, range));
    if (args.size() == 2) length = add(length, args[1], range);
    Item scale = divide(one(), length, range);
    return multiply(a, scale, range);
  }
  if (name == "distance") return tensor_function("norm", {subtract(a, *second, range)}, range);
  if (name == "reflect") {
    Item across = dot(a, *second, range);
    Item twice = multiply(Value(int64_t{2}), across, range);
    return subtract(a, multiply(twice, *second, range), range);
  }
  if (name == "refract") {
    // GLSL's refract: the incident vector, the normal, the ratio of the indices.
    const Item one_number = Value(1.0);
    Item across = dot(a, *second, range);
    Item sine = subtract(one_number, multiply(across, across, range), range);
    Item ratio = multiply(args[2], args[2], range);
    Item rest = subtract(one_number, multiply(ratio, sine, range), range);
    Item positive = fold(*find_builtin("max"), {rest, Item(Value(0.0))}, range);
    Item along = multiply(args[2], across, range);
    Item shift = add(along, root(positive), range);
    Item straight = multiply(args[2], a, range);
    Item bent = subtract(straight, multiply(shift, *second, range), range);
    auto inside = compare_pair(syntax::CmpOperator::GtE, rest, Value(0.0), range);
    return inside ? select({Item(Number{*inside, Type::U1}), bent, Item(Value(0.0))}, range) : Item(Poison{});
  }
  if (name == "transpose") {
    if (a.shape.size() == 1) return make(numbers, {1, a.shape[0]});
    std::vector<Item> result;
    for (int32_t column = 0; column < a.shape[1]; ++column) {
      for (int32_t row = 0; row < a.shape[0]; ++row)
        result.push_back(numbers[static_cast<size_t>(row * a.shape[1] + column)]);
    }
    return make(result, {a.shape[1], a.shape[0]});
  }
  const bool square = a.shape.size() == 2 && a.shape[0] == a.shape[1];
  if (name == "determinant" || name == "inverse") {
    if (!needs(square && a.shape[0] <= 4, "a square matrix of at most 4 rows")) return Poison{};
    return name == "inverse" ? inverse(a, range) : determinant(numbers, a.shape[0], range);
  }
  if (name == "trace") {
    if (!needs(square, "a square matrix")) return Poison{};
    std::vector<Item> diagonal;
    for (int32_t i = 0; i < a.shape[0]; ++i) diagonal.push_back(numbers[static_cast<size_t>(i * a.shape[0] + i)]);
    return sum_of(diagonal, range);
  }
  if (name == "sum") return sum_of(numbers, range);
  if (name == "max") return fold_all(BinaryOp::Max, "max");
  if (name == "min") return fold_all(BinaryOp::Min, "min");
  if (name == "any" || name == "all") {
    for (Item& number : numbers) {
      auto truth = condition(number, range);
      if (!truth) return Poison{};
      number = Number{*truth, Type::U1};
    }
    return fold_all(name == "any" ? BinaryOp::BitOr : BinaryOp::BitAnd, name);
  }
  auto type = dtype_argument(args[1], range);  // cast
  return type ? convert_tensor(a, *type) : Item(Poison{});
}

}  // namespace qd::frontend
