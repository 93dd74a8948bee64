// File table of diff coverage: a row for each changed file, with its lines, conditions, and its coverage by several
// inputs or devices.
#include "report/formats/diff/diff_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "report/formats/common/text.h"
#include "report/formats/diff/diff_arch_parts.h"
#include "report/formats/diff/diff_parts.h"
#include "report/formats/html/condition_parts.h"
#include "report/formats/html/html_parts.h"

namespace qd::report {
namespace {

class FilesTable {
 public:
  explicit FilesTable(const DiffCoverage& coverage) : coverage_(coverage) {}

  std::string write() const {
    std::string out =
        "<table class=\"files\">\n<thead><tr><th scope=\"col\">File</th><th scope=\"col\" class=\"num\">Lines</th>"
        "<th scope=\"col\" class=\"num\">Missing</th>";
    for (const InputCoverage& input : coverage_.inputs)
      out += fmt::format("<th scope=\"col\" class=\"num\">{}</th>", html_text(input.name));
    for (const ArchTotal& device : devices_)
      out += fmt::format("<th scope=\"col\" class=\"num device\">{}</th>", html_text(device.arch));
    if (coverage_.conditions)
      out += "<th scope=\"col\" class=\"num\">Conditions</th><th scope=\"col\" class=\"num\">MC/DC</th>";
    out +=
        "<th scope=\"col\" class=\"num\">Coverage</th><th></th>"
        "<th scope=\"col\" class=\"ranges\">Missing lines</th></tr></thead>\n<tbody>\n";
    for (const DiffFile& file : coverage_.files) {
      int64_t total = file.total();
      int64_t covered = file.covered(coverage_.branches);
      out += fmt::format(
          "<tr>{}<td class=\"num\">{}</td><td class=\"num\">{}</td>{}{}<td class=\"num\">{}%</td><td>{}</td><td "
          "class=\"ranges\">{}</td></tr>\n",
          diff_name_cell(file), total, total - covered, input_cells(file) + device_cells(file),
          condition_cells(condition_numbers(file.decisions)), percent(covered, total), svg_bar(covered, total),
          ranges(file));
    }
    for (const DiffFile& file : coverage_.not_measured)
      out += fmt::format(
          "<tr>{}<td class=\"num\">{}</td><td class=\"num\">?</td>{}<td class=\"num\">?</td><td colspan=\"2\">"
          "<span class=\"chip none\">not measured: {}</span></td></tr>\n",
          diff_name_cell(file), file.unmeasured_statements,
          unknown_cells(coverage_.inputs.size() + devices_.size()) + (coverage_.conditions ? unknown_cells(2) : ""),
          html_text(file.not_measured));
    if (coverage_.files.size() > 1)
      out += fmt::format(
          "<tr class=\"total\"><td>Total</td><td class=\"num\">{}</td><td class=\"num\">{}</td>{}<td "
          "class=\"num\">{}%</td><td>{}</td><td></td></tr>\n",
          coverage_.total(), coverage_.missing(),
          input_totals() + device_totals_cells() + condition_cells(coverage_.condition_numbers()),
          percent(coverage_.covered(), coverage_.total()), svg_bar(coverage_.covered(), coverage_.total()));
    return out + "</tbody>\n</table>\n";
  }

 private:
  std::string ranges(const DiffFile& file) const {
    return diff_line_links(file.path, file.missing_formatted(coverage_.branches));
  }

  // Cells with the share of the file's lines that each of several inputs covers.
  std::string input_cells(const DiffFile& file) const {
    std::string out;
    for (const InputCoverage& input : coverage_.inputs) {
      auto found = input.missing.find(file.path);
      if (found == input.missing.end()) {
        out += "<td class=\"num\" title=\"it has no data of this file\">–</td>";
        continue;
      }
      auto total = static_cast<int64_t>(file.statements.size());
      out +=
          fmt::format("<td class=\"num\">{}%</td>", percent(total - static_cast<int64_t>(found->second.size()), total));
    }
    return out;
  }

  // Cells with the share that ran on each of several devices, of the file's lines that it can run.
  std::string device_cells(const DiffFile& file) const {
    std::string out;
    for (const ArchTotal& device : devices_) {
      auto found = file.archs.find(device.arch);
      if (found == file.archs.end() || found->second.total() == 0) {
        out += "<td class=\"num device\" title=\"no lines of kernels\">–</td>";
        continue;
      }
      const ArchLines& lines = found->second;
      out +=
          fmt::format("<td class=\"num device\">{}%</td>", percent(lines.covered(coverage_.branches), lines.total()));
    }
    return out;
  }

  std::string device_totals_cells() const {
    std::string out;
    for (const ArchTotal& device : devices_)
      out += device.total == 0
                 ? "<td class=\"num device\">–</td>"
                 : fmt::format("<td class=\"num device\">{}%</td>", percent(device.covered, device.total));
    return out;
  }

  std::string input_totals() const {
    std::string out;
    for (const InputCoverage& input : coverage_.inputs)
      out += fmt::format("<td class=\"num\">{}%</td>", percent(input.covered, input.total));
    return out;
  }

  static std::string unknown_cells(size_t n) {
    std::string out;
    for (size_t i = 0; i < n; ++i) out += "<td class=\"num\">?</td>";
    return out;
  }

  std::string condition_cells(const ConditionNumbers& n) const {
    if (!coverage_.conditions) return "";
    return fraction_cell(n.n_seen_outcomes(), n.n_outcomes) + fraction_cell(n.n_shown_mcdc(), n.n_mcdc);
  }

  const DiffCoverage& coverage_;
  const std::vector<ArchTotal> devices_ = device_totals(coverage_);
};

}  // namespace

std::string diff_table_html(const DiffCoverage& coverage) { return FilesTable(coverage).write(); }

std::string diff_line_links(const std::string& path, const std::string& list) {
  std::string out;
  for (size_t at = 0; at < list.size();) {
    size_t end = std::min(list.find(", ", at), list.size());
    std::string piece = list.substr(at, end - at);
    out += fmt::format("{}<a href=\"{}\">{}</a>", out.empty() ? "" : ", ", anchor_href(path, std::atoi(piece.c_str())),
                       escape_html(piece));
    at = end + 2;
  }
  return out;
}

std::string diff_name_cell(const DiffFile& file) {
  std::string out =
      fmt::format("<td class=\"name\"><a href=\"{}\">{}</a>", anchor_href(file.path), html_path(file.path));
  if (!file.old_path.empty()) out += fmt::format(" <span class=\"was\">was {}</span>", html_path(file.old_path));
  return out + "</td>";
}

}  // namespace qd::report
