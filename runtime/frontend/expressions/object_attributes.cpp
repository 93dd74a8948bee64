// Attributes of the objects that a kernel makes: places as variables are, for values with numbers.
#include "runtime/frontend/expressions/made_objects.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/conditions.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/places.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

using syntax::Expr;
using syntax::Range;

namespace {

/// The first value of an attribute: of numbers a variable of its own, as a name is.
MadeAttribute first_value(Compilation& c, const Item& item, const Range& range) {
  MadeAttribute attribute;
  attribute.shared = !c.function().in_parallel;
  attribute.block = c.build.block();
  if (is_a_number(item)) {
    if (auto* known = known_number(item)) attribute.known = *known;
    auto number = to_number(c, loaded(c, item), range);
    attribute.what = number ? new_place(c, *number, false) : Item(Poison{});
  } else if (is_compound(item)) {
    const Item value = loaded(c, item);
    attribute.what = new_place(c, is_tensor(value) ? Item(*as_tensor(c, value, range)) : value, false);
  } else {
    attribute.what = item;
  }
  return attribute;
}

bool has_place(const Item& item) {
  auto* record = std::get_if<Record>(&item);
  return std::holds_alternative<NumberPlace>(item) || std::holds_alternative<TensorPlace>(item) ||
         (record && !record->is_array);
}

void changed(Compilation& c, MadeAttribute& attribute, std::string_view name, const Range& range) {
  if (attribute.asked) {
    c.report.error(ErrorKind::Type, range,
                   fmt::format("`{}` was read at compile time (qd.static): it cannot change after that", name));
  }
  attribute.known.reset();
}

/// Whether a first value in the present block holds behind it: where the object was made, or in a branch of an `if`
/// there, whose other branches give the attribute one, too.
bool may_begin_here(Compilation& c, const MadeState& state) {
  ir::BlockId block = c.build.block();
  for (size_t i = c.branches.size(); block != state.block && i-- > 0 && c.branches[i].block == block;)
    block = c.branches[i].around;
  return block == state.block;
}

void set_attribute(Compilation& c, const MadeObject& object, std::string_view name, const Item& item,
                   const Range& target, const Range& range);

/// An assignment to an attribute of one of two objects.
void set_of_chosen(Compilation& c, const ChosenObject& chosen, std::string_view name, const Item& item,
                   const Range& target, const Range& range) {
  const ir::InstId branch = c.build.inst(ir::Op::If, ir::Type::Void, {chosen.test});
  const MadeObject objects[2] = {chosen.yes, chosen.no};
  for (size_t i = 0; i < 2; ++i) {
    ir::BlockId block;
    c.build.in_new_block(block, [&] { set_attribute(c, objects[i], name, item, target, range); });
    c.kernel[branch].blocks[i] = block;
  }
}

/// The attribute of an object that has none of that name yet.
void add_attribute(Compilation& c, const MadeObject& object, std::string_view name, const Item& item,
                   const Range& target, const Range& range) {
  MadeState& state = c.objects[object.index];
  if (auto known = class_member(c, state.cls, name); known && known->kind == ClassMember::Kind::Property) {
    if (known->setter) {
      call_method(c, std::get<Func>(*known->setter), object, {item}, range);
    } else {
      c.report.error(ErrorKind::Name, target, fmt::format("the property `{}` has no setter", name));
    }
    return;
  }
  if (!may_begin_here(c, state)) {
    c.report.error(ErrorKind::Type, target,
                   fmt::format("the attribute `{}` gets its first value in a block that may not run: assign it where "
                               "the object is made, or in __init__",
                               name));
    return;
  }
  state.gone.erase(std::string(name));
  MadeAttribute fresh = first_value(c, item, range);
  c.objects[object.index].attributes.emplace(name, std::move(fresh));
}

void set_attribute(Compilation& c, const MadeObject& object, std::string_view name, const Item& item,
                   const Range& target, const Range& range) {
  MadeState& state = c.objects[object.index];
  if (auto chosen = state.chosen) return set_of_chosen(c, *chosen, name, item, target, range);
  auto found = state.attributes.find(name);
  if (found == state.attributes.end()) return add_attribute(c, object, name, item, target, range);
  MadeAttribute& attribute = found->second;
  changed(c, attribute, name, target);
  if (has_place(attribute.what)) {
    store_item(c, as_shared(c, attribute.what, c.function().in_parallel && attribute.shared), item, range, false);
  } else if (attribute.block == c.build.block()) {
    attribute = first_value(c, item, range);
  } else if (!poisoned(attribute.what) && !same_object(attribute.what, item)) {
    c.report.error(ErrorKind::Type, target,
                   fmt::format("the attribute `{}` is {}: it cannot change in a block that may not run", name,
                               describe_item(c, attribute.what)));
  }
}

/// The attribute of one of two objects, read behind the test that tells which.
Item attribute_of_chosen(Compilation& c, const MadeObject& object, std::string_view name, const Range& range) {
  const ChosenObject chosen = *c.objects[object.index].chosen;
  const HostObject cls = c.objects[object.index].cls;
  auto found = class_member(c, cls, name);
  if (found && found->kind != ClassMember::Kind::Constant)
    return bound_member(c, *std::move(found), object, cls, range);
  return choose(
      c, chosen.test,
      [&](int i) { return loaded(c, object_attribute(c, i == 0 ? chosen.yes : chosen.no, name, range)); },
      {range, range}, range);
}

}  // namespace

