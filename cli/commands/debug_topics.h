// What `qd-cov debug` shows besides data: the machine, the program, what it takes for granted.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/config/config.h"

namespace qd::cli {

/// Names with the lines that are shown for each.
using DebugRows = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Versions, files, folders and the environment.
/// `rcfile` is that of --rcfile.
DebugRows debug_sys(const report::Config& config, const std::optional<std::string>& rcfile);
/// The SQLite library.
DebugRows debug_sqlite();
/// What differs between Pythons, as coverage.py of the Python that a shell would start says it; without one what is
/// known of its version.
DebugRows debug_pybehave();
/// "-- sys ----" and the rows below it.
std::string debug_text(const std::string& topic, const DebugRows& rows);
std::string debug_header(const std::string& label);

/// What every command can tell for --debug: config, pybehave, sqlite, sys.
std::vector<std::string> debug_topics();
/// Tells what of that the configuration asks for, where coverage.py does; once in a process.
void tell_debug_topics(const report::Config& config, const std::optional<std::string>& rcfile);

/// The processes that lead to this one, the nearest first.
std::vector<std::string> debug_premain();

}  // namespace qd::cli
