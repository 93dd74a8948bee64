// XML coverage reports: Cobertura's, Clover's, JaCoCo's.
#pragma once

#include "report/inputs/file_names.h"
#include "report/inputs/input_file.h"

namespace qd::report {

/// Adds the data of `input`; its first elements tell the format. Throws DataError.
void read_xml_report(InputFile& input, FileNames& names);

}  // namespace qd::report
