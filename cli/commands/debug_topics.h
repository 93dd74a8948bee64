// Topics of `qd-cov debug` besides data: the machine, the program, Python and the assumptions about it, and probes.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "report/config/config.h"

namespace qd::cli {

/// Rows of a topic: a name with its lines.
using DebugRows = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Commit that this program was built from, with a "+" when files were changed; else a reason why it is not known.
std::string build_commit();

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

// Description of the Python that a shell would start.

/// Topic "sys": version and packages of that Python, its kernel runtime (LLVM, devices), and coverage.py's own report
/// there with the settings of `rcfile` (by default, those that it finds). Topic "pybehave": coverage.py's flags. Topic
/// "devices": the devices that kernels can be compiled for there (qd.devices). When there is no Python, or it does not
/// answer, one row with the reason.
DebugRows describe_python(const std::string& topic, const std::optional<std::string>& rcfile = std::nullopt);

// Topic 'probes' of `qd-cov debug`.

/// `arguments` are those behind the word 'probes'.
int debug_probes(const Arguments& arguments);

}  // namespace qd::cli
