// Measuring Python processes through coverage.py, whatever starts them.
#pragma once

#include <string>
#include <vector>

#include "cli/child_process.h"
#include "report/config/config.h"

namespace qd::cli {

/// A folder that makes every Python process with it on its PYTHONPATH start coverage.py before all else.
class HostCoverage {
 public:
  /// Writes into `folder`, which must exist; data files will be `data_file`.*. `config` is that of the run; relative
  /// paths in it are taken from the current folder, in whichever folder the processes run.
  HostCoverage(const std::string& folder, const std::string& data_file, const report::Config& config);

  EnvironmentChanges environment() const;
  /// Interpreters that ran but had no coverage.py, each once.
  std::vector<std::string> pythons_without_coverage() const;

 private:
  std::string folder_;
};

/// Throws std::runtime_error when `python` has no coverage.py.
void require_coverage_in(const std::string& python);

}  // namespace qd::cli
