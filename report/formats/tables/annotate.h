// Annotated copies of sources, with their coverage in a margin: `coverage annotate`.
#pragma once

#include <string>

#include "report/engine/file_analyzer.h"

namespace qd::report {

/// Source with "> " before executed lines, "! " before missing ones, "- " before excluded ones and blanks before
/// comments and empty lines.
std::string annotated(const AnalyzedFile& analyzed);

/// Path of the copy: "mod.py,cover" beside the source, or in `directory` under a name that is unique for its folder.
std::string annotated_path(const ReportedFile& file, const std::string& directory);

}  // namespace qd::report
