// Python's operators on compile-time values: numbers, strings, tuples.
#include "runtime/frontend/constants/python_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/frontend/constants/compound_types.h"
#include "runtime/frontend/constants/constant_tensors.h"
#include "runtime/frontend/constants/number_arithmetic.h"
#include "runtime/ir/half.h"

namespace qd::frontend {
namespace {

using syntax::CmpOperator;
using syntax::Operator;
using syntax::UnaryOperator;

Outcome ordered(CmpOperator op, const Value& a, const Value& b) {
  if (auto *x = std::get_if<std::string>(&a), *y = std::get_if<std::string>(&b); x && y) {
    return ordered(op, Value(int64_t{x->compare(*y)}), Value(int64_t{0}));
  }
  if (!is_number(a) || !is_number(b)) {
    return Outcome::failed(fmt::format("`{}` cannot compare {} with {}", text(op), describe(a), describe(b)));
  }
  const std::partial_ordering order = compare_numbers(a, b);
  switch (op) {
    case CmpOperator::Lt: return Value(order < 0);
    case CmpOperator::LtE: return Value(order <= 0);
    case CmpOperator::Gt: return Value(order > 0);
    default: return Value(order >= 0);
  }
}

bool is_same_value(const Value& a, const Value& b) { return a.index() == b.index() && equal(a, b); }

Outcome contains(const Value& container, const Value& item) {
  if (auto* tuple = std::get_if<Tuple>(&container)) {
    for (const Value& v : tuple->items) {
      if (equal(v, item)) return Value(true);
    }
    return Value(false);
  }
  if (auto* dict = std::get_if<Dict>(&container))
    return Value(std::ranges::any_of(dict->keys, [&](const Value& key) { return equal(key, item); }));
  auto* text = std::get_if<std::string>(&container);
  auto* part = std::get_if<std::string>(&item);
  if (text && part) return Value(text->find(*part) != std::string::npos);
  return Outcome::failed(fmt::format("`in` cannot look into {}", describe(container)));
}

}  // namespace

bool is_module_of_the_package(std::string_view module) {
  const std::string_view package = module.substr(0, module.find('.'));
  return package == "qd" || package == "qdcov";
}

HostObject module_object(uint64_t id, std::string_view name) {
  const std::string_view package = name.substr(0, name.find('.'));
  const bool is_own = is_module_of_the_package(package);
  // qd.compat stands for the peers' packages.
  const bool constants = is_own || package == "quadrants" || package == "taichi" || name == "math" || name == "numpy";
  const std::string written = is_own ? "qd" + std::string(name.substr(package.size())) : std::string(name);
  return {id, fmt::format("module '{}'", written), constants ? HostObject::Kind::Constants : HostObject::Kind::Module};
}

std::string describe(const Value& value) {
  return std::visit(syntax::overloaded{
                        [](const None&) -> std::string { return "None"; },
                        [](bool) -> std::string { return "bool"; },
                        [](int64_t) -> std::string { return "int"; },
                        [](const BigInteger&) -> std::string { return "int"; },
                        [](double) -> std::string { return "float"; },
                        [](const std::string&) -> std::string { return "str"; },
                        [](ir::Type t) { return fmt::format("the dtype {}", ir::name(t)); },
                        [](const HostField& f) {
                          return f.name.empty() ? std::string("a field") : fmt::format("field `{}`", f.name);
                        },
                        [](const Func& f) { return fmt::format("func `{}`", f.source->function().name); },
                        [](const Builtin& b) { return fmt::format("`{}`", b.name); },
                        [](const HostObject& o) {
                          if (o.kind == HostObject::Kind::NotYet)
                            return o.description + " (which is not supported yet)";
                          return o.description.empty() ? "a host object" : o.description;
                        },
                        [](const Tuple& t) -> std::string { return t.is_list ? "list" : "tuple"; },
                        [](const Dict&) -> std::string { return "dict"; },
                        [](const HostArray&) -> std::string { return "an ndarray"; },
                        [](const CompoundType& t) { return describe(t); },
                        [](const ConstantTensor& t) { return describe(CompoundType{t.type, t.shape, nullptr}); },
                        [](const ConstantStruct& s) {
                          return fmt::format("{}struct `{}`", s.is_field ? "field of " : "", s.type->name);
                        },
                    },
                    static_cast<const Value::variant&>(value));
}

const HostObject* host_object_of(const Value& value) {
  return value.member ? value.member.get() : std::get_if<HostObject>(&value);
}

bool is_number(const Value& value) {
  return std::holds_alternative<bool>(value) || std::holds_alternative<int64_t>(value) ||
         std::holds_alternative<double>(value) || std::holds_alternative<BigInteger>(value);
}

std::optional<int64_t> as_integer(const Value& value) {
  if (auto* b = std::get_if<bool>(&value)) return *b;
  if (auto* i = std::get_if<int64_t>(&value)) return *i;
  return std::nullopt;
}

double as_double(const Value& value) {
  if (auto i = as_integer(value)) return static_cast<double>(*i);
  if (auto* big = std::get_if<BigInteger>(&value)) return big->to_double();
  return std::get<double>(value);
}

bool truth(const Value& value) {
  if (is_number(value)) return as_double(value) != 0;
  if (auto* text = std::get_if<std::string>(&value)) return !text->empty();
  if (auto* tuple = std::get_if<Tuple>(&value)) return !tuple->items.empty();
  if (auto* dict = std::get_if<Dict>(&value)) return !dict->keys.empty();
  return !std::holds_alternative<None>(value);
}

bool has_truth(const Value& value) {
  auto* structure = std::get_if<ConstantStruct>(&value);
  return !std::holds_alternative<ConstantTensor>(value) && !(structure && !structure->is_field);
}

std::string no_truth(const Value& value) {
  return fmt::format("a {} is neither true nor false: use .any() or .all(), or compare a component", describe(value));
}

bool equal(const Value& a, const Value& b) {
  if (is_number(a) && is_number(b)) return compare_numbers(a, b) == 0;
  if (a.index() != b.index()) return false;
  if (auto* x = std::get_if<Tuple>(&a)) {
    const Tuple& y = std::get<Tuple>(b);
    if (x->is_list != y.is_list || x->items.size() != y.items.size()) return false;
    for (size_t i = 0; i < x->items.size(); ++i) {
      if (!equal(x->items[i], y.items[i])) return false;
    }
    return true;
  }
  if (auto* x = std::get_if<std::string>(&a)) return *x == std::get<std::string>(b);
  if (auto* x = std::get_if<ir::Type>(&a)) return *x == std::get<ir::Type>(b);
  if (auto* x = std::get_if<HostField>(&a)) return x->id == std::get<HostField>(b).id;
  if (auto* x = std::get_if<Builtin>(&a)) return x->name == std::get<Builtin>(b).name;
  if (auto* x = std::get_if<HostObject>(&a)) return x->id == std::get<HostObject>(b).id;
  if (auto* x = std::get_if<HostArray>(&a)) return x->id == std::get<HostArray>(b).id;
  if (auto* x = std::get_if<Dict>(&a)) {
    const Dict& y = std::get<Dict>(b);
    if (x->keys.size() != y.keys.size()) return false;
    for (size_t i = 0; i < x->keys.size(); ++i) {
      auto found = std::ranges::find_if(y.keys, [&](const Value& key) { return equal(key, x->keys[i]); });
      if (found == y.keys.end() || !equal(x->values[i], y.values[static_cast<size_t>(found - y.keys.begin())]))
        return false;
    }
    return true;
  }
  if (auto* x = std::get_if<CompoundType>(&a)) return same_type(*x, std::get<CompoundType>(b));
  if (auto* x = std::get_if<ConstantTensor>(&a)) {
    const auto& y = std::get<ConstantTensor>(b);
    return x->type == y.type && x->shape == y.shape && std::ranges::equal(x->numbers, y.numbers, equal);
  }
  if (auto* x = std::get_if<ConstantStruct>(&a)) {
    const auto& y = std::get<ConstantStruct>(b);
    return same_type(*x->type, *y.type) && std::ranges::equal(x->members, y.members, equal);
  }
  if (auto* x = std::get_if<Func>(&a)) {
    const Func& y = std::get<Func>(b);
    return x->source == y.source && x->environment == y.environment && !x->self == !y.self &&
           (!x->self || equal(*x->self, *y.self));
  }
  return true;  // None
}

Outcome binary(Operator op, const Value& a, const Value& b) {
  if (is_number(a) && is_number(b)) {
    const bool both_bool = std::holds_alternative<bool>(a) && std::holds_alternative<bool>(b);
    const bool bitwise = op == Operator::BitAnd || op == Operator::BitOr || op == Operator::BitXor;
    Outcome result = number_binary(op, a, b);
    return both_bool && bitwise ? Outcome(truth(*result.value)) : result;
  }
  auto *s = std::get_if<std::string>(&a), *t = std::get_if<std::string>(&b);
  if (op == Operator::Add && s && t) return Value(*s + *t);
  auto *u = std::get_if<Tuple>(&a), *v = std::get_if<Tuple>(&b);
  if (op == Operator::Mult && (s || u) && as_integer(b)) {
    const std::optional<size_t> times = repetitions(s ? s->size() : u->items.size(), *as_integer(b));
    if (!times) return Outcome::impossible(std::string(kTooManyItems));
    std::string text;
    Tuple items;
    items.is_list = u && u->is_list;
    for (size_t i = 0; i < *times; ++i) {
      if (s) text += *s;
      if (u) items.items.insert(items.items.end(), u->items.begin(), u->items.end());
    }
    return s ? Value(std::move(text)) : Value(std::move(items));
  }
  if (op == Operator::Add && u && v && u->is_list == v->is_list) {
    Tuple joined{u->items, u->is_list};
    joined.items.insert(joined.items.end(), v->items.begin(), v->items.end());
    return Value(std::move(joined));
  }
  if (std::holds_alternative<ConstantTensor>(a) || std::holds_alternative<ConstantTensor>(b))
    return tensor_binary(op, a, b);
  return Outcome::failed(fmt::format("`{}` does not work on {} and {}", text(op), describe(a), describe(b)));
}

Outcome unary(UnaryOperator op, const Value& a) {
  if (op == UnaryOperator::Not && !has_truth(a)) return Outcome::failed(no_truth(a));
  if (op == UnaryOperator::Not) return Value(!truth(a));
  if (auto i = as_integer(a)) {
    if (op == UnaryOperator::UAdd) return Value(*i);
    if (op == UnaryOperator::Invert) return Value(~*i);
    return number_binary(Operator::Sub, Value(int64_t{0}), a);
  }
  if (auto* big = std::get_if<BigInteger>(&a)) {
    return op == UnaryOperator::UAdd ? Outcome(a)
                                     : Outcome(whole_number(op == UnaryOperator::USub ? -*big : -*big - BigInteger(1)));
  }
  if (is_number(a) && op != UnaryOperator::Invert)
    return Value(op == UnaryOperator::USub ? -as_double(a) : as_double(a));
  return Outcome::failed(fmt::format("the operator does not work on {}", describe(a)));
}

Outcome compare(CmpOperator op, const Value& a, const Value& b) {
  switch (op) {
    case CmpOperator::Eq: return Value(equal(a, b));
    case CmpOperator::NotEq: return Value(!equal(a, b));
    case CmpOperator::Is: return Value(is_same_value(a, b));
    case CmpOperator::IsNot: return Value(!is_same_value(a, b));
    case CmpOperator::In: return contains(b, a);
    case CmpOperator::NotIn: {
      Outcome inside = contains(b, a);
      return inside.value ? Outcome(!truth(*inside.value)) : inside;
    }
    default: return ordered(op, a, b);
  }
}

Outcome subscript(const Value& sequence, const Value& index) {
  if (auto* dict = std::get_if<Dict>(&sequence)) {
    for (size_t i = 0; i < dict->keys.size(); ++i) {
      if (equal(dict->keys[i], index)) return dict->values[i];
    }
    return Outcome::failed(fmt::format("the dict has no key {}", representation(index)));
  }
  if (auto* tensor = std::get_if<ConstantTensor>(&sequence)) return tensor_item(*tensor, index);
  auto* structure = std::get_if<ConstantStruct>(&sequence);
  if (auto* name = structure ? std::get_if<std::string>(&index) : nullptr) {
    auto member = structure->type->index(*name);
    return member ? Outcome(structure->members[*member])
                  : Outcome::failed(fmt::format("{} has no member `{}`", describe(sequence), *name));
  }
  auto position = as_integer(index);
  if (!position) return Outcome::failed(fmt::format("indices must be integers, not {}", describe(index)));
  auto* tuple = std::get_if<Tuple>(&sequence);
  const auto characters = tuple ? std::nullopt : iterated(sequence);
  if (!tuple && !characters) return Outcome::failed(fmt::format("{} cannot be indexed", describe(sequence)));
  const std::vector<Value>& items = tuple ? tuple->items : *characters;
  const auto size = static_cast<int64_t>(items.size());
  int64_t i = *position < 0 ? *position + size : *position;
  if (i < 0 || i >= size)
    return Outcome::failed(fmt::format("index {} is out of range: there are {} items", *position, size));
  return items[static_cast<size_t>(i)];
}

namespace {

/// Saturating conversion of a float to an integer: truncated, out of range to the nearest that there is, NaN to 0.
int64_t saturated(double number, ir::Type type) {
  if (std::isnan(number)) return 0;
  const int width = ir::bit_width(type);
  const double end = std::ldexp(1.0, ir::is_signed(type) ? width - 1 : width);
  const uint64_t largest = (ir::is_signed(type) ? uint64_t{1} << (width - 1)
                            : width == 64       ? 0
                                                : uint64_t{1} << width) -
                           1;
  if (number >= end) return static_cast<int64_t>(largest);
  if (!ir::is_signed(type)) return number <= 0 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(number));
  return number < -end ? static_cast<int64_t>(~largest) : static_cast<int64_t>(number);
}

}  // namespace

