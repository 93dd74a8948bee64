// A piece of source. The same type in the syntax tree, the kernel IR, data files and reports.
#pragma once

#include <compare>
#include <cstdint>

namespace qd {

/// As in CPython's `ast`: lines count from 1, columns are UTF-8 byte offsets from 0, the end is exclusive.
struct SourceRange {
  int32_t line = 0;
  int32_t col = 0;
  int32_t end_line = 0;
  int32_t end_col = 0;
  auto operator<=>(const SourceRange&) const = default;
};

}  // namespace qd
