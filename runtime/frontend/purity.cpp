// Kernels that are kept without their captured values in sight (fastcache=True): which globals they may read.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"

namespace qd::frontend {
namespace {

using Kind = HostObject::Kind;

/// What a program defines, not what it computes.
bool is_definition(const Value& value) {
  if (auto* object = std::get_if<HostObject>(&value))
    return object->kind != Kind::Other && object->kind != Kind::NotYet;
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

void Lowering::check_pure(std::string_view name, const Value& value, const Range& range, bool is_static) {
  if (!options_.pure || name.starts_with("_qd_") || is_definition(value)) return;
  std::string text = fmt::format("[PURE.VIOLATION] kernel `{}` has fastcache=True, and reads `{}` ({}) from outside",
                                 kernel_.name, name, describe(value));
  if (is_static || is_upper_case(name)) {
    const bool known =
        warnings_ && std::ranges::any_of(*warnings_, [&](const Warning& warning) { return warning.text == text; });
    if (!known) warn(range, text);
  } else {
    error(ErrorKind::Compilation, range,
          fmt::format("{}: pass it as an argument; a constant has a name in UPPERCASE, or is read as qd.static({})",
                      text, name));
  }
}

void Lowering::check_pure(const HostObject& object, std::string_view name, const Value& value, const Range& range,
                          bool is_static) {
  if (object.read < 0 && (object.kind == Kind::Module || object.kind == Kind::Class))
    check_pure(name, value, range, is_static);
}

}  // namespace qd::frontend
