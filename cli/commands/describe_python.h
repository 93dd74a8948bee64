// The Python that a shell would start, asked what it is.
#pragma once

#include <optional>
#include <string>

#include "cli/commands/debug_topics.h"

namespace qd::cli {

/// For "sys": its version and packages, and the kernel runtime that it has: LLVM, devices; and what coverage.py tells
/// of it with the settings of `rcfile`, by default those that it finds. For "pybehave": coverage.py's flags. One row
/// that says why, when there is no Python or it does not answer.
DebugRows describe_python(const std::string& topic, const std::optional<std::string>& rcfile = std::nullopt);

}  // namespace qd::cli
