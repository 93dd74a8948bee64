// JSON reports of other tools: gcov's (--json-format), gcovr's and llvm-cov's (export).
#pragma once

#include "report/inputs/file_names.h"
#include "report/inputs/input_file.h"

namespace qd::report {

/// Adds the data of `input`, also of several documents one after the other. Their keys tell the tool. Throws DataError.
void read_json_report(InputFile& input, FileNames& names);

}  // namespace qd::report
