// Host coverage: measures Python processes through coverage.py, however they are started.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/child_process.h"
#include "report/config/config.h"

namespace qd::cli {

/// Settings of the run for host coverage, besides the configuration.
struct HostRun {
  std::vector<std::string> import_folders;  // import folders of the program; may have coverage.py plugins, too
  int save_signal = 0;   // number of the signal at which the program's process saves its data; 0: none
  bool measures = true;  // false: Python processes only hand over the data of Quadrants' kernel coverage
};

/// A folder for PYTHONPATH. Every Python process with it starts coverage.py before anything else, and writes the data
/// of Quadrants' own kernel coverage to the folder "kernels" beside it.
class HostCoverage {
 public:
  /// Writes into `folder`, which must exist; data files will be `data_file`.*. `config` is that of the run; relative
  /// paths in it start from the current folder, also for processes in another folder.
  HostCoverage(const std::string& folder, const std::string& data_file, const report::Config& config,
               const HostRun& run = {});

  EnvironmentChanges environment() const;
  /// Returns changes to the environment that measure `python` although it ignores PYTHONPATH; no value when that is not
  /// possible.
  std::optional<EnvironmentChanges> environment_without_path(const std::string& python) const;
  /// Returns the interpreters that ran but had no coverage.py, each once.
  std::vector<std::string> pythons_without_coverage() const;
  /// Returns packages and modules of the configuration's source that no process imported.
  std::vector<std::string> packages_not_imported() const;
  /// Files or folders of other projects' packages `qd` that were imported in place of the kernel runtime.
  std::vector<std::string> foreign_runtimes() const;

 private:
  std::string folder_;
  std::vector<std::string> packages_;
  bool measures_;
};

/// Throws std::runtime_error when `python` has no coverage.py, or does not know the package of the module that it is to
/// run.
void require_coverage_in(const std::string& python, const std::optional<std::string>& module);

}  // namespace qd::cli
