// The data for a diff report: data files and reports of other tools, each of which may have a name.
#pragma once

#include <string>
#include <vector>

#include "report/config/config.h"
#include "report/data/coverage_data.h"
#include "report/diff/changes.h"

namespace qd::cli {

struct DiffInput {
  std::string name;  // as given, else the file's name
  report::CoverageData data;
};

struct DiffData {
  report::CoverageData all;  // everything together
  std::vector<DiffInput>
      inputs;  // what each of them measured, in the order they were given; empty when names were given to none
};

/// Reads `files` ("FILE" or "NAME=FILE"), which may be data files of coverage.py or of kernels, or reports of other
/// tools. Without `files`, reads what the configuration names: the data file, files beside it that have not been
/// combined yet, and its inputs. Files get the names that [paths] gives them. Line data and branch data may be mixed.
/// No file is changed or deleted. Throws DataError, NoDataError.
DiffData read_diff_data(const report::Config& config, const std::vector<std::string>& files);

/// Asks plugins of coverage.py about the changed files that they measured. Throws what find_plugin_files() throws.
void ask_about_changes(DiffData& measured, const report::Changes& changes, const report::Config& config);

}  // namespace qd::cli
