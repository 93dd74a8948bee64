// Trace of a compilation's questions to the Python world around its kernel, in a form that a later process can ask
// again.
// The translation of a kernel depends on more than its source: on globals, closures, attributes of modules and objects.
// They are not known beforehand; the front end asks for each when it gets there. So all environments that it
// meets are wrapped, and each question is noted once with its answer:
//
//   questions                                      answers
//   look up `N` in environment 0                   the int 64
//   look up `helpers` in environment 0             object 0, a module
//   attribute `scale` of object 0                  the func `scale`, whose environment is number 1
//   look up `EPS` in environment 1                 the float 1e-6
//
// Environments and objects have numbers in the order in which they were met, so that the list means the same in another
// process. There `ask_again` goes through the questions with the environments of that process. When the bytes of the
// answers are the same, so is the kernel, and its kept form is found under them (kernel_cache.cpp).
//
// A call of a function of the host is such a question, too: it is made again. So is the func that such a function
// becomes. A question whose answer cannot be told in
// another process - an ndarray, say - makes the recording useless, and the kernel is of this process alone.
#include "runtime/launch/environment_trace.h"

#include <fmt/format.h>

#include <string>

namespace qd {

using frontend::Environment;
using frontend::Func;
using frontend::HostObject;
using frontend::Value;

/// Wrapper of one environment for the front end: passes each question on, and notes it.
class TraceRecorder::Recording : public Environment {
 public:
  Recording(TraceRecorder& recorder, std::shared_ptr<Environment> environment)
      : recorder_(recorder),
        environment_(std::move(environment)),
        number_(static_cast<uint32_t>(recorder_.numbers_.number_of(*environment_))) {}

  const std::shared_ptr<Environment>& environment() const { return environment_; }

  std::optional<Value> lookup(std::string_view name) override {
    return recorder_.note({Question::Kind::Lookup, number_, 0, std::string(name)}, environment_->lookup(name));
  }
  std::optional<Value> attribute(const HostObject& object, std::string_view name) override {
    return recorder_.note({Question::Kind::Attribute, number_, number_of(object), std::string(name)},
                          environment_->attribute(object, name));
  }
  std::optional<Value> subscript(const HostObject& object, const Value& index) override {
    const Value plain = unwrapped(index);
    const auto bytes = recorder_.numbers_.bytes_of(plain);
    // To ask for it again, the index has to be made from its bytes, so only numbers and texts will do.
    recorder_.usable_ &=
        bytes && (std::holds_alternative<int64_t>(plain) || std::holds_alternative<std::string>(plain));
    return recorder_.note({Question::Kind::Subscript, number_, number_of(object), bytes.value_or("")},
                          environment_->subscript(object, plain));
  }
  /// Calls a function. It may depend on and do anything: a later process makes the same call, and compares the result.
  frontend::HostResult call(const frontend::HostCall& call) override {
    frontend::HostCall plain{unwrapped(call.callee), call.method, {}, {}, call.folds};
    for (const Value& argument : call.arguments) plain.arguments.push_back(unwrapped(argument));
    for (const auto& [name, argument] : call.named) plain.named.emplace_back(name, unwrapped(argument));
    const auto bytes = recorder_.numbers_.bytes_of(plain);
    recorder_.usable_ &= bytes.has_value();
    frontend::HostResult result = environment_->call(plain);
    result.value = recorder_.note({Question::Kind::Call, number_, 0, bytes.value_or("")}, std::move(result.value));
    return result;
  }
  std::optional<frontend::ClassMember> member(const HostObject& cls, std::string_view name,
                                              const HostObject* after) override {
    const uint32_t behind = after ? number_of(*after) + 1 : 0;
    auto found = environment_->member(cls, name, after);
    // The answer is one value: the way in which the member is found, the member, and the setter of a property.
    std::optional<Value> answer;
    if (found) {
      const Value setter = found->setter ? *found->setter : Value(frontend::None{});
      answer = frontend::Tuple{{Value(static_cast<int64_t>(found->kind)), found->value, setter}};
    }
    answer = recorder_.note({Question::Kind::Member, number_, number_of(cls), fmt::format("{} {}", behind, name)},
                            std::move(answer));
    if (!answer) return std::nullopt;
    std::vector<Value>& parts = std::get<frontend::Tuple>(*answer).items;
    found->value = std::move(parts[1]);
    if (found->setter) found->setter = std::move(parts[2]);
    return found;
  }
  frontend::HostResult as_func(const HostObject& function, frontend::FuncForm form) override {
    frontend::HostResult func = environment_->as_func(function, form);
    func.value =
        recorder_.note({Question::Kind::Func, number_, number_of(function), std::to_string(static_cast<int>(form))},
                       std::move(func.value));
    return func;
  }
  void print(const std::string& line) override {
    recorder_.usable_ = false;  // the text must be printed each time
    environment_->print(line);
  }
  std::string near(std::string_view name, const std::vector<std::string>& names) override {
    return environment_->near(name, names);
  }
  std::string near_name(std::string_view name, const std::vector<std::string>& own) override {
    return environment_->near_name(name, own);
  }
  std::string near_attribute(const HostObject& object, std::string_view name) override {
    return environment_->near_attribute(object, name);
  }
  std::optional<HostObject> method(const HostObject& object, std::string_view name) override {
    return environment_->method(object, name);
  }
  std::shared_ptr<const frontend::Witness> witness(const HostObject& object) override {
    return environment_->witness(object);
  }

