// Attributes: `x.shape`, members of structs, components by name.
#include "runtime/frontend/expressions/expressions.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/constants/static_eval.h"
#include "runtime/frontend/constants/type_attributes.h"
#include "runtime/frontend/expressions/containers.h"
#include "runtime/frontend/expressions/kernel_scope.h"
#include "runtime/frontend/expressions/made_objects.h"
#include "runtime/frontend/memory/arrays.h"
#include "runtime/frontend/memory/templates.h"
#include "runtime/frontend/memory/views.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

using ir::Type;
using syntax::Expr;

namespace {

/// The gradients or the duals of an array of structs: an array of structs of those members that have one. Nothing when
/// there is none.
std::optional<Item> companions(Compilation& c, const Record& record, std::string_view kind,
                               const syntax::Range& range) {
  auto type = std::make_shared<StructType>();
  type->name = fmt::format("{}.{}", record.type->name, kind);
  Record found{nullptr, {}, true};
  for (size_t i = 0; i < record.members.size(); ++i) {
    const Item& member = record.members[i];
    std::optional<Item> companion;
    if (auto* inner = std::get_if<Record>(&member); inner && inner->is_array) {
      companion = companions(c, *inner, kind, range);
    } else if (auto* field = known_as<HostField>(member)) {
      if (const auto& of = kind == "grad" ? field->grad : field->dual) companion = Value(*of);
    } else if (auto* array = std::get_if<ArrayRef>(&member); array && kind == "grad") {
      if (ir::is_float(c.kernel.arrays[array->index].type)) companion = gradient_item(c, *array, range);
    }
    if (!companion) continue;
    type->names.push_back(record.type->names[i]);
    type->types.push_back(record.type->types[i]);
    found.members.push_back(*std::move(companion));
  }
  if (found.members.empty()) return std::nullopt;
  found.type = std::move(type);
  return found;
}

}  // namespace

Item lower_attribute(Compilation& c, const syntax::Attribute& e, const Expr& expr) {
  Item object = evaluate_place(c, *e.value);
  if (poisoned(object)) return Poison{};
  if (auto* record = std::get_if<Record>(&object)) {
    if (auto index = record->type->index(e.attr)) return record->members[*index];
    for (const auto& [name, func] : record->type->methods) {
      if (name != e.attr) continue;
      if (record->is_array) {
        return c.report.error(
            ErrorKind::Type, expr.range,
            fmt::format("`{}` is a method of an element, not of {}: give the array an index first, as in s[i].{}()",
                        e.attr, describe_item(c, object), e.attr));
      }
      return BoundMethod{func, std::make_shared<const Item>(object)};
    }
    if (record->is_array && (e.attr == "grad" || e.attr == "dual")) {
      if (auto found = companions(c, *record, e.attr, expr.range)) return *std::move(found);
      return c.report.error(ErrorKind::Name, expr.range,
                            fmt::format("{} has no {}: make it with needs_{}=True", describe_item(c, object),
                                        e.attr == "grad" ? "gradient" : "dual", e.attr));
    }
    if (!record->is_array || e.attr != "shape") {
      return c.report.error(ErrorKind::Name, expr.range,
                            fmt::format("{} has no member `{}`", describe_item(c, object), e.attr));
    }
  }
  if (auto* made = std::get_if<MadeObject>(&object)) return object_attribute(c, *made, e.attr, expr.range);
  if (auto* super = std::get_if<Super>(&object)) return super_attribute(c, *super, e.attr, expr.range);
  if (auto item = named_tuple_attribute(c, object, e.attr, expr.range)) return *std::move(item);
  if (is_array(object) && e.attr == "shape") return shape_of(c, object);
  if (auto* view = std::get_if<View>(&object)) return view_attribute(c, *view, e.attr, expr.range);
  if (auto* array = std::get_if<ArrayRef>(&object)) {
    const ir::Array& info = c.kernel.arrays[array->index];
    if (auto known = type_attribute(array_facts(info.type, info.rank, {}), e.attr)) return *std::move(known);
    if (e.attr == "grad") return gradient_item(c, *array, expr.range);
  }
  if (is_tensor(object)) {
    if (auto facts = tensor_facts(object)) {
      if (auto known = type_attribute(*facts, e.attr)) return *std::move(known);
    }
    return swizzle(c, object, e.attr, expr.range);
  }
  if (auto* value = std::get_if<Value>(&object)) {
    if (auto* host = std::get_if<HostObject>(value)) {
      if (auto number = lifted_number(c, *host, e.attr)) return *number;
    }
    if (auto member = member_of_class(c, *value, e.attr)) return *std::move(member);
    KernelScope scope(c);
    auto result = evaluate_attribute(*value, e.attr, expr.range, scope);
    if (!result) return Poison{};
    auto* host = std::get_if<HostObject>(value);
    if (host && !scope.environment().is_enumeration_member(*host, e.attr))
      c.captures.check_pure(*host, e.attr, *result, expr.range, false);
    return std::move(*result);
  }
  return c.report.error(ErrorKind::Type, expr.range,
                        fmt::format("{} has no attribute `{}` in kernels", describe_item(c, object), e.attr));
}

namespace {

/// Whether a struct, a class or a module has the attribute; attributes of other values are never tested.
bool has_attribute(Compilation& c, const Item& object, const std::string& name) {
  if (auto* record = std::get_if<Record>(&object)) {
    return record->type->index(name) ||
           std::ranges::any_of(record->type->methods, [&](const auto& method) { return method.first == name; });
  }
  auto* value = std::get_if<Value>(&object);
  auto* host = value ? host_object_of(*value) : nullptr;
  return host && KernelScope(c).attribute(*host, name);
}

}  // namespace

Item lower_getattr(Compilation& c, const syntax::Call& e, const Expr& expr) {
  if (e.args.size() < 2 || e.args.size() > 3 || !e.keywords.empty())
    return c.report.error(ErrorKind::Type, expr.range,
                          "`getattr` takes an object, the name of an attribute, and a default if there is one");
  const Item given = static_value(c, *e.args[1]);
  if (poisoned(given)) return Poison{};
  auto* name = known_as<std::string>(given);
  if (!name) {
    return c.report.error(
        ErrorKind::Type, e.args[1]->range,
        fmt::format("`getattr` takes the name of an attribute, a string that is known at compile time, not {}",
                    describe_item(c, given)));
  }
  if (e.args.size() == 3) {
    const syntax::Expr& asked = *e.args[0];
    if (!std::holds_alternative<syntax::Name>(asked.node) && !std::holds_alternative<syntax::Attribute>(asked.node)) {
      return c.report.error(ErrorKind::Syntax, asked.range,
                            "`getattr` with a default takes a name here: assign the object to a variable first");
    }
    const Item object = evaluate_place(c, *e.args[0]);
    if (!poisoned(object) && !has_attribute(c, object, *name)) return evaluate(c, *e.args[2]);
  }
  return lower_attribute(c, {e.args[0], *name, syntax::ExprContext::Load}, expr);
}

}  // namespace qd::frontend
