// Coverage as JSON: gcov's (--json-format), gcovr's and llvm-cov's (export).
#pragma once

#include "report/inputs/file_names.h"
#include "report/inputs/input_file.h"

namespace qd::report {

/// Adds what is in `input`, several documents one after the other too. Which tool wrote it is told by its keys. Throws
/// DataError.
void read_json_report(InputFile& input, FileNames& names);

}  // namespace qd::report
