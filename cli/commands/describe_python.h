// Description of the Python that a shell would start.
#pragma once

#include <optional>
#include <string>

#include "cli/commands/debug_topics.h"

namespace qd::cli {

/// Topic "sys": version and packages of that Python, its kernel runtime (LLVM, devices), and coverage.py's own report
/// there with the settings of `rcfile` (by default, those that it finds). Topic "pybehave": coverage.py's flags. Topic
/// "devices": the devices that kernels can be compiled for there (qd.devices). When there is no Python, or it does not
/// answer, one row with the reason.
DebugRows describe_python(const std::string& topic, const std::optional<std::string>& rcfile = std::nullopt);

}  // namespace qd::cli
