// Errors and warnings of a kernel, with the calls that led to them.
#pragma once

#include <string>
#include <vector>

#include "runtime/frontend/known/diagnostics.h"
#include "runtime/frontend/state/function_state.h"

namespace qd::frontend {

class Reporter {
 public:
  /// `warnings` gets each warning once; null: nobody asks for them.
  Reporter(const FunctionStack& functions, std::vector<Warning>* warnings)
      : functions_(functions), warnings_(warnings) {}

  /// Lowering goes on after an error: what comes to depend on it is Poison, and says nothing more.
  Poison error(ErrorKind kind, const syntax::Range& range, std::string message) {
    return error_in(functions_.size() - 1, kind, range, std::move(message));
  }
  /// The error of a call, whose func has been entered already.
  Poison caller_error(ErrorKind kind, const syntax::Range& call, std::string message) {
    return error_in(functions_.size() - 2, kind, call, std::move(message));
  }
  void warn(const syntax::Range& range, const std::string& message, Warning::Kind kind = Warning::Kind::Plain);
  /// The same for what stands at a row of Kernel::locations.
  void warn_at(const ir::Kernel& kernel, uint32_t location, std::string message);
  /// Whether a warning with this text is there, at any line.
  bool has_warned(const std::string& text) const;
  /// How many errors there were so far.
  size_t errors() const { return diagnostics_.seen(); }
  void throw_if_any() { diagnostics_.throw_if_any(); }

 private:
  /// `depth`: of the function that has the error. In a func of the language itself the program's call has it.
  Poison error_in(size_t depth, ErrorKind kind, const syntax::Range& where, std::string message);

  const FunctionStack& functions_;
  std::vector<Warning>* warnings_;
  Diagnostics diagnostics_;
};

}  // namespace qd::frontend
