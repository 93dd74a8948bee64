// Errors and warnings of a kernel, with the calls that led to them.
#pragma once

#include <string>
#include <vector>

#include "runtime/frontend/constants/diagnostics.h"
#include "runtime/frontend/state/function_state.h"

namespace qd::frontend {

class Reporter {
 public:
  /// `warnings` gets each warning once; null: they are not wanted.
  Reporter(const FunctionStack& functions, std::vector<Warning>* warnings)
      : functions_(functions), warnings_(warnings) {}

  /// Reports an error. Lowering goes on: values that depend on it are Poison, and report nothing more.
  Poison error(ErrorKind kind, const syntax::Range& range, std::string message) {
    return error_in(functions_.size() - 1, kind, range, std::move(message));
  }
  /// Reports the error of a call, whose func has been entered already.
  Poison caller_error(ErrorKind kind, const syntax::Range& call, std::string message) {
    return error_in(functions_.size() - 2, kind, call, std::move(message));
  }
  void warn(const syntax::Range& range, const std::string& message, Warning::Kind kind = Warning::Kind::Plain);
  /// Warns of an instruction at a row of Kernel::locations.
  void warn_at(const ir::Kernel& kernel, uint32_t location, std::string message);
  /// Whether a warning with this text is there, at any line.
  bool has_warned(const std::string& text) const;
  /// Number of errors so far.
  size_t errors() const { return diagnostics_.seen(); }
  void throw_if_any() { diagnostics_.throw_if_any(); }

 private:
  /// Reports an error. `depth`: of the function with it. In a func of the language itself the program's call has it.
  Poison error_in(size_t depth, ErrorKind kind, const syntax::Range& where, std::string message);

  const FunctionStack& functions_;
  std::vector<Warning>* warnings_;
  Diagnostics diagnostics_;
};

}  // namespace qd::frontend
