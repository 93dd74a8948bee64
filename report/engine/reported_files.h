// Files of a report: the same choice and order as coverage.py's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "report/analysis/plugin_file.h"
#include "report/config/config.h"
#include "report/data/coverage_data.h"

namespace qd::report {

struct ReportedFile {
  std::string path;                    // absolute, or relative under relative_files
  std::string relative;                // as shown
  std::string data_name;               // its name in the data
  std::shared_ptr<PluginFile> plugin;  // answers of the plugin that measured it; null for Python and for other tools
};

/// Name of a file in the data: absolute, or relative under relative_files.
std::string name_in_data(const std::string& name, const Config& config);

/// Returns the files of `data`, or `arguments` when there are any, that [report] include and omit admit; sorted by
/// path. Files of other tools outside of the current folder (system headers) are only included by an include pattern or
/// an argument that names them. Throws NoDataError when there are none.
std::vector<ReportedFile> reported_files(const CoverageData& data, const Config& config,
                                         const std::vector<std::string>& arguments);

/// Names in reports of other tools whose files are not known, as sentences without a point: those that fit several of
/// the files which would be reported (AmbiguousName::text()), and those of files elsewhere that may be one of them.
/// Data of coverage.py is used all the same.
std::vector<std::string> unplaced_names(const CoverageData& data, const Config& config);

/// Note that some files were both measured and imported, if there are any. They are reported as measured.
std::string imported_note(const CoverageData& data);

}  // namespace qd::report
