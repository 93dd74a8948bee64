// Coverage reports in XML: Cobertura's, Clover's, JaCoCo's.
#pragma once

#include <string>
#include <vector>

#include "report/inputs/input_file.h"

namespace qd::report {

/// Adds what is in `input`; which format it is, its first elements tell. `roots` are for JacocoReader. Throws
/// DataError.
void read_xml_report(InputFile& input, CoverageData& data, const std::vector<std::string>& roots);

}  // namespace qd::report
