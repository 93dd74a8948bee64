// Converts values of the compiler to Python objects.
#include "runtime/python/objects.h"

namespace qd::python {

using frontend::Value;

nb::object Objects::index(const Value& value) {
  auto* tuple = std::get_if<frontend::Tuple>(&value);
  auto* builtin = tuple && !tuple->items.empty() ? std::get_if<frontend::Builtin>(&tuple->items[0]) : nullptr;
  if (!tuple) return to_object(value);
  nb::list parts;
  for (size_t i = builtin ? 1 : 0; i < tuple->items.size(); ++i) parts.append(index(tuple->items[i]));
  if (!builtin) return nb::tuple(parts);
  return nb::steal(PySlice_New(nb::object(parts[0]).ptr(), nb::object(parts[1]).ptr(), nb::object(parts[2]).ptr()));
}

nb::object Objects::to_object(const Value& value) {
  if (value.member) return object_of(*value.member);
  return std::visit(
      syntax::overloaded{
          [](const frontend::None&) -> nb::object { return nb::none(); },
          [](bool b) -> nb::object { return nb::bool_(b); },
          [](int64_t i) -> nb::object { return nb::int_(i); },
          [](const frontend::BigInteger& big) -> nb::object {
            return nb::steal(PyLong_FromString(big.text().c_str(), nullptr, 10));
          },
          [](double d) -> nb::object { return nb::float_(d); },
          [](const std::string& s) -> nb::object { return nb::str(s.c_str(), s.size()); },
          [](ir::Type type) -> nb::object {
            return nb::module_::import_("qdcov._dtypes").attr(std::string(ir::name(type)).c_str());
          },
          [&](const frontend::HostObject& o) { return object_of(o); },
          [&](const frontend::Tuple& tuple) -> nb::object {
            nb::list items;
            for (const Value& item : tuple.items) items.append(to_object(item));
            if (tuple.is_list) return items;
            if (tuple.named) return object_of(tuple.named->cls).attr("_make")(items);
            return nb::tuple(items);
          },
          [&](const frontend::Dict& dict) -> nb::object {
            nb::dict items;
            for (size_t i = 0; i < dict.keys.size(); ++i) items[to_object(dict.keys[i])] = to_object(dict.values[i]);
            return items;
          },
          [](const frontend::HostArray&) -> nb::object { throw std::invalid_argument("an ndarray"); },
          [&](const frontend::Func& func) -> nb::object {
            for (auto& [object, known] : funcs_) {
              if (known.func.source == func.source && known.func.environment == func.environment)
                return nb::borrow(object);
            }
            throw std::invalid_argument("a func");
          },
          [](const frontend::Builtin& builtin) -> nb::object {
            constexpr std::string_view kOperators = "operator.";
            if (builtin.name.starts_with(kOperators))
              return nb::module_::import_("operator").attr(builtin.name.c_str() + kOperators.size());
            for (auto& [object, name] : classes().builtins) {
              if (name == builtin.name) return nb::borrow(object);
            }
            throw std::invalid_argument(builtin.name);
          },
          [&](const frontend::CompoundType& type) -> nb::object {
            if (type.structure && type.structure->id != 0) return object_of({type.structure->id, ""});
            throw std::invalid_argument("a type");
          },
          [&](const frontend::ConstantTensor& tensor) -> nb::object {
            nb::list rows;
            const size_t width = static_cast<size_t>(tensor.shape.back());
            for (size_t i = 0; i < tensor.numbers.size(); i += width) {
              nb::list row;
              for (size_t k = i; k < i + width; ++k) row.append(to_object(tensor.numbers[k]));
              rows.append(row);
            }
            nb::object dtype = nb::module_::import_("qdcov._dtypes").attr(std::string(ir::name(tensor.type)).c_str());
            return classes().matrix(tensor.shape.size() == 2 ? nb::object(rows) : nb::object(rows[0]), dtype);
          },
          [](const frontend::ConstantStruct&) -> nb::object { throw std::invalid_argument("a struct"); },
          [](const frontend::HostField& field) -> nb::object { throw std::invalid_argument("a field"); },
      },
      static_cast<const Value::variant&>(value));
}

nb::object Objects::to_asked(const Value& value) {
  auto* field = std::get_if<frontend::HostField>(&value);
  if (!field) return to_object(value);
  nb::object dtype = nb::module_::import_("qdcov._dtypes").attr(std::string(ir::name(field->type)).c_str());
  nb::list shape;
  for (int32_t extent : field->element_shape) shape.append(extent);
  nb::object element = nb::module_::import_("qdcov._arrays.layout").attr("Element")(dtype, nb::tuple(shape));
  return nb::module_::import_("qdcov._arrays.arrays").attr("Field")(element, nb::none(), field->name);
}

}  // namespace qd::python
