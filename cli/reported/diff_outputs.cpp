// Diff outputs. All formats are rendered before the first one is written.
#include "cli/reported/diff_outputs.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "cli/options/format_choice.h"
#include "cli/output/terminal.h"
#include "report/formats/html/html_parts.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;

std::vector<FormatName> names() {
  std::vector<FormatName> result;
  for (const report::DiffFormat& format : report::diff_formats()) result.push_back({format.name, format.file});
  return result;
}

const report::DiffFormat* find_format(std::string_view name) {
  for (const report::DiffFormat& format : report::diff_formats())
    if (format.name == name) return &format;
  return nullptr;
}

/// Address of a page for links in another file; "-" is in the current folder. A URL stays as it is.
std::string address_of(const std::string& page, const std::string& from) {
  if (page.empty() || page.find("://") != std::string::npos) return page;
  std::error_code error;
  const fs::path folder = from == "-" ? fs::current_path() : fs::absolute(from).parent_path();
  const fs::path path = fs::relative(fs::absolute(page), folder, error);
  return report::url_path((error || path.empty() ? fs::absolute(page) : path).generic_string());
}

}  // namespace

std::string diff_format_names() { return format_names(names()); }

std::vector<DiffOutput> choose_diff_outputs(const report::DiffConfig& config) {
  std::vector<DiffOutput> outputs;
  for (FormatChoice& choice : choose_formats(names(), config.format))
    outputs.push_back({&report::diff_formats()[choice.format], std::move(choice.path), std::move(choice.level)});
  auto is_read = [](const DiffOutput& output) {
    return output.path == "-" && output.format->name != std::string_view("github-annotations");
  };
  if (std::none_of(outputs.begin(), outputs.end(), is_read))
    outputs.insert(outputs.begin(), DiffOutput{find_format("terminal"), "-"});
  for (DiffOutput& output : outputs)
    if (config.show_uncovered && output.format == find_format("terminal")) output.format = find_format("annotated");
  auto is_at = [](const DiffOutput& output, const char* format) {
    return output.path == "-" && output.format == find_format(format);
  };
  if (config.quiet)
    std::erase_if(outputs, [&](const auto& output) { return is_at(output, "terminal") || is_at(output, "annotated"); });
  // The terminal table is not printed twice: the annotated report begins with it.
  const bool annotated =
      std::any_of(outputs.begin(), outputs.end(), [&](const DiffOutput& output) { return is_at(output, "annotated"); });
  std::vector<DiffOutput> result;
  for (DiffOutput& output : outputs) {
    const bool is_there = std::any_of(result.begin(), result.end(), [&](const DiffOutput& other) {
      return output.path == "-" && other.path == "-" && other.format == output.format;
    });
    if (!is_there && !(annotated && is_at(output, "terminal"))) result.push_back(std::move(output));
  }
  return result;
}

void write_diff_outputs(const std::vector<DiffOutput>& outputs, const report::DiffCoverage& coverage,
                        const report::DiffStyle& style, bool quiet) {
  std::vector<FormattedReport> reports;
  for (const DiffOutput& output : outputs) {
    report::DiffStyle its_style = style;
    its_style.color = output.path == "-" && color_wanted();
    its_style.full_report = address_of(style.full_report, output.path);
    its_style.annotation_level = output.level;
    its_style.width = output.path == "-" ? terminal_width() : 1 << 20;
    reports.push_back({output.format->name, output.path, output.format->render(coverage, its_style)});
  }
  write_reports(reports, quiet);
}

}  // namespace qd::cli
