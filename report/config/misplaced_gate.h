// Misplaced gates: coverage.py's threshold, [report] fail_under, in places that coverage.py does not read.
#pragma once

#include <string>

#include "report/config/config_file.h"

namespace qd::report {

/// Returns a sentence for each setting of a file that looks like [report] fail_under, and is not read because its name,
/// or that of its section, is another: "fail-under", "[Report]", "[tool.coverage]".
StringList misplaced_gates(const ConfigFile& file, const std::string& path);

}  // namespace qd::report
