// The pieces of a changed file that a report shows: changed lines with some lines around them.
#pragma once

#include <vector>

#include "report/diff/diff_coverage.h"

namespace qd::report {

/// Physical lines first..last of the file.
struct Hunk {
  int32_t first = 0;
  int32_t last = 0;
};

/// Changed lines, whole changed statements and such that lost their coverage, and `context` lines around them; pieces
/// that meet are one. Sorted.
std::vector<Hunk> hunks(const DiffFile& file, int32_t context);

/// Hunks that hold a missing or partial changed line, one that lost its coverage, or a decision that lacks something.
std::vector<Hunk> missing_hunks(const DiffFile& file, int32_t context);

/// What the change has to do with each line of the file; index 0 stands for line 1.
struct LineFlags {
  std::vector<bool> changed;  // new or changed itself
  std::vector<bool> counted;  // part of a changed statement: it is in the numbers
  std::vector<bool> lost;     // part of an unchanged statement that lost its coverage
};
LineFlags line_flags(const DiffFile& file);

}  // namespace qd::report
