// Recording wraps every environment that a compilation meets; asking again goes through the steps with the environments of this process.
#include "runtime/launch/environment_trace.h"

#include <xxhash.h>

#include <bit>

namespace qd {

using frontend::Environment;
using frontend::Func;
using frontend::FunctionSource;
using frontend::HostObject;
using frontend::Value;

namespace {

template <class... Fs>
struct overloaded : Fs... {
  using Fs::operator()...;
};

TraceNumbers::Function function_of(const FunctionSource& source) { return {source.file, source.first_line(), std::string(source.function().name)}; }

/// The lines from the first decorator on.
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
  const auto& [module, def, file, line_offset, real, method] = source;
  const std::string_view text = text_of(*module, source.first_line() - line_offset, def->range.end_line);
  const XXH128_hash_t hash = XXH3_128bits_withSeed(text.data(), text.size(), uint64_t{real} | uint64_t{method} << 1);
  return {hash.high64, hash.low64};
}

TraceNumbers::TraceNumbers(const FunctionSource& kernel, Environment& environment) : functions_{function_of(kernel)}, environments_{&environment} {}

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

void TraceNumbers::put(BytesOut& out, const frontend::Field& field) {
  const auto& [id, type, shape, name, element_shape, layout, offset, grad, dual] = field;
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
  for (const auto& companion : {grad, dual}) {
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
                   const auto& [id, description, cls, read, lifts] = object;
                   good &= read < 0;
                   out.number(number_of(object));
                   out.text(description);
                   out.number(cls != 0);
                   out.number(lifts);
                 },
                 [&](const frontend::Field& field) { put(out, field); },
                 [&](const frontend::HostArray&) { good = false; },
                 [&](const frontend::CompoundType& compound) {
                   const auto& [type, shape, structure, default_float] = compound;
                   out.number(type ? 1 + static_cast<uint64_t>(*type) : 0);
                   out.number(shape.size());
                   for (int32_t extent : shape) out.number(static_cast<uint64_t>(extent));
                   out.number(default_float);
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

/// One environment as the front end sees it.
class TraceRecorder::Recording : public Environment {
 public:
  Recording(TraceRecorder& recorder, std::shared_ptr<Environment> environment)
      : recorder_(recorder), environment_(std::move(environment)), number_(static_cast<uint32_t>(recorder_.numbers_.number_of(*environment_))) {}

  const std::shared_ptr<Environment>& environment() const { return environment_; }

  std::optional<Value> lookup(std::string_view name) override {
    return recorder_.note({Question::Kind::Lookup, number_, 0, std::string(name)}, environment_->lookup(name));
  }
  std::optional<Value> attribute(const HostObject& object, std::string_view name) override {
    return recorder_.note({Question::Kind::Attribute, number_, number_of(object), std::string(name)}, environment_->attribute(object, name));
  }
  std::optional<Value> subscript(const HostObject& object, const Value& index) override {
    const Value plain = unwrapped(index);
    const auto bytes = recorder_.numbers_.bytes_of(plain);
    // Asked again, an index has to be made of its bytes: numbers and texts only.
    recorder_.usable_ &= bytes && (std::holds_alternative<int64_t>(plain) || std::holds_alternative<std::string>(plain));
    return recorder_.note({Question::Kind::Subscript, number_, number_of(object), bytes.value_or("")}, environment_->subscript(object, plain));
  }
  std::optional<Value> call(const HostObject& object, const std::vector<Value>& arguments) override {
    recorder_.usable_ = false;  // what a function of the host gives may depend on anything
    std::vector<Value> plain;
    for (const Value& argument : arguments) plain.push_back(unwrapped(argument));
    auto result = environment_->call(object, plain);
    return result ? std::optional(recorder_.wrapped(*std::move(result))) : std::nullopt;
  }
  void print(const std::string& line) override {
    recorder_.usable_ = false;  // it is to be printed each time
    environment_->print(line);
  }
  bool is_method(const HostObject& object, std::string_view name) override { return environment_->is_method(object, name); }
  void keep(const HostObject& object) override { environment_->keep(object); }

 private:
  uint32_t number_of(const HostObject& object) {
    const auto& objects = recorder_.numbers_.objects();
    for (size_t i = 0; i < objects.size(); ++i) {
      if (objects[i].id == object.id) return static_cast<uint32_t>(i);
    }
    recorder_.usable_ = false;  // it came from an argument
    return 0;
  }

  TraceRecorder& recorder_;
  std::shared_ptr<Environment> environment_;
  uint32_t number_;
};

TraceRecorder::TraceRecorder(TraceNumbers numbers) : numbers_(std::move(numbers)) {
  recording(std::shared_ptr<Environment>(numbers_.environments()[0], [](Environment*) {}));  // the caller's
}

TraceRecorder::~TraceRecorder() = default;

Environment& TraceRecorder::environment() { return *recordings_.at(numbers_.environments()[0]); }

std::shared_ptr<TraceRecorder::Recording> TraceRecorder::recording(std::shared_ptr<Environment> environment) {
  std::shared_ptr<Recording>& known = recordings_[environment.get()];
  if (!known) known = std::make_shared<Recording>(*this, std::move(environment));
  return known;
}

Value TraceRecorder::wrapped(Value value) {
  if (auto* func = std::get_if<Func>(&value)) func->environment = recording(func->environment);
  if (auto* tuple = std::get_if<frontend::Tuple>(&value)) {
    for (Value& item : tuple->items) item = wrapped(std::move(item));
  }
  if (auto* dict = std::get_if<frontend::Dict>(&value)) {
    for (Value& item : dict->values) item = wrapped(std::move(item));
  }
  if (auto* known = std::get_if<frontend::ConstantStruct>(&value)) {
    for (Value& item : known->members) item = wrapped(std::move(item));
  }
  return value;
}

Value TraceRecorder::unwrapped(Value value) {
  if (auto* func = std::get_if<Func>(&value)) {
    if (auto* recording = dynamic_cast<Recording*>(func->environment.get())) func->environment = recording->environment();
  }
  if (auto* tuple = std::get_if<frontend::Tuple>(&value)) {
    for (Value& item : tuple->items) item = unwrapped(std::move(item));
  }
  if (auto* dict = std::get_if<frontend::Dict>(&value)) {
    for (Value& item : dict->values) item = unwrapped(std::move(item));
  }
  if (auto* known = std::get_if<frontend::ConstantStruct>(&value)) {
    for (Value& item : known->members) item = unwrapped(std::move(item));
  }
  return value;
}

std::optional<Value> TraceRecorder::note(Question question, std::optional<Value> answer) {
  std::optional<std::string> bytes = answer ? numbers_.bytes_of(*answer) : std::string();
  usable_ &= bytes.has_value();
  if (bytes) {
    auto [at, fresh] = asked_.try_emplace({question.kind, question.environment, question.object, question.name}, questions_.size());
    if (fresh) {
      questions_.push_back(std::move(question));
      answers_.push_back(*std::move(bytes));
    } else if (answers_[at->second] != *bytes) {
      usable_ = false;  // another answer each time
    }
  }
  return answer ? std::optional(wrapped(*std::move(answer))) : std::nullopt;
}

std::string TraceRecorder::questions() const {
  BytesOut out;
  for (const auto& [kind, environment, object, name] : questions_) {
    out.number(static_cast<uint64_t>(kind));
    out.number(environment);
    out.number(object);
    out.text(name);
  }
  return out.bytes();
}

std::string TraceRecorder::answers() const {
  BytesOut out;
  for (const std::string& answer : answers_) out.text(answer);
  return out.bytes();
}

std::optional<std::string> ask_again(std::string_view questions, TraceNumbers& numbers) {
  BytesOut answers;
  for (BytesIn in(questions); !in.at_end();) {
    const auto kind = static_cast<Question::Kind>(in.number());
    const uint64_t environment = in.number(), object = in.number();
    const std::string_view name = in.text();
    if (!in.good() || environment >= numbers.environments().size()) return std::nullopt;
    Environment& asked = *numbers.environments()[environment];
    if (kind != Question::Kind::Lookup && object >= numbers.objects().size()) return std::nullopt;
    std::optional<Value> answer;
    switch (kind) {
      case Question::Kind::Lookup: answer = asked.lookup(name); break;
      case Question::Kind::Attribute: answer = asked.attribute(HostObject(numbers.objects()[object]), name); break;
      case Question::Kind::Subscript: {
        BytesIn index_bytes(name);
        const Value text{std::string()};
        const Value index = index_bytes.number() == text.index() ? Value(std::string(index_bytes.text())) : Value(static_cast<int64_t>(index_bytes.number()));
        answer = asked.subscript(HostObject(numbers.objects()[object]), index);
        break;
      }
    }
    const std::optional<std::string> bytes = answer ? numbers.bytes_of(*answer) : std::string();
    if (!bytes) return std::nullopt;
    answers.text(*bytes);
  }
  return answers.bytes();
}

}  // namespace qd
