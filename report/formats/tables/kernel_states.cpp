// Kernel states: a table with the reasons for missing lines of kernels:
//
//   Name         Kernel       State          Lines
//   -----------------------------------------------------------------------------
//   kernels.py   launched     not hit        22
//                launched     not measured   20: no compiled variant has it (static condition)
//                never        not compiled   28
#include "report/formats/tables/kernel_states.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/analysis/kernels/kernel_gaps.h"
#include "report/formats/common/text.h"

namespace qd::report {

namespace {

const std::vector<std::string> kHeader = {"Name", "Kernel", "State", "Lines"};

std::string cell(const std::string& text) {
  std::string result;
  for (char c : escape_html(visible(text))) {
    if (c == '|' || c == '_' || c == '*' || c == '`') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

void KernelStatesTable::add(const Analysis& analysis) {
  for (const KernelGap& gap : kernel_gaps(analysis)) {
    std::string lines = gap.formatted(analysis.source.statements);
    bool idle = gap.state == ProbeState::NotHit && gap.function->never_called();
    bool explained = idle || *reason(gap.state) != '\0';
    if (explained) lines += ": " + gap.function->explain(gap.state);
    rows_.push_back({analysis.relative, gap.function->source.name, name(gap.state), lines});
  }
}

std::string KernelStatesTable::text(TableFormat format) const {
  if (rows_.empty() || (format != TableFormat::kText && format != TableFormat::kMarkdown)) return "";
  std::string out = "\n";
  if (format == TableFormat::kMarkdown) {
    out += fmt::format("| {} |\n|:-----|:-------|:------|:------|\n", fmt::join(kHeader, " | "));
    for (const Row& row : rows_)
      out += fmt::format("| {} | {} | {} | {} |\n", cell(row[0]), cell(row[1]), cell(row[2]), cell(row[3]));
    return out;
  }
  std::vector<size_t> widths;
  for (size_t i = 0; i < kHeader.size(); ++i) {
    size_t width = kHeader[i].size();
    for (const Row& row : rows_) width = std::max(width, display_width(visible(row[i])));
    widths.push_back(width);
  }
  auto line = [&](const Row& row) {
    std::string text;
    for (size_t i = 0; i + 1 < row.size(); ++i) {
      std::string shown = visible(row[i]);
      text += shown + std::string(widths[i] - display_width(shown) + 3, ' ');
    }
    return text + visible(row.back()) + "\n";
  };
  std::string head = line(kHeader);
  out += head + std::string(head.size() - 1, '-') + "\n";
  for (size_t i = 0; i < rows_.size(); ++i) {
    Row row = rows_[i];
    if (i > 0 && rows_[i - 1][0] == row[0]) row[0].clear();  // an equal cell below is left empty
    out += line(row);
  }
  return out;
}

}  // namespace qd::report
