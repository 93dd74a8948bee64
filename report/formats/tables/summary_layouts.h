// Summary table's rows (`coverage report`), and their layouts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/analysis/analysis.h"

namespace qd::report {

/// Properties of the terminal of a table for people. Not `on`: a program reads it.
struct TerminalStyle {
  bool on = false, color = false, unicode = true;
  int width = 80;
};

/// A row: its cells, in the order of the header, and its numbers.
struct SummaryLine {
  std::vector<std::string> cells;
  Numbers numbers;
  std::vector<Numbers> archs;
  bool kernels = false;  // the file has kernels or funcs
};

struct SummaryLines {
  std::vector<std::string> header;  // Name, numbers, Cover, archs, Missing
  size_t cover = 0;                 // index of the column Cover
  size_t n_archs = 0;               // number of columns of archs, behind Cover
  std::vector<SummaryLine> rows;
  SummaryLine total;

  bool has_missing() const { return header.size() > cover + 1 + n_archs; }
};

/// Text as coverage.py prints it.
std::string text_layout(const SummaryLines& lines);
/// The same in markdown.
std::string markdown_layout(const SummaryLines& lines);
/// Table for people: in colour, with bars and marks of kernels, and no wider than the terminal.
std::string terminal_layout(const SummaryLines& lines, const TerminalStyle& style);

/// Text with the characters escaped that markdown could take for markup, as in coverage.py.
std::string escape_markdown(const std::string& text);

}  // namespace qd::report
