// Inputs: reports of other coverage tools: LCOV, the XML of Cobertura, Clover and JaCoCo, and the JSON of gcov, gcovr
// and llvm-cov.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report/data/coverage_data.h"
#include "report/inputs/file_names.h"

namespace qd::report {

/// Reads a report of another tool; plain or gzip. Its content decides the format, independent of its name. No value for
/// a file that does not look like one, such as a data file of coverage.py. Relative paths in it start from the current
/// folder, or from the folder that the report names. Paths of another system (C:\...) stay as they are. A name that
/// fits several files is used for none of them (CoverageData::ambiguous). Records of no line are left out, and
/// CoverageData::damage counts them. A report that names no file, or has lines of a file without a name, is in
/// CoverageData::unread_inputs. Throws DataError "Couldn't read 'out.info' as LCOV: line 7: ..." for a report that is
/// damaged or cut off.
std::optional<CoverageData> read_input(const std::string& path, const InputOptions& options = {});

/// The same for a file that must be one. Throws DataError when it is not.
CoverageData require_input(const std::string& path, const InputOptions& options = {});

}  // namespace qd::report
