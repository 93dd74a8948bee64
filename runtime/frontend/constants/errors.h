// Errors and warnings of a kernel, for the host.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/syntax/parse.h"

namespace qd::frontend {

/// The Python exception of a compile error.
enum class ErrorKind : uint8_t { Compilation, Syntax, Type, Name, Index };

struct Diagnostic {
  ErrorKind kind = ErrorKind::Compilation;
  std::string message;
  std::string file;
  std::string function;
  int32_t line = 0;     // from 1
  int32_t col = 0;      // from 0, UTF-8 bytes
  int32_t end_col = 0;  // exclusive, on the same line
  std::string source_line;
  std::vector<std::string> calls;  // "file:line in func" of the calls that led here, innermost first
};

/// Errors of the user's kernel: every diagnostic of it, in source order. what() is the text of all, each with source
/// line and caret.
struct KernelCompilationError : std::runtime_error {
  explicit KernelCompilationError(std::vector<Diagnostic> diagnostics);
  std::vector<Diagnostic> diagnostics;
};

/// End of a message on a name that is not known, where one is near: "; did you mean `shape`?". Empty for an empty name.
std::string meant(const std::string& near);

/// Text of an error behind the name of its exception, as Python prints it: without the kind of the diagnostics that are
/// of the first one's, which is the exception's.
std::string text_behind_kind(const KernelCompilationError& error);

/// The error of a file that is no Python.
KernelCompilationError syntax_error(const syntax::SyntaxError& error, const std::string& file);

/// A warning: the compiler's message on a line that it accepts.
struct Warning {
  enum class Kind : uint8_t {
    Plain,
    OfThisProcess,  // its text may differ in another process, as the length of a path does
    Deprecated,     // the kernel uses a name that has a newer one
  };
  std::string file;
  int32_t line = 0;
  std::string text;
  Kind kind = Kind::Plain;
  bool operator==(const Warning&) const = default;
};
/// Text of a warning: "file:line: text".
std::string message(const Warning& warning);

}  // namespace qd::frontend
