// Vectors, matrices and structs of known numbers, zeros, and conversions to a compound type.
#include "runtime/frontend/values/tensors.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/compound_types.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {

using ir::Type;
using syntax::Range;

Item constant_tensor(Compilation& c, const ConstantTensor& known) {
  Tensor tensor{known.type, known.shape, {}};
  for (const Value& number : known.numbers) tensor.numbers.push_back(c.build.constant(known.type, number));
  return tensor;
}

Item zero_of(Compilation& c, const Value& type, const Range& range) {
  if (auto* compound = std::get_if<CompoundType>(&type)) {
    if (compound->structure) {
      Record record{compound->structure, {}, false};
      for (const Value& member : compound->structure->types) record.members.push_back(zero_of(c, member, range));
      return record;
    }
    Type number = number_type_of(*compound, c.options).value_or(c.options.default_fp);
    Tensor tensor{number, compound->shape, {}};
    tensor.numbers.assign(static_cast<size_t>(count_of(compound->shape)), c.build.constant(number, Value(int64_t{0})));
    return tensor;
  }
  auto number = dtype_of(type, c.options);
  if (!number)
    return c.report.error(ErrorKind::Type, range, fmt::format("{} needs a value: it has no zero", describe(type)));
  return Number{c.build.constant(*number, Value(int64_t{0})), *number};
}

Item convert_item(Compilation& c, const Item& item, const Value& type, const Range& range) {
  if (poisoned(item)) return Poison{};
  auto* compound = std::get_if<CompoundType>(&type);
  if (!compound) {
    auto number = dtype_of(type, c.options);
    if (!number) return item;  // arrays, templates: as they are
    auto value = coerce(c, item, *number, range);
    return value ? Item(Number{*value, *number}) : Item(Poison{});
  }
  if (compound->structure) {
    auto* record = std::get_if<Record>(&item);
    if (record && !record->is_array && same_type(*record->type, *compound->structure)) return item;
    return c.report.error(ErrorKind::Type, range,
                          fmt::format("{} is expected, not {}", describe(type), describe_item(c, item)));
  }
  auto tensor = as_tensor(c, item, range);
  if (!tensor || tensor->shape != compound->shape) {
    return c.report.error(ErrorKind::Type, range,
                          fmt::format("{} is expected, not {}", describe(type),
                                      tensor ? describe_item(c, *tensor) : describe_item(c, item)));
  }
  auto numbers = number_type_of(*compound, c.options);
  return numbers ? convert_tensor(c, *tensor, *numbers) : Item(*tensor);
}

}  // namespace qd::frontend
