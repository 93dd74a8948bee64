// What `qd-cov debug` shows besides data: the machine, the program, what it takes for granted.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/config/config.h"

namespace qd::cli {

/// Names with the lines that are shown for each.
using DebugRows = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Versions, files, folders and the environment.
DebugRows debug_sys(const report::Config& config);
/// The SQLite library.
DebugRows debug_sqlite();
/// What differs between the versions of Python that reports know of; names as coverage.py has them.
DebugRows debug_pybehave();
/// The processes that lead to this one, the nearest first.
std::vector<std::string> debug_premain();

}  // namespace qd::cli
