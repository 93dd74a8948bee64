// Diff data: data files and reports of other tools for a diff report, each of which may have a name.
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
  report::CoverageData all;       // of all inputs together
  std::vector<DiffInput> inputs;  // of each input, in the given order; empty when no input was given a name
};

/// Reads `files` ("FILE" or "NAME=FILE"), which may be data files of coverage.py or of kernels, or reports of other
/// tools. Without `files`, reads the files of the configuration: the data file, files beside it that have not been
/// combined yet, and its inputs. Files get the names that [paths] gives them, and keep the contexts that [report]
/// contexts chooses. Line data and branch data may be mixed. No file is changed or deleted. Throws DataError,
/// NoDataError.
DiffData read_diff_data(const report::Config& config, const std::vector<std::string>& files);

/// Asks plugins of coverage.py about the changed files that they measured. Throws the errors of find_plugin_files().
void ask_about_changes(DiffData& measured, const report::Changes& changes, const report::Config& config);

}  // namespace qd::cli
