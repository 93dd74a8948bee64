// Serialises values for the keys of caches: each as all of its properties that the front end can read.
#include "runtime/launch/value_serializer.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/syntax/ast.h"

#include <xxhash.h>

#include <bit>

namespace qd {

using frontend::Environment;
using frontend::Func;
using frontend::FunctionSource;
using frontend::HostObject;
using frontend::Value;

namespace {

using syntax::overloaded;

ValueSerializer::Function function_of(const FunctionSource& source) {
  return {source.file, source.first_line(), std::string(source.function().name)};
}

/// The text of a function, from its first decorator on.
std::string_view lines_of(const syntax::Module& module, int32_t first_line, int32_t last_line) {
  const std::string_view file = module.source;
  int32_t line = 1;
  auto start_of = [&](int32_t wanted, size_t from) {
    for (; line < wanted; ++line) {
      const size_t end = file.find('\n', from);
      if (end == std::string_view::npos) return file.size();
      from = end + 1;
    }
    return from;
  };
  const size_t begin = start_of(first_line, 0);
  return file.substr(begin, start_of(last_line + 1, begin) - begin);
}

}  // namespace

std::array<uint64_t, 2> source_hash(const FunctionSource& source) {
  const auto& [module, def, file, line_offset, real, top_level, library, checks, python, plain, method] = source;
  const std::string_view text = lines_of(*module, source.first_line() - line_offset, def->range.end_line);
  const XXH128_hash_t hash =
      XXH3_128bits_withSeed(text.data(), text.size(),
                            uint64_t{real} | uint64_t{method} << 1 | uint64_t{top_level} << 2 | uint64_t{library} << 3 |
                                uint64_t{checks} << 4 | uint64_t{python} << 5 | uint64_t{plain} << 6 |
                                static_cast<uint64_t>(def->range.col) << 8);  // of lambdas, a line may have several
  return {hash.high64, hash.low64};
}

ValueSerializer::ValueSerializer(const FunctionSource& kernel, Environment& environment)
    : functions_{function_of(kernel)}, environments_{&environment} {}

size_t ValueSerializer::number_of(Environment& environment) {
  size_t i = 0;
  while (i < environments_.size() && environments_[i] != &environment) ++i;
  if (i == environments_.size()) environments_.push_back(&environment);
  return i;
}

size_t ValueSerializer::number_of(const Func& func) {
  auto [number, fresh] = function_numbers_.try_emplace({func.source->def, func.environment.get()}, functions_.size());
  if (fresh) {
    functions_.push_back(function_of(*func.source));
    kept_.push_back(func.environment);
  }
  return number->second;
}

size_t ValueSerializer::number_of(const HostObject& object) {
  size_t i = 0;
  while (i < objects_.size() && objects_[i].id != object.id) ++i;
  if (i == objects_.size()) objects_.push_back(object);
  return i;
}

void ValueSerializer::put(BytesOut& out, const frontend::HostField& field) {
  const auto& [id, type, shape, name, element_shape, layout, offset, grad, dual, whole, component] = field;
  size_t number = 0;
  while (number < fields_.size() && fields_[number] != id) ++number;
  if (number == fields_.size()) fields_.push_back(id);
  auto put_all = [&](const auto& numbers) {
    out.number(numbers.size());
    for (auto i : numbers) out.number(static_cast<uint64_t>(i));
  };
  const auto& [components, stride, component_stride, order] = layout;
  out.number(number);
  out.number(static_cast<uint64_t>(type));
  put_all(shape);
  out.text(name);
  put_all(element_shape);
  out.number(static_cast<uint64_t>(components));
  out.number(static_cast<uint64_t>(stride));
  out.number(static_cast<uint64_t>(component_stride));
  put_all(order);
  put_all(offset);
  out.number(static_cast<uint64_t>(component));
  for (const auto& companion : {grad, dual, whole}) {
    out.number(companion != nullptr);
    if (companion) put(out, *companion);
  }
}

bool ValueSerializer::put(BytesOut& out, const frontend::StructType& type) {
  const auto& [name, names, types, methods, defaults, dataclass, id] = type;
  size_t number = 0;
  if (id != 0) {
    while (number < structs_.size() && structs_[number] != id) ++number;
    if (number == structs_.size()) structs_.push_back(id);
    ++number;
  }
  out.number(number);
  out.text(name);
  out.number(dataclass);
  out.number(names.size());
  for (const std::string& member : names) out.text(member);
  bool good = methods.empty();
  out.number(defaults.size());
  for (const auto& known : defaults) {
    const auto bytes = known ? bytes_of(*known) : std::string();
    good &= bytes.has_value();
    out.text(bytes.value_or(""));
  }
  for (const Value& member : types) {
    const auto bytes = bytes_of(member);
    good &= bytes.has_value();
    out.text(bytes.value_or(""));
  }
  return good;
}

std::optional<std::string> ValueSerializer::bytes_of(const Value& value) {
  BytesOut out;
  out.number(value.index());
  bool good = true;
  auto nested = [&](const std::vector<Value>& items) {
    out.number(items.size());
    for (const Value& item : items) {
      auto bytes = bytes_of(item);
      good &= bytes.has_value();
      if (bytes) out.text(*bytes);
    }
  };
  std::visit(overloaded{
                 [](const frontend::None&) {},
                 [&](bool b) { out.number(b); },
                 [&](int64_t i) { out.number(static_cast<uint64_t>(i)); },
                 [&](const frontend::BigInteger& big) { out.text(big.text()); },
                 [&](double d) { out.number(std::bit_cast<uint64_t>(d)); },
                 [&](const std::string& s) { out.text(s); },
                 [&](ir::Type type) { out.number(static_cast<uint64_t>(type)); },
                 [&](const frontend::Builtin& builtin) { out.text(builtin.name); },
                 [&](const frontend::Tuple& tuple) {
                   out.number(tuple.is_list), nested(tuple.items);
                   out.number(tuple.named != nullptr);
                   if (tuple.named) nested({tuple.named->cls});
                   if (tuple.named) nested({tuple.named->fields.begin(), tuple.named->fields.end()});
                 },
                 [&](const frontend::Dict& dict) { nested(dict.keys), nested(dict.values); },
                 [&](const Func& func) {
                   const auto& [source, environment, self] = func;
                   good &= self == nullptr;
                   out.number(number_of(func));
                   out.number(number_of(*environment));
                   for (uint64_t word : source_hash(*source)) out.number(word);
                 },
                 [&](const HostObject& object) {
                   const auto& [id, description, kind, cls, read, lifts] = object;
                   good &= read < 0;
                   out.number(number_of(object));
                   out.text(description);
                   out.number(static_cast<uint64_t>(kind));
                   out.number(cls != 0);
                   out.number(lifts);
                 },
                 [&](const frontend::HostField& field) { put(out, field); },
                 [&](const frontend::HostArray&) { good = false; },
                 [&](const frontend::CompoundType& compound) {
                   const auto& [type, shape, structure, numbers] = compound;
                   out.number(type ? 1 + static_cast<uint64_t>(*type) : 0);
                   out.number(shape.size());
                   for (int32_t extent : shape) out.number(static_cast<uint64_t>(extent));
                   out.number(static_cast<uint64_t>(numbers));
                   out.number(structure != nullptr);
                   if (structure) good &= put(out, *structure);
                 },
                 [&](const frontend::ConstantTensor& tensor) {
                   const auto& [type, shape, numbers] = tensor;
                   out.number(static_cast<uint64_t>(type));
                   out.number(shape.size());
                   for (int32_t extent : shape) out.number(static_cast<uint64_t>(extent));
                   nested(numbers);
                 },
                 [&](const frontend::ConstantStruct& known) {
                   const auto& [type, members, is_field] = known;
                   out.number(is_field);
                   good &= put(out, *type);
                   nested(members);
                 },
             },
             static_cast<const Value::variant&>(value));
  if (value.member) nested({Value(*value.member)});  // behind the others, which have no more bytes
  if (!good) return std::nullopt;
  return out.bytes();
}

std::optional<std::string> ValueSerializer::bytes_of(const frontend::HostCall& call) {
  BytesOut out;
  bool good = true;
  auto put = [&](const Value& value) {
    const auto bytes = bytes_of(value);
    good &= bytes.has_value();
    out.text(bytes.value_or(""));
  };
  put(call.callee);
  out.text(call.method);
  out.number(call.arguments.size());
  for (const Value& argument : call.arguments) put(argument);
  out.number(call.named.size());
  for (const auto& [name, argument] : call.named) {
    out.text(name);
    put(argument);
  }
  out.number(call.folds);
  if (!good || !call_of(out.bytes())) return std::nullopt;
  return out.bytes();
}

std::optional<frontend::HostCall> ValueSerializer::call_of(std::string_view bytes) const {
  BytesIn in(bytes);
  bool good = true;
  auto take = [&] {
    BytesIn inner(in.text());
    auto value = value_of(inner);
    good &= value.has_value() && inner.good();
    return value ? *std::move(value) : Value();
  };
  frontend::HostCall call{take(), {}, {}, {}};
  call.method = in.text();
  for (uint64_t i = in.number(); i > 0 && in.good(); --i) call.arguments.push_back(take());
  for (uint64_t i = in.number(); i > 0 && in.good(); --i) {
    const std::string_view name = in.text();
    call.named.emplace_back(name, take());
  }
  call.folds = in.number() != 0;
  return good && in.good() ? std::optional(std::move(call)) : std::nullopt;
}

std::optional<Value> ValueSerializer::value_of(BytesIn& in) const {
  auto value = value_without_member(in);
  const bool may_be_member = value && (frontend::is_number(*value) || std::holds_alternative<std::string>(*value));
  if (!may_be_member || in.at_end()) return value;
  in.number();  // one
  BytesIn inner(in.text());
  auto member = value_without_member(inner);
  auto* object = member ? std::get_if<HostObject>(&*member) : nullptr;
  if (!object) return std::nullopt;
  value->member = std::make_shared<const HostObject>(*object);
  return value;
}

std::optional<Value> ValueSerializer::value_without_member(BytesIn& in) const {
  auto values = [&]() -> std::optional<std::vector<Value>> {
    std::vector<Value> items;
    for (uint64_t i = in.number(); i > 0 && in.good(); --i) {
      BytesIn inner(in.text());
      auto item = value_of(inner);
      if (!item) return std::nullopt;
      items.push_back(*std::move(item));
    }
    return items;
  };
  const uint64_t kind = in.number();
  if (kind == Value(frontend::None{}).index()) return Value(frontend::None{});
  if (kind == Value(true).index()) return Value(in.number() != 0);
  if (kind == Value(int64_t{0}).index()) return Value(static_cast<int64_t>(in.number()));
  if (kind == Value(0.0).index()) return Value(std::bit_cast<double>(in.number()));
  if (kind == Value(std::string()).index()) return Value(std::string(in.text()));
  if (kind == Value(ir::Type::Void).index()) return Value(static_cast<ir::Type>(in.number()));
  if (kind == Value(frontend::Builtin{}).index()) return Value(frontend::Builtin{std::string(in.text())});
  if (kind == Value(frontend::BigInteger()).index()) {
    auto number = frontend::BigInteger::parse(in.text());
    return number ? std::optional(Value(*std::move(number))) : std::nullopt;
  }
  if (kind == Value(frontend::Tuple{}).index()) {
    const bool is_list = in.number() != 0;
    auto items = values();
    if (!items) return std::nullopt;
    frontend::Tuple tuple{*std::move(items), is_list};
    if (in.number() != 0) {
      auto cls = values(), fields = values();
      if (!cls || !fields) return std::nullopt;
      frontend::TupleClass named{std::get<HostObject>(cls->at(0)), {}};
      for (const Value& field : *fields) named.fields.push_back(std::get<std::string>(field));
      tuple.named = std::make_shared<const frontend::TupleClass>(std::move(named));
    }
    return Value(std::move(tuple));
  }
  if (kind == Value(frontend::Dict{}).index()) {
    auto keys = values(), items = values();
    return keys && items ? std::optional(Value(frontend::Dict{*std::move(keys), *std::move(items)})) : std::nullopt;
  }
  if (kind == Value(HostObject{}).index()) {
    const uint64_t number = in.number();
    return number < objects_.size() ? std::optional(Value(objects_[number])) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace qd
