// Checks of arguments. The messages name the argument, the expected type and the given one.
#include "runtime/launch/arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "runtime/frontend/constants/value_text.h"
#include "runtime/ir/half.h"
#include "runtime/launch/program_state.h"
#include "runtime/syntax/ast.h"

namespace qd {
namespace {

using frontend::array_text;
using frontend::Parameter;
using frontend::Value;

using syntax::overloaded;

std::string argument_text(const Argument& argument) {
  return std::visit(overloaded{
                        [](int64_t i) { return fmt::format("int {}", i); },
                        [](double d) { return fmt::format("float {}", d); },
                        [](Ndarray* a) {
                          return a ? array_text(a->type(), static_cast<int32_t>(a->shape().size()), a->element_shape())
                                   : "null";
                        },
                        [](const ArrayView& v) { return array_text(v.type, v.rank, {}); },
                        [](const Value& v) { return value_text(v); },
                    },
                    argument);
}

[[noreturn]] void mismatch(const std::string& kernel, const Parameter& parameter, const std::string& expected,
                           const std::string& got) {
  throw KernelRuntimeTypeError(
      fmt::format("Argument \"{}\" of kernel {}: expected {}, got {}", parameter.name, kernel, expected, got));
}

void check_count(const std::string& kernel, const frontend::Signature& signature, std::span<const Argument> arguments) {
  const size_t expected = signature.parameters.size();
  if (arguments.size() == expected) return;
  const std::string wrong = arguments.size() > expected
                                ? "Too many arguments"
                                : fmt::format("Missing argument '{}'", signature.parameters[arguments.size()].name);
  throw KernelArgumentError(fmt::format("{}: Kernel {} takes {} argument{}, got {}", wrong, kernel, expected,
                                        expected == 1 ? "" : "s", arguments.size()));
}

/// An integer in the type of a parameter. 255 is -1 for an i8: its 8 bits, as Taichi's users write masks. Nothing when
/// bits would be lost. Every 64-bit integer fits: a u64 comes as its bits.
std::optional<int64_t> wrapped(ir::Type type, int64_t value) {
  const int width = ir::bit_width(type);
  if (width == 64) return value;
  if (value < (ir::is_signed(type) ? -(int64_t{1} << (width - 1)) : 0) || value >= int64_t{1} << width)
    return std::nullopt;
  const bool wraps = ir::is_signed(type) && value >= int64_t{1} << (width - 1);
  return wraps ? value - (int64_t{1} << width) : value;
}

uint64_t float_word(ir::Type type, double value) {
  if (type == ir::Type::F64) return std::bit_cast<uint64_t>(value);
  if (type == ir::Type::F16) return ir::half_from_double(value);
  return std::bit_cast<uint32_t>(static_cast<float>(value));
}

uint64_t scalar_word(const std::string& kernel, const Parameter& parameter, const Argument& argument) {
  const ir::Type type = *parameter.type;
  const int64_t* integer = std::get_if<int64_t>(&argument);
  const double* real = std::get_if<double>(&argument);
  int64_t from_bool;
  if (const Value* value = std::get_if<Value>(&argument)) {
    integer = std::get_if<int64_t>(value);
    real = std::get_if<double>(value);
    if (const bool* b = std::get_if<bool>(value)) {
      from_bool = *b;
      integer = &from_bool;
    }
  }
  if (ir::is_float(type)) {
    if (real) return float_word(type, *real);
    if (integer) return float_word(type, static_cast<double>(*integer));
  } else if (integer) {
    if (type == ir::Type::U1) return *integer != 0;
    if (auto number = wrapped(type, *integer)) return static_cast<uint64_t>(*number);
    mismatch(kernel, parameter, std::string(ir::name(type)), fmt::format("{}, which is out of its range", *integer));
  }
  mismatch(kernel, parameter, std::string(ir::name(type)), argument_text(argument));
}

/// The type of foreign memory. The last axes are those of the elements, if the parameter wants vectors or matrices.
frontend::ArrayType type_of(const ArrayView& view, const Parameter& parameter) {
  frontend::ArrayType type{view.type, view.rank};
  const size_t axes = parameter.element_shape ? parameter.element_shape->size() : 0;
  for (int32_t axis = view.rank; view.fortran_order && axis-- > 0;) type.layout.order.push_back(axis);
  if (axes == 0 || view.rank < static_cast<int32_t>(axes)) return type;
  type.rank -= static_cast<int32_t>(axes);
  type.element_shape.assign(view.shape + type.rank, view.shape + view.rank);
  for (int32_t extent : type.element_shape) type.layout.components *= extent;
  return type;
}

/// The layout of the gradient of an argument that is an array; nothing: it has none.
std::optional<ir::Layout> gradient_layout(const Argument& argument, const Parameter& parameter) {
  if (Ndarray* const* array = std::get_if<Ndarray*>(&argument); array && *array) {
    const Ndarray* gradient = (*array)->gradient();
    return gradient ? std::optional(gradient->layout()) : std::nullopt;
  }
  const ArrayView* view = std::get_if<ArrayView>(&argument);
  return view && view->gradient ? std::optional(type_of(*view->gradient, parameter).layout) : std::nullopt;
}

/// The type of an argument that is an array; false when it is none. `gradients`: as in VariantKey.
bool array_of(const Argument& argument, const Parameter& parameter, bool gradients, frontend::ArrayType& type) {
  if (Ndarray* const* array = std::get_if<Ndarray*>(&argument); array && *array) {
    type = {(*array)->type(), static_cast<int32_t>((*array)->shape().size()), (*array)->element_shape(),
            (*array)->layout()};
  } else if (const ArrayView* view = std::get_if<ArrayView>(&argument)) {
    type = type_of(*view, parameter);
  } else {
    return false;
  }
  if (parameter.needs_grad.value_or(gradients)) type.gradient = gradient_layout(argument, parameter);
  return true;
}

/// Whether elements have the shape that a parameter wants.
bool fits(const std::vector<int32_t>& wanted, const std::vector<int32_t>& shape) {
  return std::ranges::equal(
      wanted, shape, [](int32_t extent, int32_t given) { return extent == frontend::kAnyExtent || extent == given; });
}

/// Whether the numbers of an argument are of the type that a parameter wants. In foreign memory, the numbers of vectors
/// and matrices of a known shape may be of any type, as in Taichi and Quadrants: the variant is for theirs.
bool fits_type(const Parameter& parameter, const Argument& argument, ir::Type type) {
  if (!parameter.type || *parameter.type == type) return true;
  return std::holds_alternative<ArrayView>(argument) && parameter.element_shape && !parameter.element_shape->empty() &&
         std::ranges::find(*parameter.element_shape, frontend::kAnyExtent) == parameter.element_shape->end();
}

void fill_slot(const std::string& kernel, const Parameter& parameter, const Argument& argument, ArraySlot& slot) {
  if (Ndarray* const* array = std::get_if<Ndarray*>(&argument)) {
    slot = (*array)->slot();
    return;
  }
  const ArrayView& view = std::get<ArrayView>(argument);
  slot.data = view.data;
  std::copy_n(view.shape, kMaxRank, slot.shape);
  if (reinterpret_cast<uintptr_t>(view.data) % ir::size_in_bytes(view.type) != 0) {
    mismatch(kernel, parameter, "an array with aligned elements", "one that is not aligned");
  }
}

[[noreturn]] void refuse_without_gradient(const std::string& kernel, const Parameter& parameter) {
  throw KernelRuntimeTypeError(
      fmt::format("Argument \"{}\" of kernel {}: expected an ndarray with a gradient; make it with needs_grad=True",
                  parameter.name, kernel));
}

Value template_value(const std::string& kernel, const Parameter& parameter, const Argument& argument,
                     Program::State& program) {
  if (const Value* value = std::get_if<Value>(&argument)) return *value;
  if (const int64_t* integer = std::get_if<int64_t>(&argument)) return *integer;
  if (const double* real = std::get_if<double>(&argument)) return *real;
  if (Ndarray* const* array = std::get_if<Ndarray*>(&argument)) {
    if (const Field* field = program.field_of(*array)) return field->value();
  }
  mismatch(kernel, parameter, "a field or a value (template)", argument_text(argument));
}

const Ndarray& array_of(const Value& value) {
  return *reinterpret_cast<const Ndarray*>(std::get<frontend::HostArray>(value).id);
}

}  // namespace

VariantKey variant_key(const std::string& kernel, const frontend::Signature& signature,
                       std::span<const Argument> arguments, Program::State& program, ir::AutodiffMode mode,
                       bool gradients) {
  check_count(kernel, signature, arguments);
  VariantKey key;
  key.mode = mode;
  key.gradients = gradients;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Parameter& parameter = signature.parameters[i];
    switch (parameter.kind) {
      case Parameter::Kind::Scalar: key.arguments.emplace_back(*parameter.type); break;
      case Parameter::Kind::Array: {
        frontend::ArrayType array;
        bool fitting = array_of(arguments[i], parameter, gradients, array) && array.rank <= kMaxRank;
        fitting = fitting && fits_type(parameter, arguments[i], array.type) &&
                  (!parameter.rank || *parameter.rank == array.rank);
        fitting = fitting && (!parameter.element_shape || fits(*parameter.element_shape, array.element_shape));
        if (!fitting) {
          const std::vector<int32_t> element = parameter.element_shape.value_or(std::vector<int32_t>());
          const std::string got = array.type == ir::Type::Void ? argument_text(arguments[i]) : array_text(array);
          mismatch(kernel, parameter, array_text(parameter.type, parameter.rank, element), got);
        }
        if (parameter.needs_grad.value_or(false) && !array.gradient) refuse_without_gradient(kernel, parameter);
        key.arguments.emplace_back(array);
        break;
      }
      case Parameter::Kind::Template:
        key.arguments.emplace_back(template_value(kernel, parameter, arguments[i], program));
        break;
    }
  }
  return key;
}

