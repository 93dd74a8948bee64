// LCOV tracefile, https://github.com/linux-test-project/lcov/blob/master/man/geninfo.1 ("FILES").
#pragma once

#include "report/inputs/file_names.h"
#include "report/inputs/input_file.h"

namespace qd::report {

bool looks_like_lcov(std::string_view beginning);
/// Adds the data of `input`. Throws DataError.
void read_lcov(InputFile& input, CoverageData& data, FileNames& names);

}  // namespace qd::report
