// Format choices such as "markdown", "markdown:out.md" and "html:-".
#include "cli/options/format_choice.h"

#include <fmt/core.h>

#include <cstdio>

#include "cli/command_line.h"
#include "cli/output/output_file.h"
#include "cli/standard_streams.h"

namespace qd::cli {

namespace {

FormatChoice choose(std::span<const FormatName> formats, const std::string& text) {
  size_t colon = text.find(':');
  std::string name = text.substr(0, colon);
  for (size_t i = 0; i < formats.size(); ++i) {
    if (name != formats[i].name) continue;
    if (colon == std::string::npos) return {i, formats[i].file ? formats[i].file : "-"};
    if (colon + 1 == text.size()) throw UsageError(fmt::format("option --format: no path after '{}'", text));
    std::string where = text.substr(colon + 1);
    // github-annotations has a level in the place of a file, as in diff-cover.
    if (name == "github-annotations" && (where == "notice" || where == "warning" || where == "error"))
      return {i, "-", where};
    return {i, where};
  }
  throw UsageError(fmt::format("option --format: unknown format '{}'; there are {}", name, format_names(formats)));
}

}  // namespace

std::string format_names(std::span<const FormatName> formats) {
  std::string names;
  for (const FormatName& format : formats) names += fmt::format("{}{}", names.empty() ? "" : ", ", format.name);
  return names;
}

std::vector<FormatChoice> choose_formats(std::span<const FormatName> formats, const std::vector<std::string>& values) {
  std::vector<FormatChoice> choices;
  for (const std::string& text : values) choices.push_back(choose(formats, text));
  if (choices.empty()) choices.push_back(choose(formats, formats[0].name));
  return choices;
}

void write_reports(const std::vector<FormattedReport>& reports, bool quiet) {
  for (const FormattedReport& report : reports) {
    if (report.path == "-") continue;
    write_output_file(report.path, report.text);
    if (!quiet) tell(fmt::format("Wrote {} report to {}", report.format, report.path));
  }
  for (const FormattedReport& report : reports)
    if (report.path == "-") fmt::print("{}", report.text);
  flush_quietly();
}

}  // namespace qd::cli
