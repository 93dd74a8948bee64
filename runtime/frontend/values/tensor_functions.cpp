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
    {"dot", 2, 2},       {"cross", 2, 2},    {"outer_product", 2, 2}, {"outer", 2, 2},     {"norm", 1, 2},
    {"norm_sqr", 1, 1},  {"norm_inv", 1, 2}, {"normalized", 1, 2},    {"transpose", 1, 1}, {"determinant", 1, 1},
    {"inverse", 1, 1},   {"trace", 1, 1},    {"sum", 1, 1},           {"max", 1, 1},       {"min", 1, 1},
    {"any", 1, 1},       {"all", 1, 1},      {"cast", 2, 2},          {"length", 1, 1},    {"distance", 2, 2},
    {"normalize", 1, 1}, {"reflect", 2, 2},  {"refract", 3, 3},
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

namespace {

Item dot_product(Compilation& c, const Tensor& a, const Tensor& b, const Range& range) {
  std::vector<Item> products;
  for (size_t i = 0; i < a.numbers.size(); ++i)
    products.push_back(multiply(c, component_item(a, i), component_item(b, i), range));
  return sum_of(c, products, range);
}

// The determinant, expanded by the first row.
Item determinant(Compilation& c, const std::vector<Item>& m, int32_t n, const Range& range) {
  auto at = [&](int32_t row, int32_t column) { return m[static_cast<size_t>(row * n + column)]; };
  if (n == 1) return m[0];
  if (n == 2) {
    Item down = multiply(c, at(0, 0), at(1, 1), range);
    Item up = multiply(c, at(0, 1), at(1, 0), range);
    return subtract(c, down, up, range);
  }
  Item result = Poison{};
  for (int32_t column = 0; column < n; ++column) {
    std::vector<Item> minor;
    for (int32_t r = 1; r < n; ++r) {
      for (int32_t c = 0; c < n; ++c) {
        if (c != column) minor.push_back(at(r, c));
      }
    }
    Item term = multiply(c, at(0, column), determinant(c, minor, n - 1, range), range);
    if (column == 0) {
      result = term;
    } else {
      result = column % 2 ? subtract(c, result, term, range) : add(c, result, term, range);
    }
  }
  return result;
}

// The inverse: the adjugate over the determinant.
Item inverse(Compilation& c, const Tensor& matrix, const Range& range) {
  const int32_t n = matrix.shape[0];
  Type type = ir::is_float(matrix.type) ? matrix.type : c.options.default_fp;
  Tensor m = std::get<Tensor>(convert_tensor(c, matrix, type));
  std::vector<Item> numbers;
  for (size_t i = 0; i < m.numbers.size(); ++i) numbers.push_back(component_item(m, i));
  Item one = Number{c.build.constant(type, Value(1.0)), type};
  Item scale = divide(c, one, determinant(c, numbers, n, range), range);
  if (n == 1) return *tensor_of(c, {scale}, m.shape, type, range);
  std::vector<Item> result;
  for (int32_t row = 0; row < n; ++row) {
    for (int32_t column = 0; column < n; ++column) {
      std::vector<Item> minor;
      for (int32_t r = 0; r < n; ++r) {
        for (int32_t c = 0; c < n; ++c) {
          if (r != column && c != row) minor.push_back(numbers[static_cast<size_t>(r * n + c)]);
        }
      }
      Item cofactor = multiply(c, scale, determinant(c, minor, n - 1, range), range);
      if ((row + column) % 2) {
        Number positive = std::get<Number>(cofactor);
        cofactor = Number{c.build.unary(ir::UnaryOp::Neg, positive.id), positive.type};
      }
      result.push_back(cofactor);
    }
  }
  return *tensor_of(c, result, m.shape, type, range);
}

}  // namespace

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
  const Type float_type = ir::is_float(a.type) ? a.type : c.options.default_fp;
  auto needs = [&](bool fits, std::string_view what) {
    if (!fits)
      c.report.error(ErrorKind::Type, range, fmt::format("`{}` needs {}, not {}", name, what, describe_item(c, a)));
    return fits;
  };
  auto make = [&](const std::vector<Item>& list, std::vector<int32_t> shape) -> Item {
    auto tensor = tensor_of(c, list, std::move(shape), std::nullopt, range);
    return tensor ? Item(*tensor) : Item(Poison{});
  };
  auto root = [&](const Item& item) -> Item {
    auto value = coerce(c, item, float_type, range);
    return value ? Item(Number{c.build.unary(ir::UnaryOp::Sqrt, *value), float_type}) : Item(Poison{});
  };
  auto fold_all = [&](BinaryOp op, std::string_view text) {
    Item result = numbers[0];
    for (size_t i = 1; i < numbers.size(); ++i) result = apply_binary(c, op, result, numbers[i], text, range);
    return result;
  };
  auto norm = [&]() -> Item {
    Item squares = dot_product(c, a, a, range);
    if (args.size() == 2) squares = add(c, squares, args[1], range);
    return root(squares);
  };
  auto one = [&] { return Item(Number{c.build.constant(float_type, Value(1.0)), float_type}); };

  std::optional<Tensor> second;
  if (name == "dot" || name == "cross" || name == "outer" || name == "outer_product" || name == "distance" ||
      name == "reflect" || name == "refract") {
    second = as_tensor(c, args[1], range);
    if (!second)
      return c.report.error(ErrorKind::Type, range,
                            fmt::format("`{}` needs a vector, not {}", name, describe_item(c, args[1])));
    const bool same = a.shape == second->shape;
    const bool outer = name.starts_with("outer") && a.shape.size() == 1 && second->shape.size() == 1;
    if (!same && !outer)
      return c.report.error(
          ErrorKind::Type, range,
          fmt::format("{} and {} have different shapes", describe_item(c, a), describe_item(c, *second)));
  }
  if (name == "dot") return dot_product(c, a, *second, range);
  if (name == "cross") {
    if (a.shape == std::vector{2}) {
      Item left = multiply(c, numbers[0], component_item(*second, 1), range);
      Item right = multiply(c, numbers[1], component_item(*second, 0), range);
      return subtract(c, left, right, range);
    }
    if (!needs(a.shape == std::vector{3}, "vectors of 2 or 3 components")) return Poison{};
    std::vector<Item> result;
    for (size_t i = 0; i < 3; ++i) {
      const size_t j = (i + 1) % 3, k = (i + 2) % 3;
      Item left = multiply(c, numbers[j], component_item(*second, k), range);
      Item right = multiply(c, numbers[k], component_item(*second, j), range);
      result.push_back(subtract(c, left, right, range));
    }
    return make(result, a.shape);
  }
  if (name == "outer" || name == "outer_product") {
    if (!needs(a.shape.size() == 1, "vectors")) return Poison{};
    std::vector<Item> result;
    for (const Item& row : numbers) {
      for (size_t i = 0; i < second->numbers.size(); ++i)
        result.push_back(multiply(c, row, component_item(*second, i), range));
    }
    return make(result, {a.shape[0], second->shape[0]});
  }
  if (name == "norm" || name == "length") return norm();
  if (name == "norm_sqr") return dot_product(c, a, a, range);
  if (name == "norm_inv") {
    Item length = norm();
    return divide(c, one(), length, range);
  }
  if (name == "normalized" || name == "normalize") {
    Item length = root(dot_product(c, a, a, range));
    if (args.size() == 2) length = add(c, length, args[1], range);
    Item scale = divide(c, one(), length, range);
    return multiply(c, a, scale, range);
  }
  if (name == "distance") return tensor_function(c, "norm", {subtract(c, a, *second, range)}, range);
  if (name == "reflect") {
    Item across = dot_product(c, a, *second, range);
    Item twice = multiply(c, Value(int64_t{2}), across, range);
    return subtract(c, a, multiply(c, twice, *second, range), range);
  }
  if (name == "refract") {
    // GLSL's refract: the incident vector, the normal, the ratio of the indices.
    const Item one_number = Value(1.0);
    Item across = dot_product(c, a, *second, range);
    Item sine = subtract(c, one_number, multiply(c, across, across, range), range);
    Item ratio = multiply(c, args[2], args[2], range);
    Item rest = subtract(c, one_number, multiply(c, ratio, sine, range), range);
    Item positive = fold_values(c, *find_builtin("max"), {rest, Item(Value(0.0))}, range);
    Item along = multiply(c, args[2], across, range);
    Item shift = add(c, along, root(positive), range);
    Item straight = multiply(c, args[2], a, range);
    Item bent = subtract(c, straight, multiply(c, shift, *second, range), range);
    auto inside = compare_pair(c, syntax::CmpOperator::GtE, rest, Value(0.0), range);
    return inside ? select_values(c, {Item(Number{*inside, Type::U1}), bent, Item(Value(0.0))}, range) : Item(Poison{});
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
    return name == "inverse" ? inverse(c, a, range) : determinant(c, numbers, a.shape[0], range);
  }
  if (name == "trace") {
    if (!needs(square, "a square matrix")) return Poison{};
    std::vector<Item> diagonal;
    for (int32_t i = 0; i < a.shape[0]; ++i) diagonal.push_back(numbers[static_cast<size_t>(i * a.shape[0] + i)]);
    return sum_of(c, diagonal, range);
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
