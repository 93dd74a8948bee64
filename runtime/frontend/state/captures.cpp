// Fields and templates by their rows; and the globals that a kernel kept without them may read (fastcache=True).
#include "runtime/frontend/state/captures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "runtime/frontend/constants/python_values.h"

namespace qd::frontend {
namespace {

/// Whether a value is a definition of a program, not a result of its computations.
bool is_definition(const Value& value) {
  if (auto* object = std::get_if<HostObject>(&value))
    return object->kind != HostObject::Kind::Other && object->kind != HostObject::Kind::Array &&
           object->kind != HostObject::Kind::NotYet;
  if (auto* tuple = std::get_if<Tuple>(&value)) {
    // An annotation, too: its number of dimensions is part of a type.
    return !tuple->items.empty() &&
           (std::holds_alternative<Builtin>(tuple->items[0]) || std::ranges::all_of(tuple->items, is_definition));
  }
  return std::holds_alternative<None>(value) || std::holds_alternative<Func>(value) ||
         std::holds_alternative<Builtin>(value) || std::holds_alternative<ir::Type>(value) ||
         std::holds_alternative<CompoundType>(value);
}

bool is_upper_case(std::string_view name) {
  auto is = [](auto kind) { return [kind](char c) { return kind(static_cast<unsigned char>(c)) != 0; }; };
  return std::ranges::any_of(name, is([](unsigned char c) { return std::isupper(c); })) &&
         std::ranges::none_of(name, is([](unsigned char c) { return std::islower(c); }));
}

}  // namespace

uint32_t Captures::array_of(const HostField& field) {
  const auto [found, fresh] = fields_.try_emplace(field.id, static_cast<uint32_t>(kernel_.arrays.size()));
  const uint32_t index = found->second;
  if (!fresh) return index;
  kernel_.arrays.push_back({ir::Array::Kind::Field, field.name, field.type, static_cast<int32_t>(field.shape.size()),
                            field.shape, field.id, field.layout});
  if (options_.mode == ir::AutodiffMode::Forward && field.dual) {
    const uint32_t dual = array_of(*field.dual);
    kernel_.arrays[index].dual = dual;
  }
  if (has_gradients(options_.mode) && field.grad) {
    const uint32_t gradient = array_of(*field.grad);
    kernel_.arrays[index].gradient = gradient;
  }
  return index;
}

uint32_t Captures::gradient_of(uint32_t array, const ir::Layout& layout) {
  if (kernel_.arrays[array].gradient == ir::Array::kNone) {
    ir::Array gradient = kernel_.arrays[array];
    gradient.name += ".grad";
    gradient.layout = layout;
    kernel_.arrays[array].gradient = static_cast<uint32_t>(kernel_.arrays.size());
    kernel_.arrays.push_back(std::move(gradient));
  }
  return kernel_.arrays[array].gradient;
}

std::string Captures::template_path(int32_t read) const {
  const TemplateRead& row = reads.rows()[static_cast<size_t>(read)];
  if (row.object < 0) return leaf_names[row.argument];
  std::string owner = template_path(row.object);
  return row.attribute.empty() ? fmt::format("{}[{}]", owner, row.item) : fmt::format("{}.{}", owner, row.attribute);
}

void Captures::check_pure(std::string_view name, const Value& value, const syntax::Range& range, bool is_static) {
  if (!options_.pure || name.starts_with("_qd_") || is_definition(value)) return;
  std::string text = fmt::format("[PURE.VIOLATION] kernel `{}` has fastcache=True, and reads `{}` ({}) from outside",
                                 kernel_.name, name, describe(value));
  if (is_static || is_upper_case(name)) {
    if (!report_.has_warned(text)) report_.warn(range, text);
  } else {
    report_.error(
        ErrorKind::Compilation, range,
        fmt::format("{}: pass it as an argument; a constant has a name in UPPERCASE, or is read as qd.static({})", text,
                    name));
  }
}

void Captures::check_pure(const HostObject& object, std::string_view name, const Value& value,
                          const syntax::Range& range, bool is_static) {
  if (object.read < 0 && (object.kind == HostObject::Kind::Module || object.kind == HostObject::Kind::Class))
    check_pure(name, value, range, is_static);
}

}  // namespace qd::frontend
