// diff-cover's way to name formats and files.
#include "cli/diff_outputs.h"

#include <fmt/core.h>

#include <cstdio>

#include "cli/command_line.h"
#include "cli/output_file.h"
#include "cli/terminal.h"

namespace qd::cli {

namespace {

// "markdown", "markdown:out.md", "html:-"
DiffOutput parse_output(const std::string& text) {
  size_t colon = text.find(':');
  std::string name = text.substr(0, colon);
  for (const report::DiffFormat& format : report::diff_formats()) {
    if (name != format.name) continue;
    if (colon == std::string::npos) return {&format, format.file ? format.file : "-"};
    if (colon + 1 == text.size()) throw UsageError(fmt::format("option --format: no path after '{}'", text));
    std::string where = text.substr(colon + 1);
    // diff-cover has the level there, and no file.
    if (name == "github-annotations" && (where == "notice" || where == "warning" || where == "error")) return {&format, "-", where};
    return {&format, where};
  }
  throw UsageError(fmt::format("option --format: unknown format '{}'; there are {}", name, diff_format_names()));
}

}  // namespace

std::string diff_format_names() {
  std::string names;
  for (const report::DiffFormat& format : report::diff_formats()) names += fmt::format("{}{}", names.empty() ? "" : ", ", format.name);
  return names;
}

std::vector<DiffOutput> parse_diff_outputs(const std::vector<std::string>& values) {
  std::vector<DiffOutput> outputs;
  for (const std::string& text : values) outputs.push_back(parse_output(text));
  if (outputs.empty()) outputs.push_back(parse_output("terminal"));
  return outputs;
}

void write_diff_outputs(const std::vector<DiffOutput>& outputs, const report::DiffCoverage& coverage, const report::DiffStyle& style) {
  std::vector<std::string> texts;
  for (const DiffOutput& output : outputs) {
    report::DiffStyle its_style = style;
    its_style.color = output.path == "-" && color_wanted();
    its_style.annotation_level = output.level;
    its_style.width = output.path == "-" ? terminal_width() : 1 << 20;
    texts.push_back(output.format->render(coverage, its_style));
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].path == "-") {
      fmt::print("{}", texts[i]);
      continue;
    }
    write_output_file(outputs[i].path, texts[i]);
    fmt::print(stderr, "Wrote {} report to {}\n", outputs[i].format->name, outputs[i].path);
  }
  std::fflush(stdout);
}

}  // namespace qd::cli