std::vector<GradientRow> gradient_rows(const ir::Kernel& kernel, const frontend::Signature& signature) {
  std::vector<GradientRow> rows;
  size_t row = 0;
  for (uint32_t i = 0; i < signature.parameters.size(); ++i) {
    if (signature.parameters[i].kind != Parameter::Kind::Array) continue;
    const uint32_t gradient = kernel.arrays[row++].gradient;
    if (gradient != ir::Array::kNone) rows.push_back({i, gradient});
  }
  return rows;
}

void bind_gradients(const std::string& kernel, const frontend::Signature& signature,
                    const std::vector<GradientRow>& gradients, const ir::Kernel& variant,
                    std::span<const Argument> arguments, ArraySlot* arrays) {
  for (const GradientRow& gradient : gradients) {
    const Parameter& parameter = signature.parameters[gradient.parameter];
    const Argument& argument = arguments[gradient.parameter];
    const std::optional<ir::Layout> layout = gradient_layout(argument, parameter);
    if (!layout || *layout != variant.arrays[gradient.row].layout) refuse_without_gradient(kernel, parameter);
    if (Ndarray* const* array = std::get_if<Ndarray*>(&argument)) {
      arrays[gradient.row] = (*array)->gradient()->slot();
    } else {
      fill_slot(kernel, parameter, *std::get<ArrayView>(argument).gradient, arrays[gradient.row]);
    }
  }
}

