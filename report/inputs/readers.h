// Readers of other tools' reports: LCOV, XML and JSON.
#pragma once

#include "report/inputs/file_names.h"
#include "report/inputs/input_file.h"

namespace qd::report {

// LCOV tracefile, https://github.com/linux-test-project/lcov/blob/master/man/geninfo.1 ("FILES").

bool looks_like_lcov(std::string_view beginning);
/// Adds the data of `input`. Throws DataError.
void read_lcov(InputFile& input, CoverageData& data, FileNames& names);

// XML coverage reports: Cobertura's, Clover's, JaCoCo's.

/// Adds the data of `input`; its first elements tell the format. Throws DataError.
void read_xml_report(InputFile& input, FileNames& names);

// JSON reports of other tools: gcov's (--json-format), gcovr's and llvm-cov's (export).

/// Adds the data of `input`, also of several documents one after the other. Their keys tell the tool. Throws DataError.
void read_json_report(InputFile& input, FileNames& names);

}  // namespace qd::report
