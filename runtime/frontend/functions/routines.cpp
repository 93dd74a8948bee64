// Calls of a qd.real_func. Numbers are passed at run time, also those in compound values; arrays, objects and known
// values of templates make another routine of it.
#include "runtime/frontend/functions/routines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "runtime/frontend/constants/python_values.h"
#include "runtime/frontend/functions/results.h"
#include "runtime/frontend/interface/annotation.h"
#include "runtime/frontend/values/conversion.h"
#include "runtime/frontend/values/places.h"
#include "runtime/frontend/values/tensors.h"
#include "runtime/frontend/values/text.h"
#include "runtime/ir/calls.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::exhaustive;
using syntax::OneOf;
using syntax::overloaded;
using syntax::Range;

namespace {

/// Arguments of a call: numbers are passed at run time; the rest is part of the routine, and of its key.
struct Passed {
  std::string key;
  std::vector<ir::InstId> numbers;
};

std::string class_key(const TupleClass& named) { return fmt::format("named {} ", named.cls.id); }

/// A text that is the same for two values only when they are the same; nothing for values that have none.
std::optional<std::string> identity(const Value& value) {
  auto parts = [](char what, const std::vector<Value>& list) -> std::optional<std::string> {
    std::string text(1, what);
    for (const Value& part : list) {
      auto inner = identity(part);
      if (!inner) return std::nullopt;
      text += *inner + ',';
    }
    return text + ')';
  };
  using Text = std::optional<std::string>;
  if (value.member) return fmt::format("member {}", value.member->id);
  return std::visit(overloaded{
                        [](const None&) -> Text { return "None"; },
                        [](bool v) -> Text { return v ? "True" : "False"; },
                        [](int64_t v) -> Text { return fmt::format("{}", v); },
                        [](const BigInteger& v) -> Text { return v.text(); },
                        [](double v) -> Text { return fmt::format("d{:x}", std::bit_cast<uint64_t>(v)); },
                        [](const std::string& v) -> Text { return fmt::format("s{}:{}", v.size(), v); },
                        [](Type v) -> Text { return fmt::format("type {}", ir::name(v)); },
                        [](const HostField& v) -> Text { return fmt::format("field {}", v.id); },
                        [](const Builtin& v) -> Text { return "qd." + v.name; },
                        [](const HostObject& v) -> Text {
                          return v.read >= 0 ? fmt::format("read {}", v.read) : fmt::format("object {}", v.id);
                        },
                        [](const Func& v) -> Text {
                          auto self = v.self ? identity(*v.self) : std::string();
                          if (!self) return std::nullopt;
                          return fmt::format("func {} {} {}", static_cast<const void*>(v.source->def),
                                             static_cast<const void*>(v.environment.get()), *self);
                        },
                        [&](const Tuple& v) -> Text {
                          auto items = parts(v.is_list ? '[' : '(', v.items);
                          return items && v.named ? Text(class_key(*v.named) + *items) : items;
                        },
                        [&](const Dict& v) -> Text {
                          auto keys = parts('{', v.keys), values = parts(':', v.values);
                          return keys && values ? Text(*keys + *values) : std::nullopt;
                        },
                        [&](const ConstantTensor& v) -> Text {
                          auto numbers = parts('(', v.numbers);
                          return numbers
                                     ? Text(fmt::format("{}{}{}", ir::name(v.type), fmt::join(v.shape, "x"), *numbers))
                                     : std::nullopt;
                        },
                        [](const auto&) -> Text { return std::nullopt; },
                    },
                    value);
}

/// The value in a place, without its numbers.
Item value_in(const Item& place) {
  if (auto* number = std::get_if<NumberPlace>(&place)) return Number{InstId::None, number->type};
  if (auto* tensor = std::get_if<TensorPlace>(&place))
    return Tensor{tensor->type, tensor->shape, std::vector<InstId>(tensor->components.size())};
  auto* record = std::get_if<Record>(&place);
  if (!record) return place;
  Record values{record->type, {}, record->is_array};
  for (const Item& member : record->members) values.members.push_back(value_in(member));
  return values;
}

/// Whether a `return` has a value.
bool returns_value(syntax::List<syntax::StmtPtr> body) {
  return std::ranges::any_of(body, [](const syntax::Stmt* stmt) {
    return std::visit(
        exhaustive{
            [](const syntax::Return& s) {
              auto* constant = s.value ? std::get_if<syntax::Constant>(&s.value->node) : nullptr;
              return s.value && !(constant && constant->kind == syntax::ConstantKind::None);
            },
            [](const syntax::If& s) { return returns_value(s.body) || returns_value(s.orelse); },
            [](const OneOf<syntax::For, syntax::While> auto& s) { return returns_value(s.body); },
            // Errors in routines.
            [](const OneOf<syntax::FunctionDef, syntax::ClassDef, syntax::With, syntax::Match, syntax::Try> auto&) {
              return false;
            },
            [](const syntax::SimpleStatement auto&) { return false; },
        },
        stmt->node);
  });
}

std::string array_key(const ArrayRef& array) {
  const auto& [index, element_shape, clamp] = array;  // a new member does not compile before it is part of the key
  return fmt::format("array {} {} {}", index, fmt::join(element_shape, "x"), clamp);
}

/// The item as the routine sees it, with its numbers in `passed`; nothing when it can only be part of the caller's
/// code.
std::optional<Item> pass_item(Compilation& c, const Item& item, bool by_value, const Range& range, Passed& passed);
uint32_t lower_routine(Compilation& c, const Func& func, std::span<const syntax::Arg* const> parameters,
                       std::span<const Item> items, const Range& call, const Passed& passed);

std::optional<std::vector<Item>> pass_all(Compilation& c, std::span<const Item> items, bool by_value,
                                          const Range& range, Passed& passed) {
  std::vector<Item> list;
  passed.key += '(';
  for (const Item& item : items) {
    auto part = pass_item(c, item, by_value, range, passed);
    if (!part) return std::nullopt;
    list.push_back(*std::move(part));
  }
  passed.key += ')';
  return list;
}

std::optional<Item> pass_item(Compilation& c, const Item& item, bool by_value, const Range& range, Passed& passed) {
  auto number = [&](InstId id) {
    passed.key += fmt::format("{},", ir::name(c.kernel[id].type));
    passed.numbers.push_back(id);
  };
  if (auto* own = std::get_if<Number>(&item)) {
    number(own->id);
    return item;
  }
  if (auto* tensor = std::get_if<Tensor>(&item)) {
    passed.key += fmt::format("tensor {} ", fmt::join(tensor->shape, "x"));
    for (InstId id : tensor->numbers) number(id);
    return item;
  }
  if (auto* array = std::get_if<ArrayRef>(&item)) {
    passed.key += array_key(*array) + ',';
    return item;
  }
  if (auto* view = std::get_if<View>(&item)) {
    passed.key += "view " + array_key(view->array) + ' ';
    number(view->offset);
    number(view->size);
    return item;
  }
  if (auto* record = std::get_if<Record>(&item)) {
    // The types of a struct that is made in a kernel are those of its members.
    passed.key +=
        fmt::format("struct {} {} {}", record->type->id, record->type->name, fmt::join(record->type->names, ","));
    auto members = pass_all(c, record->members, by_value, range, passed);
    return members ? std::optional<Item>(Record{record->type, *std::move(members), record->is_array}) : std::nullopt;
  }
  if (auto* items = std::get_if<Items>(&item)) {
    auto keys = identity(Tuple{items->keys});
    if (!keys) return std::nullopt;
    passed.key += (items->is_list ? "list " : "items ") + *keys;
    if (items->named) passed.key += class_key(*items->named);
    auto list = pass_all(c, items->list, by_value, range, passed);
    return list ? std::optional<Item>(Items{*std::move(list), items->keys, items->is_list, items->named})
                : std::nullopt;
  }
  auto* value = std::get_if<Value>(&item);
  if (!value) return std::nullopt;  // places
  if (by_value && is_number(*value)) {
    auto own = to_number(c, item, range);
    return own ? pass_item(c, *own, by_value, range, passed) : std::nullopt;
  }
  if (auto* tuple = std::get_if<Tuple>(value); tuple && by_value)
    return pass_item(c, Items{{tuple->items.begin(), tuple->items.end()}, {}, tuple->is_list, tuple->named}, by_value,
                     range, passed);
  if (by_value && std::holds_alternative<ConstantTensor>(*value))
    return pass_item(c, *as_tensor(c, item, range), by_value, range, passed);
  auto text = identity(*value);
  if (!text) return std::nullopt;
  passed.key += *text + ',';
  return item;
}

/// The item with other numbers, in the order of pass().
template <class Next>
Item with_numbers(Item item, Next&& next) {
  if (auto* number = std::get_if<Number>(&item)) number->id = next(number->type);
  if (auto* tensor = std::get_if<Tensor>(&item)) {
    for (InstId& id : tensor->numbers) id = next(tensor->type);
  }
  if (auto* view = std::get_if<View>(&item)) {
    view->offset = next(Type::I32);
    view->size = next(Type::I32);
  }
  if (auto* record = std::get_if<Record>(&item)) {
    for (Item& member : record->members) member = with_numbers(std::move(member), next);
  }
  if (auto* items = std::get_if<Items>(&item)) {
    for (Item& part : items->list) part = with_numbers(std::move(part), next);
  }
  return item;
}

}  // namespace