std::vector<LeafRow> leaf_rows(const frontend::TemplateReads& reads) {
  std::vector<LeafRow> rows;
  for (const frontend::TemplateRead& read : reads) {
    if (read.array >= 0) rows.push_back({read.array, -1});
    if (read.param >= 0) rows.push_back({-1, read.param});
  }
  return rows;
}

void bind_leaves(const std::vector<LeafRow>& rows, const frontend::TemplateLeaves& leaves, const ir::Kernel& kernel,
                 ArraySlot* arrays, uint64_t* params) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const LeafRow& row = rows[i];
    const Value& value = (*leaves.values)[i];
    if (row.array >= 0) {
      const Ndarray& array = array_of(value);
      arrays[row.array] = array.slot();
      const uint32_t gradient = kernel.arrays[static_cast<size_t>(row.array)].gradient;
      if (gradient != ir::Array::kNone) arrays[gradient] = array.gradient()->slot();
      continue;
    }
    const ir::Type type = kernel.params[static_cast<size_t>(row.param)].type;
    if (const double* real = std::get_if<double>(&value)) {
      params[row.param] = float_word(type, *real);
    } else {
      const bool* truth = std::get_if<bool>(&value);
      params[row.param] = static_cast<uint64_t>(truth ? *truth : std::get<int64_t>(value));
    }
  }
}