 private:
  uint32_t number_of(const HostObject& object) {
    const auto& objects = recorder_.numbers_.objects();
    for (size_t i = 0; i < objects.size(); ++i) {
      if (objects[i].id == object.id) return static_cast<uint32_t>(i);
    }
    recorder_.usable_ = false;  // the object came from an argument
    return 0;
  }

  TraceRecorder& recorder_;
  std::shared_ptr<Environment> environment_;
  uint32_t number_;
};

TraceRecorder::TraceRecorder(ValueSerializer numbers) : numbers_(std::move(numbers)) {
  recording(std::shared_ptr<Environment>(numbers_.environments()[0], [](Environment*) {}));  // not owned
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
    if (auto* recording = dynamic_cast<Recording*>(func->environment.get()))
      func->environment = recording->environment();
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
    auto [at, fresh] =
        asked_.try_emplace({question.kind, question.environment, question.object, question.name}, questions_.size());
    if (fresh) {
      questions_.push_back(std::move(question));
      answers_.push_back(*std::move(bytes));
    } else if (answers_[at->second] != *bytes) {
      usable_ = false;  // the same question had two answers
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

namespace {

/// Asks one recorded question in this process.
std::optional<Value> answer_to(Question::Kind kind, Environment& asked, const ValueSerializer& numbers, size_t object,
                               std::string_view name) {
  switch (kind) {
    case Question::Kind::Lookup: return asked.lookup(name);
    case Question::Kind::Attribute: return asked.attribute(HostObject(numbers.objects()[object]), name);
    case Question::Kind::Call:
      if (auto call = numbers.call_of(name)) return asked.call(*call).value;
      throw std::invalid_argument("a call of the host");
    case Question::Kind::Member: {
      const size_t blank = name.find(' ');
      const size_t behind = std::stoul(std::string(name.substr(0, blank)));
      if (behind > numbers.objects().size()) throw std::invalid_argument("a member of a class");
      const auto found = asked.member(numbers.objects()[object], name.substr(blank + 1),
                                      behind > 0 ? &numbers.objects()[behind - 1] : nullptr);
      if (!found) return std::nullopt;
      const Value setter = found->setter ? *found->setter : Value(frontend::None{});
      return Value(frontend::Tuple{{Value(static_cast<int64_t>(found->kind)), found->value, setter}});
    }
    case Question::Kind::Func:
      return asked.as_func(numbers.objects()[object], static_cast<frontend::FuncForm>(std::stoi(std::string(name))))
          .value;
    case Question::Kind::Subscript: break;
  }
  BytesIn in(name);
  const Value text{std::string()};
  const Value index =
      in.number() == text.index() ? Value(std::string(in.text())) : Value(static_cast<int64_t>(in.number()));
  return asked.subscript(HostObject(numbers.objects()[object]), index);
}

}  // namespace

std::optional<std::string> ask_again(std::string_view questions, ValueSerializer& numbers) try {
  BytesOut answers;
  for (BytesIn in(questions); !in.at_end();) {
    const auto kind = static_cast<Question::Kind>(in.number());
    const uint64_t environment = in.number(), object = in.number();
    const std::string_view name = in.text();
    if (!in.good() || environment >= numbers.environments().size()) return std::nullopt;
    if (kind != Question::Kind::Lookup && kind != Question::Kind::Call && object >= numbers.objects().size())
      return std::nullopt;
    const std::optional<Value> answer = answer_to(kind, *numbers.environments()[environment], numbers, object, name);
    const std::optional<std::string> bytes = answer ? numbers.bytes_of(*answer) : std::string();
    if (!bytes) return std::nullopt;
    answers.text(*bytes);
  }
  return answers.bytes();
} catch (const frontend::HostInterrupted&) {
  throw;
} catch (const std::exception&) {
  return std::nullopt;  // the host's to answer, for a question that the front end may not ask now
}

}  // namespace qd
