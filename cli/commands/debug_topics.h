// Topics of `qd-cov debug` besides data: the machine, the program, and its assumptions about Python.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/config/config.h"

namespace qd::cli {

/// Rows of a topic: a name with its lines.
using DebugRows = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Topic sys: versions, files, folders and the environment.
/// `rcfile` is that of --rcfile.
DebugRows debug_sys(const report::Config& config, const std::optional<std::string>& rcfile);
/// Topic sqlite: the SQLite library.
DebugRows debug_sqlite();
/// Topic pybehave: the differences between versions of Python, as coverage.py of the Python that a shell would start
/// reports them. Without one, those that are known of its version.
DebugRows debug_pybehave();
/// Text of a topic: "-- sys ----" and the rows below it.
std::string debug_text(const std::string& topic, const DebugRows& rows);
std::string debug_header(const std::string& label);

/// Topics that every command can print for --debug: config, pybehave, sqlite, sys.
std::vector<std::string> debug_topics();
/// Prints the topics that the configuration asks for to coverage.py's destination; once in a process.
void tell_debug_topics(const report::Config& config, const std::optional<std::string>& rcfile);

/// Command lines of the processes that started this one, the nearest first.
std::vector<std::string> debug_premain();

}  // namespace qd::cli
