// Copies of sources with what ran in a margin: `coverage annotate`.
#pragma once

#include <string>

#include "report/formats/common/reported_files.h"

namespace qd::report {

/// The source with "> " before lines that ran, "! " before those that did not, "- " before excluded ones and blanks
/// before comments and empty lines.
std::string annotated(const AnalyzedFile& analyzed);

/// Where the copy goes: "mod.py,cover" beside the source, or in `directory` under a name that folders cannot make
/// ambiguous.
std::string annotated_path(const ReportedFile& file, const std::string& directory);

}  // namespace qd::report
