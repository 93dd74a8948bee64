// Values from templates that are not constants: arrays, which each launch binds, and numbers that are passed at each
// launch.
#include "runtime/frontend/memory/templates.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

using ir::Type;
using syntax::Range;

Item template_item(Compilation& c, Item item, const Range& range) {
  if (auto* known = known_as<ConstantStruct>(item)) {
    Record record{known->type, {}, known->is_field};
    for (const Value& member : known->members) {
      auto* tensor = std::get_if<ConstantTensor>(&member);
      record.members.push_back(tensor ? constant_tensor(c, *tensor) : template_item(c, Item(member), range));
      if (poisoned(record.members.back())) return Poison{};
    }
    return record;
  }
  auto* array = known_as<HostArray>(item);
  if (!array) return item;
  if (array->read < 0) {
    return c.report.error(
        ErrorKind::Type, range,
        "an ndarray outside of the kernel cannot be used in it: pass it as an argument, or make it a member "
        "of a @qd.data_oriented object");
  }
  TemplateRead& row = c.captures.reads.rows()[static_cast<size_t>(array->read)];
  if (row.array < 0) {
    row.array = static_cast<int32_t>(c.kernel.arrays.size());
    c.kernel.arrays.push_back({ir::Array::Kind::Parameter,
                               c.captures.template_path(array->read),
                               array->type.type,
                               array->type.rank,
                               {},
                               0,
                               array->type.layout});
    if (has_gradients(c.options.mode) && array->type.gradient)
      c.captures.gradient_of(static_cast<uint32_t>(row.array), *array->type.gradient);
  }
  return ArrayRef{static_cast<uint32_t>(row.array), array->type.element_shape};
}

Item gradient_item(Compilation& c, const ArrayRef& array, const Range& range) {
  const ir::Array& info = c.kernel.arrays[array.index];
  if (info.gradient != ir::Array::kNone) return ArrayRef{info.gradient, array.element_shape, array.clamp};
  const auto& rows = c.captures.reads.rows();
  const auto read = std::ranges::find(rows, static_cast<int32_t>(array.index), &TemplateRead::array);
  // Of a template, it is known whether there is a gradient. Of a parameter, each launch finds out.
  const HostArray* known = read == rows.end() ? nullptr : std::get_if<HostArray>(&read->value);
  if ((known && !known->type.gradient) || (!known && has_gradients(c.options.mode))) {
    return c.report.error(ErrorKind::Name, range,
                          fmt::format("{} has no gradient: make it with needs_grad=True", describe_item(c, array)));
  }
  ir::Layout dense{info.layout.components, 0, 0, info.layout.order};
  return ArrayRef{c.captures.gradient_of(array.index, known ? *known->type.gradient : dense), array.element_shape,
                  array.clamp};
}

std::optional<Item> lifted_number(Compilation& c, const HostObject& object, std::string_view name) {
  if (!object.lifts || object.read < 0) return std::nullopt;
  auto value = c.captures.reads.attribute(object, name, *c.function().environment, false);
  TemplateRead* row = value && is_number(*value) && !std::holds_alternative<BigInteger>(*value)
                          ? c.captures.reads.row(object, name)
                          : nullptr;
  if (!row) return std::nullopt;
  if (row->param < 0) {
    const int32_t at = static_cast<int32_t>(row - c.captures.reads.rows().data());
    row->param = static_cast<int32_t>(c.kernel.params.size());
    c.kernel.params.push_back({c.captures.template_path(at), type_of_value(c, *value)});
  }
  const Type type = c.kernel.params[static_cast<size_t>(row->param)].type;
  return Number{c.build.inst(ir::Op::Arg, type, {}, static_cast<uint32_t>(row->param)), type};
}

}  // namespace qd::frontend