std::vector<std::shared_ptr<device::Memory>> memories_of(std::span<const Argument> arguments,
                                                         const std::vector<GradientRow>& gradients,
                                                         const std::vector<LeafRow>& rows,
                                                         const frontend::TemplateLeaves& leaves,
                                                         const ir::Kernel& kernel) {
  std::vector<std::shared_ptr<device::Memory>> memories;
  for (const Argument& argument : arguments) {
    if (Ndarray* const* array = std::get_if<Ndarray*>(&argument)) memories.push_back((*array)->memory());
  }
  for (const GradientRow& gradient : gradients) {
    if (Ndarray* const* array = std::get_if<Ndarray*>(&arguments[gradient.parameter]))
      memories.push_back((*array)->gradient()->memory());
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].array < 0) continue;
    const Ndarray& array = array_of((*leaves.values)[i]);
    memories.push_back(array.memory());
    if (kernel.arrays[static_cast<size_t>(rows[i].array)].gradient != ir::Array::kNone)
      memories.push_back(array.gradient()->memory());
  }
  return memories;
}

std::vector<uint32_t> rows_of(const frontend::Signature& signature) {
  std::vector<uint32_t> rows;
  uint32_t arrays = 0, scalars = 0;
  for (const Parameter& parameter : signature.parameters) {
    rows.push_back(parameter.kind == Parameter::Kind::Array    ? arrays++
                   : parameter.kind == Parameter::Kind::Scalar ? scalars++
                                                               : 0);
  }
  return rows;
}

bool bind_argument(const std::string& kernel, const frontend::Signature& signature, const VariantKey& key,
                   uint32_t number, const Argument& argument, Program::State& program, ArraySlot* array,
                   uint64_t* param) {
  const Parameter& parameter = signature.parameters[number];
  const frontend::ArgumentType& bound_to = key.arguments[number];
  switch (parameter.kind) {
    case Parameter::Kind::Scalar: *param = scalar_word(kernel, parameter, argument); return true;
    case Parameter::Kind::Array: {
      frontend::ArrayType type;
      if (!array_of(argument, parameter, key.gradients, type) || type != std::get<frontend::ArrayType>(bound_to) ||
          !fits_type(parameter, argument, type.type))
        return false;
      fill_slot(kernel, parameter, argument, *array);
      return true;
    }
    case Parameter::Kind::Template:
      return frontend::same_value(template_value(kernel, parameter, argument, program), std::get<Value>(bound_to));
  }
  return false;
}

bool bind_arguments(const std::string& kernel, const frontend::Signature& signature, const VariantKey& key,
                    std::span<const Argument> arguments, Program::State& program, ArraySlot* arrays, uint64_t* params) {
  if (arguments.size() != key.arguments.size()) return false;
  for (uint32_t i = 0; i < arguments.size(); ++i) {
    if (!bind_argument(kernel, signature, key, i, arguments[i], program, arrays, params)) return false;
    arrays += signature.parameters[i].kind == Parameter::Kind::Array;
    params += signature.parameters[i].kind == Parameter::Kind::Scalar;
  }
  return true;
}

}  // namespace qd
