// Reads of templates: each is made once in a compilation, and noted.
#include "runtime/frontend/interface/template_reads.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "runtime/frontend/interface/signature.h"

namespace qd::frontend {
namespace {

/// The items of a tuple or the members of a struct; null: the value is another one.
const std::vector<Value>* parts_of(const Value& value) {
  if (auto* tuple = std::get_if<Tuple>(&value)) return &tuple->items;
  auto* structure = std::get_if<ConstantStruct>(&value);
  return structure ? &structure->members : nullptr;
}

std::vector<Value>* parts_of(Value& value) { return const_cast<std::vector<Value>*>(parts_of(std::as_const(value))); }

/// Whether something in a value has a row of its own.
bool has_places(const Value& value) {
  if (auto* object = std::get_if<HostObject>(&value)) return object->cls != 0;
  if (std::holds_alternative<HostArray>(value)) return true;
  const std::vector<Value>* parts = parts_of(value);
  return parts && std::ranges::any_of(*parts, has_places);
}

uint64_t id_of(const std::shared_ptr<const HostField>& field) { return field ? field->id : 0; }

}  // namespace

Value TemplateLog::placed(Value value, int32_t row) {
  if (auto* object = std::get_if<HostObject>(&value)) object->read = row;
  if (auto* array = std::get_if<HostArray>(&value)) array->read = row;
  if (std::vector<Value>* parts = parts_of(value)) {
    for (size_t i = 0; i < parts->size(); ++i) {
      Value& part = (*parts)[i];
      if (!has_places(part)) continue;
      TemplateRead item;
      item.object = row;
      item.item = static_cast<uint32_t>(i);
      item.value = part;
      rows_.push_back(std::move(item));
      part = placed(std::move(part), static_cast<int32_t>(rows_.size() - 1));
    }
  }
  return value;
}

Value TemplateLog::restored(Value value, int32_t row) const {
  if (auto* object = std::get_if<HostObject>(&value)) object->read = row;
  if (auto* array = std::get_if<HostArray>(&value)) array->read = row;
  std::vector<Value>* parts = parts_of(value);
  for (size_t i = 0; parts && i < rows_.size(); ++i) {
    if (rows_[i].object != row || !rows_[i].attribute.empty()) continue;
    Value& item = (*parts)[rows_[i].item];
    item = restored(std::move(item), static_cast<int32_t>(i));
  }
  return value;
}

Value TemplateLog::argument(uint32_t parameter, Value value) {
  if (!has_places(value)) return value;
  TemplateRead read;
  read.argument = parameter;
  read.value = value;
  rows_.push_back(std::move(read));
  return placed(std::move(value), static_cast<int32_t>(rows_.size() - 1));
}

TemplateRead* TemplateLog::row(const HostObject& object, std::string_view name) {
  if (object.read < 0) return nullptr;
  for (TemplateRead& read : rows_) {
    if (read.object == object.read && read.attribute == name && !read.method) return &read;
  }
  return nullptr;
}

std::optional<Value> TemplateLog::attribute(const HostObject& object, std::string_view name, Environment& environment,
                                            bool baked) {
  if (TemplateRead* known = row(object, name)) {
    known->baked |= baked;
    return restored(known->value, static_cast<int32_t>(known - rows_.data()));
  }
  auto value = environment.attribute(object, name);
  if (!value || object.read < 0) return value;
  if (const std::optional<HostObject> function = environment.method(object, name)) {
    if (function->id != 0) add_method(object, name, *function, environment);
    // The result of such a method on the host depends on the identity of this object.
    if (auto* method = std::get_if<HostObject>(&*value)) method->read = object.read;
    return value;
  }
  TemplateRead read;
  read.object = object.read;
  read.attribute = name;
  read.baked = baked;
  read.value = *value;
  rows_.push_back(std::move(read));
  return placed(std::move(*value), static_cast<int32_t>(rows_.size() - 1));
}

/// Notes that a launch has to find the same function of the class.
void TemplateLog::add_method(const HostObject& object, std::string_view name, const HostObject& function,
                             Environment& environment) {
  const bool known = std::ranges::any_of(rows_, [&](const TemplateRead& read) {
    return read.method && read.object == object.read && read.attribute == name;
  });
  if (known) return;
  TemplateRead read;
  read.object = object.read;
  read.attribute = name;
  read.method = true;
  read.value = function;
  read.witness = environment.witness(function);
  rows_.push_back(std::move(read));
}

void TemplateLog::identify(const HostObject& object, Environment& environment) {
  if (object.read < 0) return;
  rows_[static_cast<size_t>(object.read)].same = true;
  rows_[static_cast<size_t>(object.read)].witness = environment.witness(object);
}

bool same_value(const Value& a, const Value& b) {
  if (a.index() != b.index() || !a.member != !b.member || (a.member && a.member->id != b.member->id)) return false;
  auto all = [](const std::vector<Value>& x, const std::vector<Value>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_value);
  };
  return std::visit(
      syntax::overloaded{
          [&](const None&) { return true; },
          [&](bool v) { return v == std::get<bool>(b); },
          [&](int64_t v) { return v == std::get<int64_t>(b); },
          [&](const BigInteger& v) { return v == std::get<BigInteger>(b); },
          [&](double v) { return std::bit_cast<uint64_t>(v) == std::bit_cast<uint64_t>(std::get<double>(b)); },
          [&](const std::string& v) { return v == std::get<std::string>(b); },
          [&](ir::Type v) { return v == std::get<ir::Type>(b); },
          [&](const HostField& v) {
            const auto& other = std::get<HostField>(b);
            return v.id == other.id && id_of(v.grad) == id_of(other.grad) && id_of(v.dual) == id_of(other.dual);
          },
          [&](const Func& v) {
            const auto& other = std::get<Func>(b);
            if (v.source->def != other.source->def || v.environment != other.environment || !v.self != !other.self)
              return false;
            return !v.self || same_value(*v.self, *other.self);
          },
          [&](const Builtin& v) { return v.name == std::get<Builtin>(b).name; },
          [&](const HostObject& v) {
            const auto& other = std::get<HostObject>(b);
            return v.cls == other.cls && (v.cls != 0 || v.id == other.id);
          },
          [&](const Tuple& v) {
            const auto& other = std::get<Tuple>(b);
            return v.is_list == other.is_list && same_class(v.named, other.named) && all(v.items, other.items);
          },
          [&](const Dict& v) { return all(v.keys, std::get<Dict>(b).keys) && all(v.values, std::get<Dict>(b).values); },
          [&](const HostArray& v) { return v.type == std::get<HostArray>(b).type; },
          [&](const CompoundType& v) { return same_type(v, std::get<CompoundType>(b)); },
          [&](const ConstantTensor& v) {
            const auto& other = std::get<ConstantTensor>(b);
            return v.type == other.type && v.shape == other.shape && all(v.numbers, other.numbers);
          },
          [&](const ConstantStruct& v) {
            const auto& other = std::get<ConstantStruct>(b);
            return v.is_field == other.is_field && same_type(*v.type, *other.type) && all(v.members, other.members);
          },
      },
      static_cast<const Value::variant&>(a));
}

void add_fields(const Value& value, std::vector<uint64_t>& ids) {
  auto add_field = [&](auto& self, const HostField& field) -> void {
    ids.push_back(field.id);
    for (const auto& other : {field.grad, field.dual, field.whole}) {
      if (other) self(self, *other);
    }
  };
  auto add_all = [&](const std::vector<Value>& values) {
    for (const Value& one : values) add_fields(one, ids);
  };
  if (auto* field = std::get_if<HostField>(&value)) add_field(add_field, *field);
  if (auto* tuple = std::get_if<Tuple>(&value)) add_all(tuple->items);
  if (auto* dict = std::get_if<Dict>(&value)) add_all(dict->values);
  if (auto* structure = std::get_if<ConstantStruct>(&value)) add_all(structure->members);
  if (auto* func = std::get_if<Func>(&value); func && func->self) add_fields(*func->self, ids);
}

}  // namespace qd::frontend
