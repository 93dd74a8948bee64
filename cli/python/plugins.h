// The plugins of coverage.py that [run] plugins names: what they make of the configuration, and what they say of the
// files that they measured.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "report/config/config.h"
#include "report/data/coverage_data.h"
#include "report/formats/common/reported_files.h"

namespace qd::cli {

/// What coverage.py knows when its plugins are loaded, beside the configuration file.
struct PluginStart {
  std::optional<std::string> rcfile;                      // as --rcfile names it
  std::map<std::string, std::string> texts;               // arguments of coverage.Coverage by name: "context"
  std::map<std::string, std::vector<std::string>> lists;  // "include", "omit", "source"
  std::map<std::string, bool> flags;                      // "branch"
  std::optional<std::string> python;                      // the interpreter, when it is known
  std::vector<std::string> import_folders;                // where plugins may be, too
};

/// Lets the plugins that `config` names change it; nothing happens when it names none. They run in a process of the
/// user's Python that stays for questions of files. Throws report::PluginFailure, and std::runtime_error for what is an
/// error of coverage.py's.
void configure_by_plugins(report::Config& config, const PluginStart& start);

/// The same for a command whose options say nothing that plugins could see but --rcfile.
void configure_by_plugins(report::Config& config, const CommandLine& line);

/// Asks who reports on the files of `data` that plugins measured (on `names` alone, unless that is empty), and fills in
/// FileData::plugin. No Python is started when there is no such file. Throws std::runtime_error for a file whose plugin
/// is not there.
void find_plugin_files(report::CoverageData& data, const report::Config& config, const std::vector<std::string>& names);

/// Asks what those of `files` that have a reporter hold, and what of `data` was measured there. What goes wrong becomes
/// the file's failure.
void analyze_plugin_files(const report::CoverageData& data, const report::Config& config,
                          const std::vector<report::ReportedFile>& files, report::AnalysisNeeds needs);

/// Ends the process, if there is one. The next question starts another one.
void stop_plugins();

}  // namespace qd::cli
