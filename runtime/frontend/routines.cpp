// Calls of a qd.real_func. Numbers are passed at run time, whatever they are part of; arrays, objects and what is known
// of templates make another routine of it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "runtime/frontend/annotation.h"
#include "runtime/frontend/lowering.h"
#include "runtime/frontend/python_values.h"
#include "runtime/ir/calls.h"

namespace qd::frontend {

using ir::InstId;
using ir::Op;
using ir::Type;
using syntax::overloaded;
using syntax::Range;

namespace {

/// A text that two values share only when they are the same; nothing for values that have none.
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
  return std::visit(overloaded{
                        [](const None&) -> Text { return "None"; },
                        [](bool v) -> Text { return v ? "True" : "False"; },
                        [](int64_t v) -> Text { return fmt::format("{}", v); },
                        [](const BigInteger& v) -> Text { return v.text(); },
                        [](double v) -> Text { return fmt::format("d{:x}", std::bit_cast<uint64_t>(v)); },
                        [](const std::string& v) -> Text { return fmt::format("s{}:{}", v.size(), v); },
                        [](Type v) -> Text { return fmt::format("type {}", ir::name(v)); },
                        [](const Field& v) -> Text { return fmt::format("field {}", v.id); },
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
                        [&](const Tuple& v) -> Text { return parts(v.is_list ? '[' : '(', v.items); },
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

/// What a place holds, without its numbers.
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

/// Whether a `return` gives something.
bool returns_value(syntax::List<syntax::StmtPtr> body) {
  return std::ranges::any_of(body, [](const syntax::Stmt* stmt) {
    return std::visit(overloaded{
                          [](const syntax::Return& s) {
                            auto* constant = s.value ? std::get_if<syntax::Constant>(&s.value->node) : nullptr;
                            return s.value && !(constant && constant->kind == syntax::ConstantKind::None);
                          },
                          [](const syntax::If& s) { return returns_value(s.body) || returns_value(s.orelse); },
                          [](const syntax::For& s) { return returns_value(s.body); },
                          [](const syntax::While& s) { return returns_value(s.body); },
                          [](const auto&) { return false; },
                      },
                      stmt->node);
  });
}

std::string array_key(const ArrayRef& array) {
  const auto& [index, element_shape, grad, clamp] =
      array;  // a new member does not compile before it is part of the key
  return fmt::format("array {} {} {} {}", index, fmt::join(element_shape, "x"), grad ? static_cast<int64_t>(*grad) : -1,
                     clamp);
}

}  // namespace

std::optional<std::vector<Item>> Lowering::pass_all(std::span<const Item> items, bool by_value, const Range& range,
                                                    Passed& passed) {
  std::vector<Item> list;
  passed.key += '(';
  for (const Item& item : items) {
    auto part = pass(item, by_value, range, passed);
    if (!part) return std::nullopt;
    list.push_back(*std::move(part));
  }
  passed.key += ')';
  return list;
}

std::optional<Item> Lowering::pass(const Item& item, bool by_value, const Range& range, Passed& passed) {
  auto number = [&](InstId id) {
    passed.key += fmt::format("{},", ir::name(kernel_[id].type));
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
    auto members = pass_all(record->members, by_value, range, passed);
    return members ? std::optional<Item>(Record{record->type, *std::move(members), record->is_array}) : std::nullopt;
  }
  if (auto* items = std::get_if<Items>(&item)) {
    auto keys = identity(Tuple{items->keys});
    if (!keys) return std::nullopt;
    passed.key += (items->is_list ? "list " : "items ") + *keys;
    auto list = pass_all(items->list, by_value, range, passed);
    return list ? std::optional<Item>(Items{*std::move(list), items->keys, items->is_list}) : std::nullopt;
  }
  auto* value = std::get_if<Value>(&item);
  if (!value) return std::nullopt;  // places
  if (by_value && is_number(*value)) {
    auto own = this->number(item, range);
    return own ? pass(*own, by_value, range, passed) : std::nullopt;
  }
  if (auto* tuple = std::get_if<Tuple>(value); tuple && by_value)
    return pass(Items{{tuple->items.begin(), tuple->items.end()}, {}, tuple->is_list}, by_value, range, passed);
  if (by_value && std::holds_alternative<ConstantTensor>(*value))
    return pass(*as_tensor(item, range), by_value, range, passed);
  auto text = identity(*value);
  if (!text) return std::nullopt;
  passed.key += *text + ',';
  return item;
}

template <class Next>
Item Lowering::with_numbers(Item item, Next&& next) {
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

std::optional<Item> Lowering::call_routine(const Func& func, std::span<const syntax::Arg* const> parameters,
                                           const std::vector<BoundArgument>& bound, const Range& call,
                                           uint32_t call_location) {
  Environment& environment = *func.environment;
  Passed passed;
  passed.key = identity(Value(Func{func.source, func.environment})).value_or("");
  // What is a variable of the caller, or a place, is no value: the func is inlined.
  if (std::ranges::any_of(bound, [](const BoundArgument& argument) { return argument.variable.has_value(); }))
    return std::nullopt;
  std::vector<Item> items;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const bool by_value = !is_template(*parameters[i], environment);
    Item item = typed_argument(*parameters[i], bound[i].item, environment);
    if (poisoned(item)) return Item(Poison{});
    auto as_passed = pass(by_value ? loaded(std::move(item)) : std::move(item), by_value, parameters[i]->range, passed);
    if (!as_passed) return std::nullopt;
    items.push_back(*std::move(as_passed));
  }
  auto known = routines_.find(passed.key);
  const uint32_t index =
      known != routines_.end() ? known->second : lower_routine(func, parameters, items, call, passed);
  const RoutineState& state = routine_states_[index];
  const bool lacks_types = state.results.empty() && !func.source->function().returns && state.open;
  if (lacks_types && returns_value(func.source->function().body)) {
    return Item(caller_error(
        ErrorKind::Type, call,
        fmt::format("`{0}` calls itself, so what it returns must be annotated: def {0}(...) -> qd.i32, for example",
                    func.source->function().name)));
  }
  build_.set_location(call_location);
  const auto id = static_cast<uint32_t>(build_.inst(Op::Call, Type::Void, passed.numbers, index, calls_++));
  if (state.results.empty()) return state.failed ? Item(Poison{}) : Item(Value(None{}));
  uint64_t position = 0;
  Items results;
  for (const Item& result : state.results) {
    results.list.push_back(
        with_numbers(result, [&](Type type) { return build_.inst(Op::CallResult, type, {}, id, position++); }));
  }
  if (!state.tuple) return results.list[0];
  return Item(std::move(results));
}

uint32_t Lowering::lower_routine(const Func& func, std::span<const syntax::Arg* const> parameters,
                                 std::span<const Item> items, const Range& call, const Passed& passed) {
  const FunctionSource& source = *func.source;
  const auto index = static_cast<uint32_t>(kernel_.routines.size());
  routines_.emplace(passed.key, index);
  ir::Routine routine{std::string(source.function().name), {}, {}, kernel_.add_block()};
  for (InstId id : passed.numbers) routine.params.push_back(kernel_[id].type);
  const ir::Builder::Scope there(build_, routine.body);
  kernel_.routines.push_back(std::move(routine));
  RoutineState& state = routine_states_.emplace_back();
  state.func = func;

  Frame& callee = frame();
  callee.caller = UINT32_MAX;
  callee.routine = true;
  state.location = location(source.def->range);
  build_.set_location(state.location);
  const bool outer_parallel = std::exchange(in_parallel_, true);  // whatever it declares is its own
  auto outer_loop_info = std::exchange(loop_info_, std::nullopt);
  const int outer_comprehensions = std::exchange(comprehensions_, 0);
  const int32_t outer_suite = suite_line_;
  const ir::BlockId outer_statement_block = statement_block_;
  suite_line_ = 0;
  statement_block_ = build_.block();

  uint32_t position = 0;
  auto next = [&](Type type) { return build_.inst(Op::CallArg, type, {}, position++); };
  for (size_t i = 0; i < parameters.size(); ++i) {
    BoundArgument own;
    own.item = with_numbers(items[i], next);
    bind_func_parameter(*parameters[i], own, callee);
  }
  probed_ = {ir::BlockId::None, 0};
  const size_t errors_before = diagnostics_.seen();
  if (auto early = early_returns(source, call)) {
    state.tuple = early->tuple;
    for (const EarlyReturns::Result& result : early->results) {
      state.results.push_back(with_numbers(value_in(result.place), [&](Type type) {
        kernel_.routines[index].results.push_back(type);
        return InstId::None;
      }));
    }
    Item result = early_returning_body(source, *std::move(early));
    Passed returned;
    if (!state.results.empty() && !poisoned(result)) {
      pass(result, true, call, returned);
      build_.inst(Op::Return, Type::Void, returned.numbers);
    }
  }
  state.open = false;
  state.failed = diagnostics_.seen() > errors_before;

  in_parallel_ = outer_parallel;
  loop_info_ = outer_loop_info;
  comprehensions_ = outer_comprehensions;
  suite_line_ = outer_suite;
  statement_block_ = outer_statement_block;
  return index;
}

void Lowering::guard_recursion() {
  if (kernel_.routines.empty()) return;
  const std::vector<bool> recursive = ir::recursive_routines(kernel_);
  for (size_t i = 0; i < recursive.size(); ++i) {
    if (!recursive[i]) continue;
    const ir::BlockId body = kernel_.routines[i].body;
    std::vector<InstId> rest = std::move(kernel_[body]);
    kernel_[body].clear();
    ir::Builder build(kernel_, body, routine_states_[i].location);
    const InstId left = build.inst(Op::StackLeft, Type::I64, {});
    const InstId enough = build.compare(ir::CompareOp::Gt, left, build.constant(Type::I64, 0));
    const std::string text = fmt::format(
        "`{}` calls itself too often: the stack is full. Is there an end to the recursion?", kernel_.routines[i].name);
    build.inst(Op::Assert, Type::Void, {enough}, static_cast<uint32_t>(kernel_.formats.size()));
    kernel_.formats.push_back({{text}, {}, {}});
    kernel_[body].insert(kernel_[body].end(), rest.begin(), rest.end());
  }
}

}  // namespace qd::frontend
