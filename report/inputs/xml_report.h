// Coverage reports in XML: Cobertura's, Clover's, JaCoCo's.
#pragma once

#include "report/inputs/file_names.h"
#include "report/inputs/input_file.h"

namespace qd::report {

/// Adds what is in `input`; which format it is, its first elements tell. Throws DataError.
void read_xml_report(InputFile& input, FileNames& names);

}  // namespace qd::report
