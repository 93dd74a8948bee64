// Regions of a source: functions and classes with their lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/syntax/parse.h"

namespace qd::report {

/// A function or class, and its lines. Lines of a function are those of its body, without functions inside of it. Lines
/// of a class are those of its methods, without classes inside of it. So no line belongs to two functions, or to two
/// classes.
struct CodeRegion {
  enum class Kind { Function, Class } kind;
  std::string name;            // "Class.method", "function.inner"
  int32_t start;               // the line of its `def` or `class`
  std::vector<int32_t> lines;  // physical lines, sorted, blank ones and comments too
  bool operator==(const CodeRegion&) const = default;
};

/// Returns all regions, outer ones before inner ones.
std::vector<CodeRegion> find_regions(const syntax::Module& module, int32_t n_lines);

}  // namespace qd::report
