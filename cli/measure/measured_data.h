// Measured data of the processes of a measured command.
#pragma once

#include <cstdint>
#include <string>

#include "report/config/config.h"
#include "report/config/source_filter.h"
#include "report/data/coverage_data.h"

namespace qd::cli {

/// The folder with the data of a run's processes: its parts "start", "host" and "kernels".
struct MeasuredFolder {
  std::string path;
  std::string current_folder;  // of the run
  int64_t start = 0;           // when the run began: nanoseconds of the epoch
};

/// Adds the data of the processes in `folder` to `data`: host data, and kernel data of the files that the host's
/// coverage would measure, under its names of the files. Warns of files that cannot be read, or not as a whole, and
/// then returns false.
bool add_measured_data(report::CoverageData& data, const MeasuredFolder& folder, const report::Config& config,
                       const report::SourceFilter& filter);

}  // namespace qd::cli
