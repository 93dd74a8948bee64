// The functions and classes of a source, and which lines belong to each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/syntax/parse.h"

namespace qd::report {

/// A function or class. Its lines are those of the body of a function and of the methods of a class, without those of
/// functions (of a function) or classes (of a class) inside of it: no line belongs to two regions of one kind.
struct Region {
  enum class Kind { Function, Class } kind;
  std::string name;            // "Class.method", "function.inner"
  int32_t start;               // the line of its `def` or `class`
  std::vector<int32_t> lines;  // physical lines, sorted, blank ones and comments too
  bool operator==(const Region&) const = default;
};

/// All regions, outer ones before inner ones.
std::vector<Region> find_regions(const syntax::Module& module, int32_t n_lines);

}  // namespace qd::report
