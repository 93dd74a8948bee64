// Format choices with their outputs, as in diff-cover: --format FORMAT[:PATH].
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace qd::cli {

/// A format of a command.
struct FormatName {
  const char* name;
  const char* file;  // default path of the output; null: standard output
};

/// A format that was chosen.
struct FormatChoice {
  size_t format;                  // index of its name
  std::string path;               // "-" is standard output
  std::string level = "warning";  // of github-annotations: "notice", "warning" or "error"
};

/// Names of formats: "terminal, annotated, ...".
std::string format_names(std::span<const FormatName> formats);

/// Returns the formats that the values of --format choose; the first of `formats` when there are none. Throws
/// UsageError.
std::vector<FormatChoice> choose_formats(std::span<const FormatName> formats, const std::vector<std::string>& values);

struct FormattedReport {
  std::string format;
  std::string path;  // "-" is standard output
  std::string text;
};

/// Writes files first, then prints the reports for standard output, so that an error comes before all of these.
/// `quiet`: does not print the names of written files. Throws WriteError.
void write_reports(const std::vector<FormattedReport>& reports, bool quiet = false);

}  // namespace qd::cli
