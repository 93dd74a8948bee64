// Diff outputs: the formats of a diff report with their paths: --format FORMAT[:PATH].
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

/// Names of formats: "terminal, annotated, ...".
std::string diff_format_names();

/// Returns the formats that --format chooses; and the table for the terminal, if none of them goes to the terminal.
/// Throws UsageError.
std::vector<DiffOutput> choose_diff_outputs(const report::DiffConfig& config);

/// Renders all formats, then writes them: if one cannot be made, none is written. Sets `style.color`, `style.width`
/// and, relative to the page's folder, `style.full_report` for each. Throws WriteError. `quiet`: does not print the
/// names of written files.
void write_diff_outputs(const std::vector<DiffOutput>& outputs, const report::DiffCoverage& coverage,
                        const report::DiffStyle& style, bool quiet);

}  // namespace qd::cli