Value convert(const Value& number, ir::Type type) {
  if (type == ir::Type::U1) return as_double(number) != 0;
  if (type == ir::Type::F16) return ir::double_from_half(ir::half_from_double(as_double(number)));
  if (type == ir::Type::F32) return static_cast<double>(static_cast<float>(as_double(number)));
  if (type == ir::Type::F64) return as_double(number);
  auto* big = std::get_if<BigInteger>(&number);
  const std::optional<int64_t> integer =
      big ? std::optional(static_cast<int64_t>(big->low_bits())) : as_integer(number);
  const int64_t bits = integer ? *integer : saturated(as_double(number), type);
  switch (type) {
    case ir::Type::I8: return int64_t{static_cast<int8_t>(bits)};
    case ir::Type::I16: return int64_t{static_cast<int16_t>(bits)};
    case ir::Type::I32: return int64_t{static_cast<int32_t>(bits)};
    case ir::Type::U8: return int64_t{static_cast<uint8_t>(bits)};
    case ir::Type::U16: return int64_t{static_cast<uint16_t>(bits)};
    case ir::Type::U32: return int64_t{static_cast<uint32_t>(bits)};
    case ir::Type::U64: return whole_number(BigInteger::of_unsigned(static_cast<uint64_t>(bits)));
    default: return bits;
  }
}

