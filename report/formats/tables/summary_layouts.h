// The rows of the table of `coverage report`, and the ways in which they are laid out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/analysis/analysis.h"

namespace qd::report {

/// What the terminal is like on which a person reads a table. Not `on`: a program reads it.
struct TerminalStyle {
  bool on = false, color = false, unicode = true;
  int width = 80;
};

/// A row: its cells, as those of the header, and what they were made of.
struct SummaryLine {
  std::vector<std::string> cells;
  Numbers numbers;
  std::vector<Numbers> archs;
  bool kernels = false;  // there are kernels or funcs in the file
};

struct SummaryLines {
  std::vector<std::string> header;  // Name, numbers, Cover, architectures, Missing
  size_t cover = 0;                 // index of the column Cover
  size_t n_archs = 0;               // columns that follow it
  std::vector<SummaryLine> rows;
  SummaryLine total;

  bool has_missing() const { return header.size() > cover + 1 + n_archs; }
};

/// As coverage.py prints it.
std::string text_layout(const SummaryLines& lines);
/// The same in markdown.
std::string markdown_layout(const SummaryLines& lines);
/// For a person: in colour, with bars and marks of kernels, and no wider than the terminal.
std::string terminal_layout(const SummaryLines& lines, const TerminalStyle& style);

/// The text with what markdown could take for markup escaped, as coverage.py does it.
std::string escape_markdown(const std::string& text);

}  // namespace qd::report