Item object_attribute(Compilation& c, const MadeObject& object, std::string_view name, const Range& range) {
  const MadeState& state = c.objects[object.index];
  if (state.chosen) return attribute_of_chosen(c, object, name, range);
  if (auto found = state.attributes.find(name); found != state.attributes.end()) {
    const MadeAttribute& attribute = found->second;
    return as_shared(c, attribute.what, c.function().in_parallel && attribute.shared);
  }
  if (auto gone = state.gone.find(name); gone != state.gone.end()) {
    return c.report.error(ErrorKind::Name, range,
                          fmt::format("the attribute `{}` got its first value in one branch of the `if` of line {} "
                                      "alone: assign it before, or in both",
                                      name, gone->second));
  }
  const HostObject cls = state.cls;
  if (auto found = class_member(c, cls, name)) return bound_member(c, *std::move(found), object, cls, range);
  return c.report.error(ErrorKind::Name, range,
                        fmt::format("{} has no attribute `{}`", describe_item(c, object), name));
}

bool is_place_in_object(Compilation& c, const MadeObject& object, std::string_view name) {
  const MadeAttributes& attributes = c.objects[object.index].attributes;
  auto found = attributes.find(name);
  return found != attributes.end() && has_place(found->second.what);
}

Item chosen_object(Compilation& c, ir::InstId test, const MadeObject& yes, const MadeObject& no, const Range& range) {
  if (yes.index == no.index) return yes;
  const HostObject cls = c.objects[yes.index].cls;
  if (cls.id != c.objects[no.index].cls.id) {
    return c.report.error(
        ErrorKind::Type, range,
        fmt::format("{} and {} cannot stand for one another", describe_item(c, yes), describe_item(c, no)));
  }
  const MadeObject chosen{static_cast<uint32_t>(c.objects.size())};
  c.objects.push_back({cls, c.build.block(), {}, {}, ChosenObject{test, yes, no}});
  return chosen;
}

std::optional<Value> known_attribute(Compilation& c, const MadeObject& object, std::string_view name) {
  MadeState& state = c.objects[object.index];
  if (state.chosen) return std::nullopt;
  auto found = state.attributes.find(name);
  if (found == state.attributes.end()) {
    auto constant = class_member(c, state.cls, name);
    return constant && constant->kind == ClassMember::Kind::Constant ? std::optional(std::move(constant->value))
                                                                     : std::nullopt;
  }
  if (found->second.known) {
    found->second.asked = true;
    return found->second.known;
  }
  auto* value = std::get_if<Value>(&found->second.what);
  return value ? std::optional(*value) : std::nullopt;
}

bool store_in_object(Compilation& c, const Expr& target, const Item& item, const Range& range) {
  auto* attribute = std::get_if<syntax::Attribute>(&target.node);
  auto object = attribute ? named_object(c, *attribute->value) : std::nullopt;
  if (!object) return false;
  const ir::Builder::Scope here(c.build, c.build.location_of(target.range));
  if (!poisoned(item)) set_attribute(c, *object, attribute->attr, item, target.range, range);
  return true;
}

void attribute_changes(Compilation& c, const syntax::Attribute& target) {
  auto object = named_object(c, *target.value);
  if (!object) return;
  auto& attributes = c.objects[object->index].attributes;
  auto found = attributes.find(target.attr);
  if (found != attributes.end()) changed(c, found->second, target.attr, target.value->range);
}

}  // namespace qd::frontend