std::optional<Item> call_routine(Compilation& c, const Func& func, std::span<const syntax::Arg* const> parameters,
                                 const std::vector<BoundArgument>& bound, const Range& call, uint32_t call_location) {
  Environment& environment = *func.environment;
  Passed passed;
  passed.key = identity(Value(Func{func.source, func.environment})).value_or("");
  // A variable of the caller, or a place, is no value: the func is inlined.
  if (std::ranges::any_of(bound, [](const BoundArgument& argument) { return argument.variable.has_value(); }))
    return std::nullopt;
  std::vector<Item> items;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const bool by_value = !is_template(*parameters[i], environment);
    Item item = typed_argument(c, *parameters[i], bound[i].item, environment);
    if (poisoned(item)) return Item(Poison{});
    auto as_passed =
        pass_item(c, by_value ? loaded(c, std::move(item)) : std::move(item), by_value, parameters[i]->range, passed);
    if (!as_passed) return std::nullopt;
    items.push_back(*std::move(as_passed));
  }
  auto known = c.routines.by_key.find(passed.key);
  const uint32_t index =
      known != c.routines.by_key.end() ? known->second : lower_routine(c, func, parameters, items, call, passed);
  const RoutineState& state = c.routines.states[index];
  const bool lacks_types = state.results.empty() && !func.source->function().returns && state.open;
  if (lacks_types && returns_value(func.source->function().body)) {
    return Item(c.report.caller_error(
        ErrorKind::Type, call,
        fmt::format("`{0}` calls itself, so what it returns must be annotated: def {0}(...) -> qd.i32, for example",
                    func.source->function().name)));
  }
  c.build.set_location(call_location);
  const auto id =
      static_cast<uint32_t>(c.build.inst(Op::Call, Type::Void, passed.numbers, index, c.routines.n_calls++));
  if (state.results.empty()) return state.failed ? Item(Poison{}) : Item(Value(None{}));
  uint64_t position = 0;
  Items results;
  for (const Item& result : state.results) {
    results.list.push_back(
        with_numbers(result, [&](Type type) { return c.build.inst(Op::CallResult, type, {}, id, position++); }));
  }
  if (!state.tuple) return results.list[0];
  return Item(std::move(results));
}

