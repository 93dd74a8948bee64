// Plugins of coverage.py in [run] plugins: they change the configuration, and describe the files that they measured.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "report/config/config.h"
#include "report/data/coverage_data.h"
#include "report/engine/file_analyzer.h"

namespace qd::cli {

/// Arguments of coverage.py when it loads plugins, besides the configuration file.
struct PluginStart {
  std::optional<std::string> rcfile;                      // from --rcfile
  std::map<std::string, std::string> texts;               // arguments of coverage.Coverage by name: "context"
  std::map<std::string, std::vector<std::string>> lists;  // "include", "omit", "source"
  std::map<std::string, bool> flags;                      // "branch"
  std::optional<std::string> python;                      // the interpreter, when it is known
  std::vector<std::string> import_folders;                // further folders with plugins
};

/// Lets the plugins that `config` names change it; does nothing when it names none. The plugins run in a process of the
/// user's Python, which stays for questions about files. Throws report::PluginFailure, and std::runtime_error for an
/// error of coverage.py's.
void configure_by_plugins(report::Config& config, const PluginStart& start);

/// The same for a command whose only option that plugins can see is --rcfile.
void configure_by_plugins(report::Config& config, const CommandLine& line);

/// Asks for the reporter of each file of `data` that a plugin measured (only for `names`, unless that is empty), and
/// fills in FileData::plugin. Without such a file no Python is started. Throws std::runtime_error for a file whose
/// plugin is not configured.
void find_plugin_files(report::CoverageData& data, const report::Config& config, const std::vector<std::string>& names);

/// Asks for the analysis of those of `files` that have a reporter, and of their data. An error becomes the file's
/// failure.
void analyze_plugin_files(const report::CoverageData& data, const report::Config& config,
                          const std::vector<report::ReportedFile>& files, report::AnalysisNeeds needs);

/// Ends the process, if there is one. The next question starts another one.
void stop_plugins();

}  // namespace qd::cli
