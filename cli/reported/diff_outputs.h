// Where the formats of a diff report go: --format FORMAT[:PATH].
#pragma once

#include <string>
#include <vector>

#include "report/config/config.h"
#include "report/formats/diff/diff_formats.h"

namespace qd::cli {

struct DiffOutput {
  const report::DiffFormat* format;
  std::string path;               // "-" is standard output
  std::string level = "warning";  // of github-annotations
};

/// "terminal, annotated, ..."
std::string diff_format_names();

/// The formats of --format, and the table for the terminal where none of them is read there. Throws UsageError.
std::vector<DiffOutput> choose_diff_outputs(const report::DiffConfig& config);

/// Renders all of them, then writes all: a report that cannot be made leaves no half of the others. `style.color` and
/// `style.width` are set for each. Throws WriteError. `quiet`: it is not said which files were written.
void write_diff_outputs(const std::vector<DiffOutput>& outputs, const report::DiffCoverage& coverage,
                        const report::DiffStyle& style, bool quiet);

}  // namespace qd::cli
