// What kernels find in templates beside constants: arrays, which each launch binds, and numbers that are passed at each
// launch.
#include <fmt/format.h>

#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {

using ir::Type;
using syntax::Range;

std::string Lowering::template_path(int32_t read) const {
  const TemplateRead& row = reads_.rows()[static_cast<size_t>(read)];
  if (row.object < 0) return leaf_names_[row.argument];
  std::string owner = template_path(row.object);
  return row.attribute.empty() ? fmt::format("{}[{}]", owner, row.item) : fmt::format("{}.{}", owner, row.attribute);
}

Item Lowering::template_item(Item item, const Range& range) {
  auto* value = std::get_if<Value>(&item);
  if (auto* known = value ? std::get_if<ConstantStruct>(value) : nullptr) return constant_struct(*known);
  auto* array = value ? std::get_if<HostArray>(value) : nullptr;
  if (!array) return item;
  if (array->read < 0) {
    return error(ErrorKind::Type, range,
                 "an ndarray outside of the kernel cannot be used in it: pass it as an argument, or make it a member "
                 "of a @qd.data_oriented object");
  }
  TemplateRead& row = reads_.rows()[static_cast<size_t>(array->read)];
  if (row.array < 0) {
    row.array = static_cast<int32_t>(kernel_.arrays.size());
    kernel_.arrays.push_back({ir::Array::Kind::Parameter,
                              template_path(array->read),
                              array->type.type,
                              array->type.rank,
                              {},
                              0,
                              array->type.layout});
  }
  return ArrayRef{static_cast<uint32_t>(row.array), array->type.element_shape};
}

std::optional<Item> Lowering::lifted_number(const HostObject& object, std::string_view name) {
  if (!object.lifts || object.read < 0) return std::nullopt;
  auto value = reads_.attribute(object, name, *frame().environment, false);
  TemplateRead* row =
      value && is_number(*value) && !std::holds_alternative<BigInteger>(*value) ? reads_.row(object, name) : nullptr;
  if (!row) return std::nullopt;
  if (row->param < 0) {
    const int32_t at = static_cast<int32_t>(row - reads_.rows().data());
    row->param = static_cast<int32_t>(kernel_.params.size());
    kernel_.params.push_back({template_path(at), type_of_value(*value)});
  }
  const Type type = kernel_.params[static_cast<size_t>(row->param)].type;
  return Number{build_.inst(ir::Op::Arg, type, {}, static_cast<uint32_t>(row->param)), type};
}

}  // namespace qd::frontend