namespace {

uint32_t lower_routine(Compilation& c, const Func& func, std::span<const syntax::Arg* const> parameters,
                       std::span<const Item> items, const Range& call, const Passed& passed) {
  const FunctionSource& source = *func.source;
  const auto index = static_cast<uint32_t>(c.kernel.routines.size());
  c.routines.by_key.emplace(passed.key, index);
  ir::Routine routine{std::string(source.function().name), {}, {}, c.kernel.add_block()};
  for (InstId id : passed.numbers) routine.params.push_back(c.kernel[id].type);
  const ir::Builder::Scope there(c.build, routine.body);
  c.kernel.routines.push_back(std::move(routine));
  RoutineState& state = c.routines.states.emplace_back();
  state.func = func;

  // Nothing of the caller holds in a routine: it is one for all of its calls.
  FunctionState& callee = c.function();
  callee.caller = UINT32_MAX;
  callee.routine = true;
  callee.in_parallel = true;  // all of its declarations are its own
  callee.iteration.clear();
  callee.loop_info.reset();
  callee.covered = true;
  callee.statement_block = c.build.block();
  state.location = c.build.location_of(source.def->range);
  c.build.set_location(state.location);

  uint32_t position = 0;
  auto next = [&](Type type) { return c.build.inst(Op::CallArg, type, {}, position++); };
  for (size_t i = 0; i < parameters.size(); ++i) {
    BoundArgument own;
    own.item = with_numbers(items[i], next);
    bind_func_parameter(c, *parameters[i], own, callee);
  }
  const size_t errors_before = c.report.errors();
  if (auto early = early_return_places(c, source, call)) {
    state.tuple = early->tuple;
    for (const EarlyReturns::Result& result : early->results) {
      state.results.push_back(with_numbers(value_in(result.place), [&](Type type) {
        c.kernel.routines[index].results.push_back(type);
        return InstId::None;
      }));
    }
    Item result = early_returning_body(c, source, *std::move(early));
    Passed returned;
    if (!state.results.empty() && !poisoned(result)) {
      pass_item(c, result, true, call, returned);
      c.build.inst(Op::Return, Type::Void, returned.numbers);
    }
  }
  state.open = false;
  state.failed = c.report.errors() > errors_before;
  return index;
}

}  // namespace

void guard_recursion(Compilation& c) {
  if (c.kernel.routines.empty()) return;
  const std::vector<bool> recursive = ir::recursive_routines(c.kernel);
  for (size_t i = 0; i < recursive.size(); ++i) {
    if (!recursive[i]) continue;
    const ir::BlockId body = c.kernel.routines[i].body;
    std::vector<InstId> rest = std::move(c.kernel[body]);
    c.kernel[body].clear();
    ir::Builder build(c.kernel, body, c.routines.states[i].location);
    const InstId left = build.inst(Op::StackLeft, Type::I64, {});
    const InstId enough = build.compare(ir::CompareOp::Gt, left, build.constant(Type::I64, 0));
    const std::string text = fmt::format(
        "`{}` calls itself too often: the stack is full. Is there an end to the recursion?", c.kernel.routines[i].name);
    build.inst(Op::Assert, Type::Void, {enough}, static_cast<uint32_t>(c.kernel.formats.size()));
    c.kernel.formats.push_back({{text}, {}, {}});
    c.kernel[body].insert(c.kernel[body].end(), rest.begin(), rest.end());
  }
}

}  // namespace qd::frontend
