// Cobertura XML, as coverage.py, gcovr, llvm's and .NET's tools write it. https://raw.githubusercontent.com/cobertura/web/master/htdocs/xml/coverage-04.dtd
#pragma once

#include "report/inputs/input_file.h"

namespace qd::report {

/// Adds what is in `input`. Entities are refused, whether internal or external. Throws DataError.
void read_cobertura(InputFile& input, CoverageData& data);

}  // namespace qd::report
