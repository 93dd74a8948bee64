// Objects that a kernel makes of classes of the host: their attributes are variables, their functions are inlined.
#include "runtime/frontend/expressions/made_objects.h"

#include <fmt/format.h>

#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/known/python_values.h"
#include "runtime/frontend/values/compound_values.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/places.h"
#include "runtime/frontend/values/tensors.h"

namespace qd::frontend {

using syntax::Expr;
using syntax::Range;

namespace {

std::optional<ClassMember> member(Compilation& c, const HostObject& cls, std::string_view name,
                                  const HostObject* after = nullptr) {
  return c.function().environment->member(cls, name, after);
}

/// Whether a call of a class in a kernel makes an object.
bool kernels_make(Compilation& c, const HostObject& cls) {
  auto made = member(c, cls, "made in kernels");
  const bool* yes = made ? std::get_if<bool>(&made->value) : nullptr;
  return yes && *yes;
}

/// A member of a class as an object of it has it.
Item bound_member(Compilation& c, ClassMember found, const Item& self, const HostObject& cls, const Range& range) {
  using Kind = ClassMember::Kind;
  auto* func = std::get_if<Func>(&found.value);
  switch (found.kind) {
    case Kind::Method: return BoundMethod{*func, std::make_shared<const Item>(self)};
    case Kind::OfClass: return BoundMethod{*func, std::make_shared<const Item>(Value(cls))};
    case Kind::Property: return call_method(c, *func, self, {}, range);
    case Kind::Static:
    case Kind::Constant: break;
  }
  return Item(std::move(found.value));
}

/// The class that a value names: a class of the host, or a struct's.
std::optional<HostObject> class_of_value(const Item& item) {
  if (auto* object = known_as<HostObject>(item); object && object->kind == HostObject::Kind::Class) return *object;
  auto* type = known_as<CompoundType>(item);
  if (!type || !type->structure || type->structure->id == 0) return std::nullopt;
  return HostObject{type->structure->id, fmt::format("class '{}'", type->structure->name), HostObject::Kind::Class};
}

/// The class of an object.
std::optional<HostObject> class_of(Compilation& c, const Item& object) {
  if (auto* made = std::get_if<MadeObject>(&object)) return c.objects[made->index].cls;
  if (auto* record = std::get_if<Record>(&object); record && record->type->id != 0)
    return HostObject{record->type->id, fmt::format("class '{}'", record->type->name), HostObject::Kind::Class};
  auto* host = known_as<HostObject>(object);
  if (!host) return std::nullopt;
  if (host->kind == HostObject::Kind::Class) return *host;  // in a classmethod
  if (host->cls == 0) return std::nullopt;
  return HostObject{host->cls, host->description, HostObject::Kind::Class};
}

/// The object that an expression of names stands for, as far as that takes no code.
std::optional<MadeObject> object_of(Compilation& c, const Expr& expr) {
  auto made = [](const Item* item) {
    auto* object = item ? std::get_if<MadeObject>(item) : nullptr;
    return object ? std::optional(*object) : std::nullopt;
  };
  if (auto* name = std::get_if<syntax::Name>(&expr.node)) {
    Binding* binding = c.function().find_local(name->id);
    return binding ? made(std::get_if<Item>(&binding->what)) : std::nullopt;
  }
  if (auto* attribute = std::get_if<syntax::Attribute>(&expr.node)) {
    auto owner = object_of(c, *attribute->value);
    if (!owner) return std::nullopt;
    auto& attributes = c.objects[owner->index].attributes;
    auto found = attributes.find(attribute->attr);
    return found == attributes.end() ? std::nullopt : made(&found->second.what);
  }
  return std::nullopt;
}

/// What an attribute that gets its first value is: of numbers a variable of its own, as a name is.
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

void set_attribute(Compilation& c, const MadeObject& object, std::string_view name, const Item& item,
                   const Range& target, const Range& range) {
  MadeState& state = c.objects[object.index];
  auto found = state.attributes.find(name);
  if (found == state.attributes.end()) {
    if (auto known = member(c, state.cls, name); known && known->kind == ClassMember::Kind::Property) {
      if (known->setter) {
        call_method(c, std::get<Func>(*known->setter), object, {item}, range);
      } else {
        c.report.error(ErrorKind::Name, target, fmt::format("the property `{}` has no setter", name));
      }
      return;
    }
    if (c.build.block() != state.block) {
      c.report.error(ErrorKind::Type, target,
                     fmt::format("the attribute `{}` gets its first value in a block that may not run: assign it "
                                 "where the object is made, or in __init__",
                                 name));
      return;
    }
    MadeAttribute fresh = first_value(c, item, range);
    c.objects[object.index].attributes.emplace(name, std::move(fresh));
    return;
  }
  MadeAttribute& attribute = found->second;
  changed(c, attribute, name, target);
  if (has_place(attribute.what)) {
    store_item(c, as_shared(c, attribute.what, c.function().in_parallel && attribute.shared), item, range, false);
  } else if (attribute.block == c.build.block()) {
    attribute = first_value(c, item, range);
  } else if (!poisoned(attribute.what)) {
    c.report.error(ErrorKind::Type, target,
                   fmt::format("the attribute `{}` is {}: it cannot change in a block that may not run", name,
                               describe_item(c, attribute.what)));
  }
}

Item make_object(Compilation& c, const HostObject& cls, const syntax::Call& e, const Expr& expr) {
  const MadeObject made{static_cast<uint32_t>(c.objects.size())};
  c.objects.push_back({cls, c.build.block(), {}});
  auto init = member(c, cls, "__init__");
  auto* func = init ? std::get_if<Func>(&init->value) : nullptr;
  if (!func) {
    if (init || !e.args.empty() || !e.keywords.empty()) {
      return c.report.error(ErrorKind::Type, expr.range,
                            fmt::format("{} takes no arguments: it has no __init__ of its own", cls.description));
    }
    return made;
  }
  const Item self = made;
  return poisoned(call_func(c, *func, e, expr, &self)) ? Item(Poison{}) : self;
}

/// Calls the method that a class has for an operator; nothing when it has none.
std::optional<Item> call_operator(Compilation& c, std::string_view name, const Item& self, std::vector<Item> arguments,
                                  const Range& range) {
  auto* made = std::get_if<MadeObject>(&self);
  auto found = made ? member(c, c.objects[made->index].cls, name) : std::nullopt;
  if (!found || found->kind != ClassMember::Kind::Method) return std::nullopt;
  return call_method(c, std::get<Func>(found->value), self, std::move(arguments), range);
}

bool is_made(const Item& item) { return std::holds_alternative<MadeObject>(item); }

std::string_view method_for(syntax::Operator op) {
  using syntax::Operator;
  switch (op) {
    case Operator::Add: return "add";
    case Operator::Sub: return "sub";
    case Operator::Mult: return "mul";
    case Operator::MatMult: return "matmul";
    case Operator::Div: return "truediv";
    case Operator::FloorDiv: return "floordiv";
    case Operator::Mod: return "mod";
    case Operator::Pow: return "pow";
    case Operator::LShift: return "lshift";
    case Operator::RShift: return "rshift";
    case Operator::BitAnd: return "and";
    case Operator::BitOr: return "or";
    case Operator::BitXor: return "xor";
  }
  return "";
}

Item no_operator(Compilation& c, std::string_view op, const Item& a, const Item& b, const Range& range) {
  return c.report.error(ErrorKind::Type, range,
                        fmt::format("`{}` does not work on {} and {}", op, describe_item(c, a), describe_item(c, b)));
}

}  // namespace

std::optional<Item> member_of_class(Compilation& c, const Value& value, std::string_view name) {
  auto* cls = std::get_if<HostObject>(&value);
  if (!cls || cls->kind != HostObject::Kind::Class || !kernels_make(c, *cls)) return std::nullopt;
  auto found = member(c, *cls, name);
  if (!found || !std::holds_alternative<Func>(found->value) || found->kind == ClassMember::Kind::Property)
    return std::nullopt;
  if (found->kind == ClassMember::Kind::OfClass)
    return BoundMethod{std::get<Func>(found->value), std::make_shared<const Item>(value)};
  return Item(std::move(found->value));
}

std::optional<Item> object_call(Compilation& c, const Item& callee, const syntax::Call& e, const Expr& expr) {
  if (is_made(callee)) {
    auto call = member(c, c.objects[std::get<MadeObject>(callee).index].cls, "__call__");
    if (call && call->kind == ClassMember::Kind::Method)
      return call_func(c, std::get<Func>(call->value), e, expr, &callee);
    return std::nullopt;
  }
  if (auto* method = std::get_if<syntax::Attribute>(&e.func->node);
      method && method->attr == "__init__" && known_as<None>(callee)) {
    // That of object, which does nothing.
    if (e.args.empty() && e.keywords.empty()) return Item(Value(None{}));
    return c.report.error(ErrorKind::Type, expr.range, "object.__init__() takes no arguments");
  }
  auto* cls = known_as<HostObject>(callee);
  if (!cls || cls->kind != HostObject::Kind::Class) return std::nullopt;
  return kernels_make(c, *cls) ? std::optional(make_object(c, *cls, e, expr)) : std::nullopt;
}

Item lower_super(Compilation& c, const syntax::Call& e, const Expr& expr) {
  const syntax::FunctionDef& def = c.function().source->function();
  if (!e.keywords.empty() || e.args.size() == 1 || e.args.size() > 2)
    return c.report.error(ErrorKind::Type, expr.range, "`super` takes nothing, or a class and an object");
  if (e.args.size() == 2) {
    const Item cls = evaluate(c, *e.args[0]), self = evaluate_place(c, *e.args[1]);
    if (poisoned(cls) || poisoned(self)) return Poison{};
    auto after = class_of_value(cls);
    if (!after)
      return c.report.error(ErrorKind::Type, e.args[0]->range,
                            fmt::format("`super` takes a class, not {}", describe_item(c, cls)));
    return Super{*after, std::make_shared<const Item>(self)};
  }
  auto cls = c.function().environment->lookup("__class__");
  auto after = cls ? class_of_value(Item(*cls)) : std::nullopt;
  const syntax::Arg* first = !def.args->posonlyargs.empty() ? &def.args->posonlyargs[0]
                             : !def.args->args.empty()      ? &def.args->args[0]
                                                            : nullptr;
  Binding* self = first ? c.function().find_local(first->arg) : nullptr;
  auto* item = self ? std::get_if<Item>(&self->what) : nullptr;
  if (!after || !item) {
    return c.report.error(ErrorKind::Type, expr.range,
                          "`super()` stands in a method of a class, which gets its object as the first parameter");
  }
  return Super{*after, std::make_shared<const Item>(*item)};
}

Item object_attribute(Compilation& c, const MadeObject& object, std::string_view name, const Range& range) {
  const MadeState& state = c.objects[object.index];
  if (auto found = state.attributes.find(name); found != state.attributes.end()) {
    const MadeAttribute& attribute = found->second;
    return as_shared(c, attribute.what, c.function().in_parallel && attribute.shared);
  }
  const HostObject cls = state.cls;
  if (auto found = member(c, cls, name)) return bound_member(c, *std::move(found), object, cls, range);
  return c.report.error(ErrorKind::Name, range,
                        fmt::format("{} has no attribute `{}`", describe_item(c, object), name));
}

Item super_attribute(Compilation& c, const Super& super, std::string_view name, const Range& range) {
  auto cls = class_of(c, *super.self);
  auto found = cls ? member(c, *cls, name, &super.after) : std::nullopt;
  if (found) return bound_member(c, *std::move(found), *super.self, *cls, range);
  if (cls && name == "__init__") return Value(None{});
  return c.report.error(ErrorKind::Name, range,
                        fmt::format("super() has no `{}`: no class that the object's class has behind {} has it", name,
                                    super.after.description));
}

std::optional<Value> known_attribute(Compilation& c, const MadeObject& object, std::string_view name) {
  MadeState& state = c.objects[object.index];
  auto found = state.attributes.find(name);
  if (found == state.attributes.end()) {
    auto constant = member(c, state.cls, name);
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
  auto object = attribute ? object_of(c, *attribute->value) : std::nullopt;
  if (!object) return false;
  const ir::Builder::Scope here(c.build, c.build.location_of(target.range));
  if (!poisoned(item)) set_attribute(c, *object, attribute->attr, item, target.range, range);
  return true;
}

void attribute_changes(Compilation& c, const syntax::Attribute& target) {
  auto object = object_of(c, *target.value);
  if (!object) return;
  auto& attributes = c.objects[object->index].attributes;
  auto found = attributes.find(target.attr);
  if (found != attributes.end()) changed(c, found->second, target.attr, target.value->range);
}

std::optional<Item> object_operator(Compilation& c, syntax::Operator op, const Item& a, const Item& b,
                                    const Range& range) {
  if (!is_made(a) && !is_made(b)) return std::nullopt;
  if (auto result = call_operator(c, fmt::format("__{}__", method_for(op)), a, {b}, range)) return result;
  if (auto result = call_operator(c, fmt::format("__r{}__", method_for(op)), b, {a}, range)) return result;
  return no_operator(c, text(op), a, b, range);
}

std::optional<Item> object_operator(Compilation& c, syntax::UnaryOperator op, const Item& operand, const Range& range) {
  using syntax::UnaryOperator;
  if (!is_made(operand) || op == UnaryOperator::Not) return std::nullopt;
  const std::string_view name = op == UnaryOperator::USub   ? "__neg__"
                                : op == UnaryOperator::UAdd ? "__pos__"
                                                            : "__invert__";
  return call_operator(c, name, operand, {}, range);
}

std::optional<Item> object_comparison(Compilation& c, syntax::CmpOperator op, const Item& a, const Item& b,
                                      const Range& range) {
  using syntax::CmpOperator;
  if (!is_made(a) && !is_made(b)) return std::nullopt;
  struct Row {
    CmpOperator op;
    std::string_view name, mirrored;
  };
  static constexpr Row kRows[] = {{CmpOperator::Eq, "__eq__", "__eq__"}, {CmpOperator::NotEq, "__ne__", "__ne__"},
                                  {CmpOperator::Lt, "__lt__", "__gt__"}, {CmpOperator::LtE, "__le__", "__ge__"},
                                  {CmpOperator::Gt, "__gt__", "__lt__"}, {CmpOperator::GtE, "__ge__", "__le__"}};
  for (const Row& row : kRows) {
    if (row.op != op) continue;
    if (auto result = call_operator(c, row.name, a, {b}, range)) return result;
    if (auto result = call_operator(c, row.mirrored, b, {a}, range)) return result;
  }
  return no_operator(c, text(op), a, b, range);
}

std::optional<Item> object_subscript(Compilation& c, const Item& object, const Item& index, const Range& range) {
  return call_operator(c, "__getitem__", object, {index}, range);
}

}  // namespace qd::frontend
