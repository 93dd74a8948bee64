// Each kind of value is written as everything that the front end can see of it.
#include "runtime/launch/trace_numbers.h"
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

TraceNumbers::Function function_of(const FunctionSource& source) {
  return {source.file, source.first_line(), std::string(source.function().name)};
}

/// The text of a function, from its first decorator on.
std::string_view text_of(const syntax::Module& module, int32_t first_line, int32_t last_line) {
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
  const auto& [module, def, file, line_offset, real, top_level, library, checks, method] = source;
  const std::string_view text = text_of(*module, source.first_line() - line_offset, def->range.end_line);
  const XXH128_hash_t hash = XXH3_128bits_withSeed(text.data(), text.size(),
                                                   uint64_t{real} | uint64_t{method} << 1 | uint64_t{top_level} << 2 |
                                                       uint64_t{library} << 3 | uint64_t{checks} << 4);
  return {hash.high64, hash.low64};
}

TraceNumbers::TraceNumbers(const FunctionSource& kernel, Environment& environment)
    : functions_{function_of(kernel)}, environments_{&environment} {}

size_t TraceNumbers::number_of(Environment& environment) {
  size_t i = 0;
  while (i < environments_.size() && environments_[i] != &environment) ++i;
  if (i == environments_.size()) environments_.push_back(&environment);
  return i;
}

size_t TraceNumbers::number_of(const Func& func) {
  auto [number, fresh] = function_numbers_.try_emplace({func.source->def, func.environment.get()}, functions_.size());
  if (fresh) {
    functions_.push_back(function_of(*func.source));
    kept_.push_back(func.environment);
  }
  return number->second;
}

size_t TraceNumbers::number_of(const HostObject& object) {
  size_t i = 0;
  while (i < objects_.size() && objects_[i].id != object.id) ++i;
  if (i == objects_.size()) objects_.push_back(object);
  return i;
}

void TraceNumbers::put(BytesOut& out, const frontend::HostField& field) {
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

bool TraceNumbers::put(BytesOut& out, const frontend::StructType& type) {
  const auto& [name, names, types, methods, dataclass, id] = type;
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
  for (const Value& member : types) {
    const auto bytes = bytes_of(member);
    good &= bytes.has_value();
    out.text(bytes.value_or(""));
  }
  return good;
}

std::optional<std::string> TraceNumbers::bytes_of(const Value& value) {
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
                 [&](const frontend::Tuple& tuple) { out.number(tuple.is_list), nested(tuple.items); },
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
  if (!good) return std::nullopt;
  return out.bytes();
}

}  // namespace qd
