// Summary table for programs: text and markdown, byte for byte as in coverage.py.
#include "report/formats/tables/summary_layouts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <ranges>

#include "report/formats/common/text.h"

namespace qd::report {

namespace {

using Cells = std::vector<std::string>;

auto cells_of(const std::vector<SummaryLine>& rows) { return rows | std::views::transform(&SummaryLine::cells); }

std::string left(const std::string& text, size_t size) {
  return text + std::string(size - std::min(size, n_characters(text)), ' ');
}
std::string right(const std::string& text, size_t size) {
  return std::string(size - std::min(size, n_characters(text)), ' ') + text;
}

void add_line(std::string& result, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  result += line + "\n";
}

}  // namespace

std::string escape_markdown(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (std::strchr("!\"#$%&'()*+:;<=>?@[\\]^_`{|}~", c) && c != '\0') result += '\\';
    result += c;
  }
  return result;
}

std::string text_layout(const SummaryLines& lines) {
  const Cells &header = lines.header, &total_cells = lines.total.cells;
  const size_t cover = lines.cover, n_archs = lines.n_archs;
  size_t name_width = 5, cover_width = std::max<size_t>(total_cells[cover].size() + 2, 6) + 1;
  for (const Cells& row : cells_of(lines.rows)) {
    name_width = std::max(name_width, n_characters(row[0]));
    cover_width = std::max(cover_width, row[cover].size() + 2);
  }
  ++name_width;
  auto arch_width = [](const std::string& arch) { return std::max<size_t>(n_characters(arch) + 1, 7); };
  auto number_columns = [&](const Cells& row) {
    std::string line = left(row[0], name_width);
    for (size_t i = 1; i < cover; ++i) line += right(row[i], std::max<size_t>(7, header[i].size() + 1));
    return line;
  };
  auto line_of = [&](const Cells& row) {
    std::string line = number_columns(row) + right(row[cover], cover_width - 1) + "%";
    for (size_t i = 0; i < n_archs; ++i) line += right(row[cover + 1 + i], arch_width(header[cover + 1 + i]));
    if (lines.has_missing()) line += fmt::format("   {}", left(row.back(), 9));
    return line;
  };
  std::string head = number_columns(header) + right("Cover", cover_width);
  for (size_t i = 0; i < n_archs; ++i) head += right(header[cover + 1 + i], arch_width(header[cover + 1 + i]));
  if (lines.has_missing()) head += right("Missing", 10);
  std::string rule(n_characters(head), '-');

  std::string result;
  add_line(result, head);
  add_line(result, rule);
  for (const Cells& row : cells_of(lines.rows)) add_line(result, line_of(row));
  if (!lines.rows.empty()) add_line(result, rule);
  add_line(result, line_of(total_cells));
  return result;
}

std::string markdown_layout(const SummaryLines& lines) {
  const Cells &header = lines.header, &total_cells = lines.total.cells;
  const size_t cover = lines.cover, n_archs = lines.n_archs;
  constexpr size_t kNumberWidth = 9;
  size_t name_width = std::strlen("**TOTAL**"), cover_width = std::max<size_t>(total_cells[cover].size() + 6, 7);
  for (const Cells& row : cells_of(lines.rows))
    name_width = std::max(name_width, n_characters(escape_markdown(row[0])));
  ++name_width;

  std::string head = fmt::format("| {}|", left("Name", name_width));
  std::string rule = fmt::format("|{}", right("- |", n_characters(head) - 1));
  std::replace(rule.begin() + 1, rule.end() - 3, ' ', '-');
  for (size_t i = 1; i < header.size(); ++i) {
    size_t size = i == cover ? cover_width : i <= cover + n_archs ? kNumberWidth : 10;
    head += right(header[i], size) + " |";
    rule += fmt::format(" {}-: |", std::string(size + 2 - 1 - 4, '-'));
  }
  std::string result;
  add_line(result, head);
  add_line(result, rule);
  for (const Cells& row : cells_of(lines.rows)) {
    std::string line = fmt::format("| {}|", left(escape_markdown(row[0]), name_width));
    for (size_t i = 1; i < cover; ++i) line += right(row[i], kNumberWidth) + " |";
    line += right(escape_markdown(row[cover]), cover_width - 1) + "% |";
    for (size_t i = 0; i < n_archs; ++i) line += right(row[cover + 1 + i], kNumberWidth) + " |";
    if (lines.has_missing()) line += right(escape_markdown(row.back()), 10) + " |";
    add_line(result, line);
  }
  std::string line = fmt::format("|{} |", left(" **TOTAL**", name_width));
  for (size_t i = 1; i < cover; ++i) line += right(fmt::format(" **{}**", total_cells[i]), kNumberWidth) + " |";
  line += right(fmt::format(" **{}%**", total_cells[cover]), cover_width) + " |";
  for (size_t i = 0; i < n_archs; ++i)
    line += right(fmt::format(" **{}**", total_cells[cover + 1 + i]), kNumberWidth) + " |";
  if (lines.has_missing()) line += std::string(10, ' ') + " |";
  add_line(result, line);
  return result;
}

}  // namespace qd::report
