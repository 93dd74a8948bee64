// Variants of kernels, funcs and templates in the data of a file.
#pragma once

#include <string>

#include "report/analysis/analysis.h"

namespace qd::report {

/// Appends "variants" (source_json.cpp has the layout), unless there are none. `n_lines`: of the source.
void append_variants(std::string& out, const Analysis& analysis, size_t n_lines);

}  // namespace qd::report
