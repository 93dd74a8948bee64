// Name           Stmts   Miss Branch BrPart  Cover   Missing
// ----------------------------------------------------------
// pkg/mod.py         7      2      4      1    73%   4-5, 9->exit
// ----------------------------------------------------------
// TOTAL              7      2      4      1    73%
#include "report/formats/summary_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <tuple>

#include "report/formats/human_order.h"

namespace qd::report {

namespace {

constexpr std::array kSortNames = {"name", "stmts", "miss", "branch", "brpart", "cover"};

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

size_t width(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string left(const std::string& text, size_t size) { return text + std::string(size - std::min(size, width(text)), ' '); }
std::string right(const std::string& text, size_t size) { return std::string(size - std::min(size, width(text)), ' ') + text; }

void add_line(std::string& result, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  result += line + "\n";
}

std::string escape_markdown(const std::string& text) {
  std::string result;
  for (char c : text) {
    if (std::strchr("!\"#$%&'()*+:;<=>?@[\\]^_`{|}~", c) && c != '\0') result += '\\';
    result += c;
  }
  return result;
}

std::string plural(int n, const char* thing) { return fmt::format("{} {}{}", n, thing, n == 1 ? "" : "s"); }

}  // namespace

TableFormat table_format(const std::optional<std::string>& name) {
  if (!name || name->empty() || *name == "text") return TableFormat::kText;
  if (*name == "markdown") return TableFormat::kMarkdown;
  if (*name == "total") return TableFormat::kTotal;
  throw ConfigError(fmt::format("Unknown report format choice: '{}'", *name));
}

SummaryTable::SummaryTable(const Config& config, bool branches)
    : config_(config), branches_(branches), format_(table_format(config.format)), header_{"Name", "Stmts", "Miss"} {
  if (branches) header_.insert(header_.end(), {"Branch", "BrPart"});
  cover_ = header_.size();
  header_.push_back("Cover");
  if (config.show_missing) header_.push_back("Missing");
}

void SummaryTable::add(const Analysis& analysis) {
  const Numbers& numbers = analysis.numbers;
  total_ += numbers;
  if (config_.skip_covered && numbers.n_missing == 0 && numbers.n_partial_branches == 0) {
    ++n_skipped_;
  } else if (config_.skip_empty && numbers.n_statements == 0) {
    ++n_empty_;
  } else {
    bool wants_missing = config_.show_missing && format_ != TableFormat::kTotal;
    rows_.push_back({printable(analysis.relative), numbers, wants_missing ? analysis.missing_formatted() : ""});
  }
}

SummaryTable::Cells SummaryTable::cells(const std::string& name, const Numbers& numbers, const std::string& missing) const {
  Cells result = {name, std::to_string(numbers.n_statements), std::to_string(numbers.n_missing)};
  if (branches_) {
    result.push_back(std::to_string(numbers.n_branches));
    result.push_back(std::to_string(numbers.n_partial_branches));
  }
  if (config_.precision < 0) throw ConfigError(fmt::format("precision={} is invalid. Must not be negative.", config_.precision));
  result.push_back(numbers.pc_covered_str(config_.precision));
  if (config_.show_missing) result.push_back(missing);
  return result;
}

std::vector<const SummaryTable::Row*> SummaryTable::sorted_rows() const {
  std::string given = config_.sort && !config_.sort->empty() ? *config_.sort : "name";
  std::string column = lower(given);
  bool reverse = column[0] == '-';
  if (column[0] == '-' || column[0] == '+') column.erase(0, 1);
  bool known = std::find(kSortNames.begin(), kSortNames.end(), column) != kSortNames.end();
  if (!known || (!branches_ && column.starts_with("br"))) throw ConfigError(fmt::format("Invalid sorting option: '{}'", given));

  auto key = [&](const Row& row) -> double {
    if (column == "stmts") return row.numbers.n_statements;
    if (column == "miss") return row.numbers.n_missing;
    if (column == "branch") return row.numbers.n_branches;
    if (column == "brpart") return row.numbers.n_partial_branches;
    return row.numbers.pc_covered();
  };
  auto before = [&](const Row& a, const Row& b) {
    if (column == "name") return human_less(a.name, b.name);
    return std::make_tuple(key(a), std::string_view(a.name)) < std::make_tuple(key(b), std::string_view(b.name));
  };
  std::vector<const Row*> rows;
  for (const Row& row : rows_) rows.push_back(&row);
  // Names that look the same stay in the order of their files, which is that of their addresses.
  std::sort(rows.begin(), rows.end(), [&](const Row* a, const Row* b) {
    const Row &first = reverse ? *b : *a, &second = reverse ? *a : *b;
    return before(first, second) || (!before(second, first) && a < b);
  });
  return rows;
}

std::string SummaryTable::end_lines() const {
  std::string result;
  if (config_.skip_covered && n_skipped_ > 0) result += fmt::format("\n{} skipped due to complete coverage.\n", plural(n_skipped_, "file"));
  if (config_.skip_empty && n_empty_ > 0) result += fmt::format("\n{} skipped.\n", plural(n_empty_, "empty file"));
  return result;
}

std::string SummaryTable::text_table(const std::vector<Cells>& rows, const Cells& total_cells) const {
  size_t name_width = 5, cover_width = std::max<size_t>(total_cells[cover_].size() + 2, 6) + 1;
  for (const Cells& row : rows) {
    name_width = std::max(name_width, width(row[0]));
    cover_width = std::max(cover_width, row[cover_].size() + 2);
  }
  ++name_width;
  auto number_columns = [&](const Cells& row) {
    std::string line = left(row[0], name_width);
    for (size_t i = 1; i < cover_; ++i) line += right(row[i], 7);
    return line;
  };
  auto line_of = [&](const Cells& row) {
    std::string line = number_columns(row) + right(row[cover_], cover_width - 1) + "%";
    if (config_.show_missing) line += fmt::format("   {}", left(row.back(), 9));
    return line;
  };
  std::string head = number_columns(header_) + right("Cover", cover_width);
  if (config_.show_missing) head += right("Missing", 10);
  std::string rule(width(head), '-');

  std::string result;
  add_line(result, head);
  add_line(result, rule);
  for (const Cells& row : rows) add_line(result, line_of(row));
  if (!rows.empty()) add_line(result, rule);
  add_line(result, line_of(total_cells));
  return result;
}

std::string SummaryTable::markdown_table(const std::vector<Cells>& rows, const Cells& total_cells) const {
  constexpr size_t kNumberWidth = 9;
  size_t name_width = std::strlen("**TOTAL**"), cover_width = std::max<size_t>(total_cells[cover_].size() + 6, 7);
  for (const Cells& row : rows) name_width = std::max(name_width, width(escape_markdown(row[0])));
  ++name_width;

  std::string head = fmt::format("| {}|", left("Name", name_width));
  std::string rule = fmt::format("|{}", right("- |", width(head) - 1));
  std::replace(rule.begin() + 1, rule.end() - 3, ' ', '-');
  for (size_t i = 1; i < header_.size(); ++i) {
    size_t size = i == cover_ ? cover_width : i < cover_ ? kNumberWidth : 10;
    head += right(header_[i], size) + " |";
    rule += fmt::format(" {}-: |", std::string(size + 2 - 1 - 4, '-'));
  }
  std::string result;
  add_line(result, head);
  add_line(result, rule);
  for (const Cells& row : rows) {
    std::string line = fmt::format("| {}|", left(escape_markdown(row[0]), name_width));
    for (size_t i = 1; i < cover_; ++i) line += right(row[i], kNumberWidth) + " |";
    line += right(escape_markdown(row[cover_]), cover_width - 1) + "% |";
    if (config_.show_missing) line += right(escape_markdown(row.back()), 10) + " |";
    add_line(result, line);
  }
  std::string line = fmt::format("|{} |", left(" **TOTAL**", name_width));
  for (size_t i = 1; i < cover_; ++i) line += right(fmt::format(" **{}**", total_cells[i]), kNumberWidth) + " |";
  line += right(fmt::format(" **{}%**", total_cells[cover_]), cover_width) + " |";
  if (config_.show_missing) line += std::string(10, ' ') + " |";
  add_line(result, line);
  return result;
}

std::string SummaryTable::text() const {
  if (total_.n_files == 0 && n_skipped_ == 0) throw NoDataError("No data to report.");
  if (format_ == TableFormat::kTotal) return cells("", total_, "")[cover_] + "\n";
  std::vector<Cells> rows;
  if (config_.precision < 0) cells("", total_, "");  // a bad precision comes before a bad sort
  for (const Row* row : sorted_rows()) rows.push_back(cells(row->name, row->numbers, row->missing));
  Cells total_cells = cells("TOTAL", total_, "");
  std::string table = format_ == TableFormat::kMarkdown ? markdown_table(rows, total_cells) : text_table(rows, total_cells);
  return table + end_lines();
}

}  // namespace qd::report
