// Diagnostics of a kernel, collected so that one run reports all of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/frontend/constants/errors.h"
#include "runtime/frontend/constants/value.h"

namespace qd::frontend {

/// A diagnostic at a place of a function's source, without the calls that led there. `function` is the function's name.
Diagnostic diagnostic_at(const FunctionSource& source, ErrorKind kind, const syntax::Range& range, std::string message);

/// A line of a source, from 1, without its end.
std::string source_line(const std::string& source, int32_t line);

class Diagnostics {
 public:
  /// Keeps the first of equal diagnostics at one place: a func inlined twice, a loop unrolled, report once. `order` is
  /// the place in the kernel itself, which is the call where the diagnostic is in a func.
  void add(Diagnostic diagnostic, const syntax::Range& order);
  /// Throws KernelCompilationError when there are any: in the order of the kernel's source.
  void throw_if_any();
  /// Number of diagnostics that add() got, equal ones too.
  size_t seen() const { return seen_; }

 private:
  struct Entry {
    Diagnostic diagnostic;
    std::tuple<int32_t, int32_t, size_t> order;  // line, column, when it was added
  };
  std::vector<Entry> list_;
  size_t seen_ = 0;
};

/// Number of things, with their name in the singular: "1 axis", "2 axes".
std::string counted(int64_t count, std::string_view what);
/// The same with its verb: "1 index is", "2 indices are".
std::string counted_are(int64_t count, std::string_view what);

/// Name of the Python exception: "KernelTypeError" and its kin.
std::string_view name(ErrorKind kind);

}  // namespace qd::frontend
