// The files that a report is about, and their analyses: the same choice, order and errors as coverage.py's.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "report/analysis/analysis.h"
#include "report/config/config.h"

namespace qd::report {

struct ReportedFile {
  std::string path;       // absolute, or relative under relative_files
  std::string relative;   // as shown
  std::string data_name;  // under which name its data stands
};

/// The files of `data`, or `arguments` when there are any, that [report] include and omit let through; sorted by path.
/// Throws NoDataError when there are none.
std::vector<ReportedFile> reported_files(const CoverageData& data, const Config& config, const std::vector<std::string>& arguments);

/// Analyses `files` on all cores and calls `use` with each that could be analysed, in order, from one thread at a time. A file that
/// cannot be read or parsed: with ignore_errors one call of `warn`, else its NoSource or NotPython is thrown, after the files before it.
/// Contexts are restricted to [report] contexts.
void analyze_files(const std::vector<ReportedFile>& files, const CoverageData& data, const Config& config, int python_minor,
                   const std::function<void(Analysis&& analysis)>& use, const Warn& warn);

}  // namespace qd::report
