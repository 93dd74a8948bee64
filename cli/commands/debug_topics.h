// What `qd-cov debug` shows besides data: the machine, the program, and what the program assumes about Python.
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
/// The differences between versions of Python, as coverage.py of the Python that a shell would start reports them.
/// Without one, what is known about its version.
DebugRows debug_pybehave();
/// "-- sys ----" and the rows below it.
std::string debug_text(const std::string& topic, const DebugRows& rows);
std::string debug_header(const std::string& label);

/// What every command can print for --debug: config, pybehave, sqlite, sys.
std::vector<std::string> debug_topics();
/// Prints those that the configuration asks for, where coverage.py prints them; once in a process.
void tell_debug_topics(const report::Config& config, const std::optional<std::string>& rcfile);

/// The processes that started this one, the nearest first.
std::vector<std::string> debug_premain();

}  // namespace qd::cli
