// Range of a source text. The same type in the syntax tree, the kernel IR, data files and reports.
#pragma once

#include <compare>
#include <cstdint>

namespace qd {

/// Lines and columns as in CPython's `ast`: lines from 1, columns as UTF-8 byte offsets from 0, the end exclusive.
struct SourceRange {
  int32_t line = 0;
  int32_t col = 0;
  int32_t end_line = 0;
  int32_t end_col = 0;
  auto operator<=>(const SourceRange&) const = default;
};

}  // namespace qd
