// Text with places for values, for print, assert and the checks of debug mode at run time.
#include "runtime/frontend/values/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/printf_formats.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

using ir::InstId;
using ir::Type;
using syntax::Range;

void Text::add_value(Item item, std::string spec, const Range& range) {
  pieces.emplace_back();
  specs.push_back(std::move(spec));
  values.push_back(std::move(item));
  ranges.push_back(range);
}

namespace {

/// The letter of a format that says the kind of number, as in `.2f`; 0 when it has none.
char letter_of(std::string_view spec) {
  const char last = spec.empty() ? '\0' : spec.back();
  return (last >= 'a' && last <= 'z') || (last >= 'A' && last <= 'Z') ? last : '\0';
}

/// Reports a format that is none of the number's type.
void check_spec(Compilation& c, const Text& text, const Item& item, std::string_view spec, const Range& range) {
  auto* number = std::get_if<Number>(&item);
  auto* known = known_number(item);
  if (spec.empty() || (!number && !known)) return;
  const bool real = number ? ir::is_float(number->type) : std::holds_alternative<double>(*known);
  const char letter = letter_of(spec);
  const std::string type = number ? std::string(ir::name(number->type)) : real ? "float" : "int";
  auto mismatch = [&](std::string_view advice) {
    c.report.error(ErrorKind::Type, range, fmt::format("'{}' doesn't match '{}': {}", spec, type, advice));
  };
  if (text.printf) {
    const Type kind = number ? number->type : type_of_value(c, *known);
    if (!from_printf(spec, kind))
      mismatch(real                    ? "floats have the formats e, f, g and a"
               : ir::is_unsigned(kind) ? "unsigned integers have the formats u, o and x"
                                       : "signed integers have the formats d and i");
    return;
  }
  const bool of_integers = std::string_view("bcdioxX").find(letter) != std::string_view::npos;
  if (letter == 'u' && (real || !number || ir::is_signed(number->type))) {
    mismatch(real ? "floats have the formats e, f and g" : "`d` is the format of signed integers");
  } else if (real && of_integers) {
    mismatch("floats have the formats e, f and g");
  }
}

/// Adds a number, with its format.
void add_number(Compilation& c, Text& text, const Item& item, std::string_view spec, const Range& range) {
  std::string format(spec);
  if (text.printf) {
    auto* number = std::get_if<Number>(&item);
    format = from_printf(spec, number ? number->type : type_of_value(c, *known_number(item))).value_or(format);
  }
  text.add_value(item, std::move(format), range);
}

/// Whether only the host knows the text of a value: of an object, or of a list with one in it.
bool has_text_of_host(const Value& value) {
  if (auto* tuple = std::get_if<Tuple>(&value)) return std::ranges::any_of(tuple->items, has_text_of_host);
  if (auto* dict = std::get_if<Dict>(&value)) return std::ranges::any_of(dict->values, has_text_of_host);
  auto* object = host_object_of(value);
  return object && object->kind != HostObject::Kind::NotYet;
}

/// Python's str() of a value; in a list, its repr().
std::string text_of(Compilation& c, const Value& value, bool in_list = false) {
  const std::string own = in_list ? representation(value) : to_text(value);
  if (!has_text_of_host(value)) return own;
  Environment& environment = *c.function().environment;
  if (auto* object = host_object_of(value)) c.captures.reads.identify(*object, environment);
  const auto text = environment.call({value, in_list ? "__repr__" : "__str__", {}, {}}).value;
  auto* known = text ? std::get_if<std::string>(&*text) : nullptr;
  return known ? *known : own;
}

}  // namespace

void add_text(Compilation& c, Text& text, const Item& item, std::string_view spec, const Range& range) {
  if (poisoned(item)) return;
  check_spec(c, text, item, spec, range);
  if (std::holds_alternative<Number>(item) || (known_number(item) && (text.printf || !spec.empty()))) {
    add_number(c, text, item, spec, range);
    return;
  }
  auto* value = std::get_if<Value>(&item);
  auto* items = std::get_if<Items>(&item);
  if (is_tensor(item)) {
    Tensor tensor = *as_tensor(c, item, range);
    const int32_t width = tensor.shape.back();
    if (tensor.shape.size() == 2) text.add("[");
    for (size_t i = 0; i < tensor.numbers.size(); ++i) {
      const auto column = static_cast<int32_t>(i) % width;
      if (i > 0) text.add(", ");
      if (column == 0) text.add("[");
      if (i == 0) check_spec(c, text, component_item(tensor, 0), spec, range);
      add_number(c, text, component_item(tensor, i), spec, range);
      if (column + 1 == width) text.add("]");
    }
    if (tensor.shape.size() == 2) text.add("]");
    return;
  }
  if (auto* record = std::get_if<Record>(&item); record && !record->is_array) {
    text.add("{");
    for (size_t i = 0; i < record->members.size(); ++i) {
      text.add(fmt::format("{}{}: ", i ? ", " : "", record->type->names[i]));
      add_text(c, text, record->members[i], spec, range);
    }
    text.add("}");
    return;
  }
  auto* known_list = value ? std::get_if<Tuple>(value) : nullptr;
  if (!spec.empty()) {
    c.report.error(ErrorKind::Type, range,
                   fmt::format("the format `{}` works on numbers only, not on {}", spec, describe_item(c, item)));
  } else if (known_list && text.printf) {
    text.add("[");
    for (const Value& one : known_list->items) {
      if (&one != known_list->items.data()) text.add(", ");
      add_text(c, text, one, "", range);
    }
    text.add("]");
  } else if (value) {
    text.add(text_of(c, *value));
  } else if (items) {
    const bool dict = !items->keys.empty();
    const bool brackets = items->is_list || text.printf;
    text.add(dict ? "{" : brackets ? "[" : "(");
    for (size_t i = 0; i < items->list.size(); ++i) {
      if (i > 0) text.add(", ");
      if (dict) text.add(representation(items->keys[i]) + ": ");
      auto* known = std::get_if<Value>(&items->list[i]);
      if (known && ((std::holds_alternative<std::string>(*known) && !text.printf) || has_text_of_host(*known))) {
        text.add(text_of(c, *known, true));
      } else {
        add_text(c, text, items->list[i], "", range);
      }
    }
    text.add(dict ? "}" : brackets ? "]" : items->list.size() == 1 ? ",)" : ")");
  } else {
    c.report.error(ErrorKind::Type, range, fmt::format("{} cannot be printed in a kernel", describe_item(c, item)));
  }
}

std::optional<uint32_t> add_format(Compilation& c, const Text& text, std::vector<InstId>& operands) {
  ir::Format format;
  format.pieces = text.pieces;
  format.specs = text.specs;
  for (size_t i = 0; i < text.values.size(); ++i) {
    auto value = to_number(c, text.values[i], text.ranges[i]);
    if (!value) return std::nullopt;
    operands.push_back(value->id);
    format.types.push_back(value->type);
  }
  c.kernel.formats.push_back(std::move(format));
  return static_cast<uint32_t>(c.kernel.formats.size() - 1);
}

}  // namespace qd::frontend
