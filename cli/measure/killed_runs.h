// Runs of parallel mode, whose data outlives a killed `qd-cov run`: it is in a folder beside the data file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/measure/private_folder.h"
#include "report/config/config.h"

namespace qd::cli {

/// A run of parallel mode. Its folder is `.qd-cov-run<suffix>`, its data file `<data file><suffix>` beside it. Other
/// commands leave the folder alone until this process and its child have ended.
class ParallelRun {
 public:
  /// `config` is that of the run, with the data file of this process. Notes what is measured, for recover_runs().
  ParallelRun(const report::Config& config, const std::string& suffix, const std::string& command);
  ~ParallelRun();
  ParallelRun(const ParallelRun&) = delete;
  ParallelRun& operator=(const ParallelRun&) = delete;

  PrivateFolder& folder() { return folder_; }
  /// Deletes the folder, whose data is in the data file.
  void finish();

 private:
  PrivateFolder folder_;
  std::string finished_name_;
  int lock_ = -1;
};

/// Makes the data files of killed runs: of those whose folders are in `folder`, or of the one whose folder it is. The
/// latter is taken although it may be of another host that cannot be asked. Warns of run folders that are left, and of
/// data that cannot be read. Returns the data files, and in `left` the left run folders whose processes do not run, as
/// far as can be seen.
std::vector<std::string> recover_runs(const std::string& folder, std::vector<std::string>* left = nullptr);

/// Run folders in `folder` whose processes do not run, as far as can be seen: their data is in no data file.
std::vector<std::string> ended_runs(const std::string& folder);

/// Whether `path` is the folder of a run.
bool is_run_folder(const std::string& path);

/// Deletes the run folders in `folder` whose processes have ended.
void erase_runs(const std::string& folder);

}  // namespace qd::cli
