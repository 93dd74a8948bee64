// Code alignment: follows lines from an old source to the changed one, without regard to comments and layout.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/check/source_comments.h"
#include "report/diff/hunk.h"

namespace qd::report {

/// Map [old line] -> new line of the same tokens, 0 where there is none; index 0 unused. Lines outside of the spans are
/// unchanged; within one, lines of code are the longest common subsequence of both sides.
std::vector<int32_t> align_code(const SourceComments& old_source, const SourceComments& new_source,
                                const std::vector<ChangedSpan>& spans);

}  // namespace qd::report
