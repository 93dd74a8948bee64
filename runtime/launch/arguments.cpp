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
  std::string detail =
      arguments.size() > expected ? "" : fmt::format(": missing \"{}\"", signature.parameters[arguments.size()].name);
  throw KernelRuntimeTypeError(fmt::format("Kernel {} takes {} argument{}, got {}{}", kernel, expected,
                                           expected == 1 ? "" : "s", arguments.size(), detail));
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

/// The type of an argument that is an array; false when it is none. For foreign memory, the last axes are those of the
/// elements, if the parameter wants vectors or matrices.
bool array_of(const Argument& argument, const Parameter& parameter, frontend::ArrayType& type) {
  if (Ndarray* const* array = std::get_if<Ndarray*>(&argument); array && *array) {
    type = {(*array)->type(), static_cast<int32_t>((*array)->shape().size()), (*array)->element_shape(),
            (*array)->layout()};
    return true;
  }
  const ArrayView* view = std::get_if<ArrayView>(&argument);
  if (!view) return false;
  type = {view->type, view->rank};
  const size_t axes = parameter.element_shape ? parameter.element_shape->size() : 0;
  for (int32_t axis = view->rank; view->fortran_order && axis-- > 0;) type.layout.order.push_back(axis);
  if (axes == 0 || view->rank < static_cast<int32_t>(axes)) return true;
  type.rank -= static_cast<int32_t>(axes);
  type.element_shape.assign(view->shape + type.rank, view->shape + view->rank);
  for (int32_t extent : type.element_shape) type.layout.components *= extent;
  return true;
}

/// Whether elements have the shape that a parameter wants.
bool fits(const std::vector<int32_t>& wanted, const std::vector<int32_t>& shape) {
  return std::ranges::equal(
      wanted, shape, [](int32_t extent, int32_t given) { return extent == frontend::kAnyExtent || extent == given; });
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

}  // namespace

VariantKey variant_key(const std::string& kernel, const frontend::Signature& signature,
                       std::span<const Argument> arguments, Program::State& program, ir::AutodiffMode mode) {
  check_count(kernel, signature, arguments);
  VariantKey key;
  key.mode = mode;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Parameter& parameter = signature.parameters[i];
    switch (parameter.kind) {
      case Parameter::Kind::Scalar: key.arguments.emplace_back(*parameter.type); break;
      case Parameter::Kind::Array: {
        frontend::ArrayType array;
        bool fitting = array_of(arguments[i], parameter, array) && array.rank <= kMaxRank;
        fitting = fitting && (!parameter.type || *parameter.type == array.type) &&
                  (!parameter.rank || *parameter.rank == array.rank);
        fitting = fitting && (!parameter.element_shape || fits(*parameter.element_shape, array.element_shape));
        if (!fitting) {
          const std::vector<int32_t> element = parameter.element_shape.value_or(std::vector<int32_t>());
          const std::string got = array.type == ir::Type::Void ? argument_text(arguments[i]) : array_text(array);
          mismatch(kernel, parameter, array_text(parameter.type, parameter.rank, element), got);
        }
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

void bind_leaves(const frontend::TemplateReads& reads, const frontend::TemplateLeaves& leaves, const ir::Kernel& kernel,
                 ArraySlot* arrays, uint64_t* params) {
  size_t next = 0;
  for (const frontend::TemplateRead& read : reads) {
    if (read.array >= 0)
      arrays[read.array] =
          reinterpret_cast<const Ndarray*>(std::get<frontend::HostArray>(leaves.values[next++]).id)->slot();
    if (read.param < 0) continue;
    const ir::Type type = kernel.params[static_cast<size_t>(read.param)].type;
    const Value& number = leaves.values[next++];
    if (const double* real = std::get_if<double>(&number)) {
      params[read.param] = float_word(type, *real);
    } else {
      const bool* truth = std::get_if<bool>(&number);
      params[read.param] = static_cast<uint64_t>(truth ? *truth : std::get<int64_t>(number));
    }
  }
}

std::vector<std::shared_ptr<device::Memory>> memories_of(std::span<const Argument> arguments,
                                                         const frontend::TemplateReads& reads,
                                                         const frontend::TemplateLeaves& leaves) {
  std::vector<std::shared_ptr<device::Memory>> memories;
  for (const Argument& argument : arguments) {
    if (Ndarray* const* array = std::get_if<Ndarray*>(&argument)) memories.push_back((*array)->memory());
  }
  size_t next = 0;
  for (const frontend::TemplateRead& read : reads) {
    if (read.array >= 0)
      memories.push_back(
          reinterpret_cast<const Ndarray*>(std::get<frontend::HostArray>(leaves.values[next++]).id)->memory());
    if (read.param >= 0) ++next;
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

bool bind_argument(const std::string& kernel, const Parameter& parameter, const frontend::ArgumentType& bound_to,
                   const Argument& argument, Program::State& program, ArraySlot* array, uint64_t* param) {
  switch (parameter.kind) {
    case Parameter::Kind::Scalar: *param = scalar_word(kernel, parameter, argument); return true;
    case Parameter::Kind::Array: {
      frontend::ArrayType type;
      if (!array_of(argument, parameter, type) || type != std::get<frontend::ArrayType>(bound_to)) return false;
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
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Parameter& parameter = signature.parameters[i];
    if (!bind_argument(kernel, parameter, key.arguments[i], arguments[i], program, arrays, params)) return false;
    arrays += parameter.kind == Parameter::Kind::Array;
    params += parameter.kind == Parameter::Kind::Scalar;
  }
  return true;
}

}  // namespace qd
