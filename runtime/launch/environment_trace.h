// Trace of a compilation's questions to its environments, with the answers, so that another process can ask the same.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/launch/value_serializer.h"

namespace qd {

struct Question {
  enum class Kind : uint8_t { Lookup, Attribute, Subscript, Call, Member, Func };
  Kind kind = Kind::Lookup;
  uint32_t environment = 0;
  uint32_t object = 0;  // used by Attribute and Subscript
  std::string name;     // for Subscript: the index as bytes; for Call: the whole call;
                        // for Member: 1 + the object behind which the search begins, or 0, and the name;
                        // for Func: the number of the form
};

/// Recorder between the front end and the environments of one compilation. It notes each question once.
class TraceRecorder {
 public:
  /// `numbers`: has the values in the kernel's arguments, which are known before the kernel is compiled.
  explicit TraceRecorder(ValueSerializer numbers);
  ~TraceRecorder();
  /// The environment to give to frontend::lower.
  frontend::Environment& environment();
  /// False when a question cannot be asked again in another process.
  bool usable() const { return usable_; }
  /// The questions, as bytes, and their answers.
  std::string questions() const;
  std::string answers() const;
  const ValueSerializer& numbers() const { return numbers_; }

 private:
  class Recording;
  std::shared_ptr<Recording> recording(std::shared_ptr<frontend::Environment> environment);
  frontend::Value wrapped(frontend::Value value);
  static frontend::Value unwrapped(frontend::Value value);
  std::optional<frontend::Value> note(Question question, std::optional<frontend::Value> answer);

  ValueSerializer numbers_;
  std::map<frontend::Environment*, std::shared_ptr<Recording>> recordings_;
  std::vector<Question> questions_;
  std::vector<std::string> answers_;  // as bytes; empty: there is no such name, attribute or item
  std::map<std::tuple<Question::Kind, uint32_t, uint32_t, std::string>, size_t> asked_;
  bool usable_ = true;
};

/// Asks recorded questions again in this process, and returns the new answers, as TraceRecorder::answers() would.
/// Nothing if a question cannot be asked. `numbers`: as for a TraceRecorder; afterwards it also has the values in the
/// answers.
std::optional<std::string> ask_again(std::string_view questions, ValueSerializer& numbers);

}  // namespace qd
