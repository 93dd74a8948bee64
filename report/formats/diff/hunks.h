// Hunks: the parts of a changed file that a report shows, changed lines with some lines around them.
#pragma once

#include <vector>

#include "report/diff/diff_coverage.h"

namespace qd::report {

/// A range of physical lines first..last of the file.
struct Hunk {
  int32_t first = 0;
  int32_t last = 0;
};

/// Hunks of a file: changed lines, whole statements that changed or lost their coverage, and `context` lines around
/// them. Hunks that meet are merged. Sorted.
std::vector<Hunk> hunks(const DiffFile& file, int32_t context);

/// Hunks with a missing or partial changed line, a line that lost its coverage, one that never ran on some device, or a
/// decision with missing outcomes; with `gradients`, also a line that ran and was never differentiated.
std::vector<Hunk> missing_hunks(const DiffFile& file, int32_t context, bool gradients = false);

/// Note beside a line of FileGradients::missing.
inline constexpr const char* kNeverDifferentiated = "∂ never differentiated";

/// Relation of each line of the file to the change; index 0 stands for line 1.
struct LineFlags {
  std::vector<bool> changed;  // new or changed itself
  std::vector<bool> counted;  // part of a changed statement: it is in the numbers
  std::vector<bool> lost;     // part of an unchanged statement that lost its coverage
};
LineFlags line_flags(const DiffFile& file);

}  // namespace qd::report
