// Patch parser for the output of `git diff-index --raw -p -U0`: the changed files and their new lines.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "report/diff/hunk.h"

namespace qd::report {

/// Callback for a line that a hunk has for a file; `text` is without its line end.
using SeenFileLine = std::function<void(const ChangedFile& file, int32_t new_line, std::string_view text)>;

/// Throws std::runtime_error with the unexpected line.
std::vector<ChangedFile> parse_patch(std::string_view text, const SeenFileLine& seen = {});

/// A path as git writes it: in double quotes with C escapes when it has special characters, else as it is.
std::string unquote_path(std::string_view text);

}  // namespace qd::report
