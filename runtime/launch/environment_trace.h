// What a compilation asked its environments and what they answered, in a form that another process can ask again.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "runtime/frontend/frontend.h"
#include "runtime/launch/bytes.h"

namespace qd {

/// Functions, environments and objects of the host by numbers, in the order in which they are met: the same in each process that gives the same answers.
class TraceNumbers {
 public:
  /// The kernel is function 0, its environment number 0.
  TraceNumbers(const frontend::FunctionSource& kernel, frontend::Environment& environment);

  /// A value in bytes that do not depend on the process: funcs by the text of their source. Nothing for what belongs to one program alone: arrays, templates.
  std::optional<std::string> bytes_of(const frontend::Value& value);
  size_t number_of(frontend::Environment& environment);

  struct Function {
    std::string file;
    int32_t first_line = 0;
    std::string name;
  };
  const std::vector<Function>& functions() const { return functions_; }
  const std::vector<frontend::HostObject>& objects() const { return objects_; }
  const std::vector<frontend::Environment*>& environments() const { return environments_; }

 private:
  size_t number_of(const frontend::Func& func);
  size_t number_of(const frontend::HostObject& object);
  /// The type as bytes; false for one with methods, which have environments of their own.
  bool put(BytesOut& out, const frontend::StructType& type);

  std::vector<Function> functions_;
  std::map<std::pair<const void*, const void*>, size_t> function_numbers_;  // by definition and environment
  std::vector<frontend::Environment*> environments_;
  std::vector<std::shared_ptr<frontend::Environment>> kept_;
  std::vector<frontend::HostObject> objects_;
  std::vector<uint64_t> structs_;  // classes of the host
};

struct TraceStep {
  enum class Kind : uint8_t { Lookup, Attribute, Subscript };
  Kind kind = Kind::Lookup;
  uint32_t environment = 0;
  uint32_t object = 0;  // Attribute, Subscript
  std::string name;     // Subscript: the index in bytes
  std::string answer;   // in bytes; empty: nothing
  bool operator==(const TraceStep&) const = default;
};

/// Stands between the front end and the environments of one compilation, and notes each question once.
class TraceRecorder {
 public:
  TraceRecorder(const frontend::FunctionSource& kernel, frontend::Environment& environment);
  ~TraceRecorder();
  /// For frontend::lower.
  frontend::Environment& environment();
  /// Nothing when an answer cannot be asked for in another process.
  const std::vector<TraceStep>* steps() const { return usable_ ? &steps_ : nullptr; }
  const TraceNumbers& numbers() const { return numbers_; }

 private:
  class Recording;
  std::shared_ptr<Recording> recording(std::shared_ptr<frontend::Environment> environment);
  frontend::Value wrapped(frontend::Value value);
  static frontend::Value unwrapped(frontend::Value value);
  std::optional<frontend::Value> note(TraceStep step, std::optional<frontend::Value> answer);

  TraceNumbers numbers_;
  std::map<frontend::Environment*, std::shared_ptr<Recording>> recordings_;
  std::vector<TraceStep> steps_;
  std::map<std::tuple<TraceStep::Kind, uint32_t, uint32_t, std::string>, size_t> asked_;
  bool usable_ = true;
};

/// Asks again. The numbers of this process when every answer is the same; nothing otherwise.
std::optional<TraceNumbers> ask_again(const std::vector<TraceStep>& steps, const frontend::FunctionSource& kernel, frontend::Environment& environment);

/// A hash of all that the front end sees of a function: its lines, from the first decorator on, and what it is; not where it is.
std::array<uint64_t, 2> source_hash(const frontend::FunctionSource& source);

}  // namespace qd
