// Objects that a kernel makes of classes of the host: construction, calls, members of their class, and super().
#include "runtime/frontend/expressions/made_objects.h"

#include <fmt/format.h>

#include "runtime/frontend/expressions/calls.h"
#include "runtime/frontend/expressions/expressions.h"
#include "runtime/frontend/values/conversion.h"

namespace qd::frontend {

using syntax::Expr;
using syntax::Range;

std::optional<ClassMember> class_member(Compilation& c, const HostObject& cls, std::string_view name,
                                        const HostObject* after) {
  return c.function().environment->member(cls, name, after);
}

/// A member of a class, bound to an object of it.
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

namespace {

/// Whether a call of a class in a kernel makes an object.
bool kernels_make(Compilation& c, const HostObject& cls) {
  auto made = class_member(c, cls, "made in kernels");
  const bool* yes = made ? std::get_if<bool>(&made->value) : nullptr;
  return yes && *yes;
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

Item make_object(Compilation& c, const HostObject& cls, const syntax::Call& e, const Expr& expr) {
  const MadeObject made{static_cast<uint32_t>(c.objects.size())};
  c.objects.push_back({cls, c.build.block()});
  auto init = class_member(c, cls, "__init__");
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

}  // namespace

std::optional<MadeObject> named_object(Compilation& c, const Expr& expr) {
  auto made = [](const Item* item) {
    auto* object = item ? std::get_if<MadeObject>(item) : nullptr;
    return object ? std::optional(*object) : std::nullopt;
  };
  if (auto* name = std::get_if<syntax::Name>(&expr.node)) {
    Binding* binding = c.function().find_local(name->id);
    return binding ? made(std::get_if<Item>(&binding->what)) : std::nullopt;
  }
  if (auto* attribute = std::get_if<syntax::Attribute>(&expr.node)) {
    auto owner = named_object(c, *attribute->value);
    if (!owner) return std::nullopt;
    auto& attributes = c.objects[owner->index].attributes;
    auto found = attributes.find(attribute->attr);
    return found == attributes.end() ? std::nullopt : made(&found->second.what);
  }
  return std::nullopt;
}

std::optional<Item> member_of_class(Compilation& c, const Value& value, std::string_view name) {
  auto* cls = std::get_if<HostObject>(&value);
  if (!cls || cls->kind != HostObject::Kind::Class || !kernels_make(c, *cls)) return std::nullopt;
  auto found = class_member(c, *cls, name);
  if (!found || !std::holds_alternative<Func>(found->value) || found->kind == ClassMember::Kind::Property)
    return std::nullopt;
  if (found->kind == ClassMember::Kind::OfClass)
    return BoundMethod{std::get<Func>(found->value), std::make_shared<const Item>(value)};
  return Item(std::move(found->value));
}

std::optional<Func> special_method(Compilation& c, const Item& object, std::string_view name) {
  if (auto* made = std::get_if<MadeObject>(&object)) {
    auto found = class_member(c, c.objects[made->index].cls, name);
    const bool is_method = found && found->kind == ClassMember::Kind::Method;
    return is_method ? std::optional(std::get<Func>(found->value)) : std::nullopt;
  }
  auto* host = known_as<HostObject>(object);
  if (!host || host->kind != HostObject::Kind::Other) return std::nullopt;
  auto found = c.function().environment->attribute(*host, name);
  auto* func = found ? std::get_if<Func>(&*found) : nullptr;
  return func ? std::optional(*func) : std::nullopt;
}

std::optional<Item> object_call(Compilation& c, const Item& callee, const syntax::Call& e, const Expr& expr) {
  if (auto call = special_method(c, callee, "__call__")) return call_func(c, *call, e, expr, &callee);
  if (std::holds_alternative<MadeObject>(callee)) return std::nullopt;
  if (auto* method = std::get_if<syntax::Attribute>(&e.func->node);
      method && method->attr == "__init__" && known_as<None>(callee)) {
    // The constructor of Python's object, which does nothing.
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
  if (!after || !item || !class_of(c, *item)) {
    return c.report.error(ErrorKind::Type, expr.range,
                          "`super()` stands in a method of a class, which gets its object as the first parameter");
  }
  return Super{*after, std::make_shared<const Item>(*item)};
}

Item super_attribute(Compilation& c, const Super& super, std::string_view name, const Range& range) {
  auto cls = class_of(c, *super.self);
  auto found = cls ? class_member(c, *cls, name, &super.after) : std::nullopt;
  if (found) return bound_member(c, *std::move(found), *super.self, *cls, range);
  if (cls && name == "__init__") return Value(None{});
  return c.report.error(ErrorKind::Name, range,
                        fmt::format("`super()` has no `{}`: no class after {} in the method resolution order has it",
                                    name, super.after.description));
}

}  // namespace qd::frontend
