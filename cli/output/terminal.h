// The terminal that standard output may be.
#pragma once

namespace qd::cli {

/// Standard output is a terminal that shows colours, and NO_COLOR is not set.
bool color_wanted();

/// The locale's characters are Unicode, or nobody said what they are.
bool unicode_wanted();

/// Columns of the terminal; no limit where there is none.
int terminal_width();

}  // namespace qd::cli
