// All formats are made before the first is written.
#include "cli/diff_outputs.h"

#include <utility>

#include "cli/format_choice.h"
#include "cli/terminal.h"

namespace qd::cli {

namespace {

std::vector<FormatName> names() {
  std::vector<FormatName> result;
  for (const report::DiffFormat& format : report::diff_formats()) result.push_back({format.name, format.file});
  return result;
}

}  // namespace

std::string diff_format_names() { return format_names(names()); }

std::vector<DiffOutput> parse_diff_outputs(const std::vector<std::string>& values) {
  std::vector<DiffOutput> outputs;
  for (FormatChoice& choice : choose_formats(names(), values))
    outputs.push_back({&report::diff_formats()[choice.format], std::move(choice.path), std::move(choice.level)});
  return outputs;
}

void write_diff_outputs(const std::vector<DiffOutput>& outputs, const report::DiffCoverage& coverage, const report::DiffStyle& style) {
  std::vector<FormattedReport> reports;
  for (const DiffOutput& output : outputs) {
    report::DiffStyle its_style = style;
    its_style.color = output.path == "-" && color_wanted();
    its_style.annotation_level = output.level;
    its_style.width = output.path == "-" ? terminal_width() : 1 << 20;
    reports.push_back({output.format->name, output.path, output.format->render(coverage, its_style)});
  }
  write_reports(reports);
}

}  // namespace qd::cli
