// Arc: one jump between lines of a file.
#pragma once

#include <compare>
#include <cstdint>

namespace qd::report {

/// A jump from one line to another. A negative number means that control enters, or leaves, the code object that starts
/// on that line.
struct Arc {
  int32_t from = 0;
  int32_t to = 0;
  auto operator<=>(const Arc&) const = default;
};

}  // namespace qd::report
