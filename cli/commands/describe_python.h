// Asks the Python that a shell would start what it is.
#pragma once

#include <optional>
#include <string>

#include "cli/commands/debug_topics.h"

namespace qd::cli {

/// For "sys": version and packages of that Python, its kernel runtime (LLVM, devices), and what coverage.py reports
/// there with the settings of `rcfile` (by default, those that it finds). For "pybehave": coverage.py's flags. For
/// "devices": what kernels can be compiled for there (qd.devices). When there is no Python, or it does not answer, one
/// row that says why.
DebugRows describe_python(const std::string& topic, const std::optional<std::string>& rcfile = std::nullopt);

}  // namespace qd::cli