std::string representation(const Value& value) {
  auto* text = std::get_if<std::string>(&value);
  if (!text) return to_text(value);
  const char quote = text->find('\'') != std::string::npos && text->find('"') == std::string::npos ? '"' : '\'';
  std::string quoted(1, quote);
  for (char c : *text) {
    if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else {
      if (c == quote || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted + quote;
}

std::string to_text(const Value& value) {
  if (auto* b = std::get_if<bool>(&value)) return *b ? "True" : "False";
  if (auto* i = std::get_if<int64_t>(&value)) return fmt::format("{}", *i);
  if (auto* big = std::get_if<BigInteger>(&value)) return big->text();
  if (auto* s = std::get_if<std::string>(&value)) return *s;
  if (auto* t = std::get_if<ir::Type>(&value)) return fmt::format("qd.{}", ir::name(*t));
  if (auto* d = std::get_if<double>(&value)) {
    std::string text = fmt::format("{}", *d);
    return text.find_first_not_of("-0123456789") == std::string::npos ? text + ".0" : text;
  }
  std::string text;
  if (auto* dict = std::get_if<Dict>(&value)) {
    for (size_t i = 0; i < dict->keys.size(); ++i) {
      if (i > 0) text += ", ";
      text += fmt::format("{}: {}", representation(dict->keys[i]), representation(dict->values[i]));
    }
    return fmt::format("{{{}}}", text);
  }
  if (auto* tensor = std::get_if<ConstantTensor>(&value)) {
    const size_t width = static_cast<size_t>(tensor->shape.back());
    for (size_t i = 0; i < tensor->numbers.size(); ++i) {
      text += i == 0 ? "[" : i % width == 0 ? "], [" : ", ";
      text += to_text(convert(tensor->numbers[i], tensor->type));
    }
    return fmt::format("{}{}]{}", tensor->shape.size() == 2 ? "[" : "", text, tensor->shape.size() == 2 ? "]" : "");
  }
  auto* tuple = std::get_if<Tuple>(&value);
  if (!tuple) return describe(value);
  for (size_t i = 0; i < tuple->items.size(); ++i) {
    if (i > 0) text += ", ";
    if (tuple->named) text += tuple->named->fields[i] + "=";
    text += representation(tuple->items[i]);
  }
  if (tuple->named) return fmt::format("{}({})", tuple->named->name(), text);
  return tuple->is_list ? fmt::format("[{}]", text) : fmt::format("({}{})", text, tuple->items.size() == 1 ? "," : "");
}

std::string_view text(Operator op) {
  constexpr std::string_view kText[] = {"+", "-", "*", "@", "/", "%", "**", "<<", ">>", "|", "^", "&", "//"};
  return kText[static_cast<size_t>(op)];
}

std::string_view text(CmpOperator op) {
  constexpr std::string_view kText[] = {"==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in"};
  return kText[static_cast<size_t>(op)];
}

}  // namespace qd::frontend
