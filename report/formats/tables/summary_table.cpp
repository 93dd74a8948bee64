// The table of all files:
//
//   Name           Stmts   Miss Branch BrPart  Cover   Missing
//   ----------------------------------------------------------
//   pkg/mod.py         7      2      4      1    73%   4-5, 9->exit
//   ----------------------------------------------------------
//   TOTAL              7      2      4      1    73%
//
// With --by-arch, the columns host, cpu, ... follow Cover. With conditions, these columns follow BrPart: Cond
// (outcomes, two for each condition), CondMiss, MCDC (conditions in decisions with MC/DC) and MCDCMiss.
#include "report/formats/tables/summary_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <tuple>

#include "report/analysis/kernels/kernel_gaps.h"
#include "report/analysis/numbers.h"
#include "report/formats/common/human_order.h"
#include "report/formats/common/text.h"

namespace qd::report {

namespace {

constexpr std::array kSortNames = {"name", "stmts",    "miss", "branch",   "brpart",
                                   "cond", "condmiss", "mcdc", "mcdcmiss", "cover"};

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

size_t width(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string left(const std::string& text, size_t size) {
  return text + std::string(size - std::min(size, width(text)), ' ');
}
std::string right(const std::string& text, size_t size) {
  return std::string(size - std::min(size, width(text)), ' ') + text;
}

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

/// As Numbers::pc_covered_str().
std::string percentage(int32_t covered, int32_t of, int precision) {
  return display_covered(of == 0 ? 100 : 100.0 * covered / of, precision);
}

}  // namespace

TableFormat table_format(const std::optional<std::string>& name) {
  if (!name || name->empty() || *name == "text") return TableFormat::kText;
  if (*name == "markdown") return TableFormat::kMarkdown;
  if (*name == "total") return TableFormat::kTotal;
  if (*name == "total-conditions") return TableFormat::kTotalConditions;
  if (*name == "total-mcdc") return TableFormat::kTotalMcdc;
  throw ConfigError(fmt::format("Unknown report format choice: '{}'", *name));
}

SummaryTable::SummaryTable(const Config& config, bool branches, const std::vector<std::string>& archs)
    : config_(config),
      branches_(branches),
      format_(table_format(config.format)),
      header_{"Name", "Stmts", "Miss"},
      total_archs_(archs.size()) {
  if (branches) header_.insert(header_.end(), {"Branch", "BrPart"});
  if (config.conditions) header_.insert(header_.end(), {"Cond", "CondMiss", "MCDC", "MCDCMiss"});
  cover_ = header_.size();
  header_.push_back("Cover");
  for (const std::string& arch : archs) archs_.push_back(visible(arch));
  header_.insert(header_.end(), archs_.begin(), archs_.end());
  if (config.show_missing) header_.push_back("Missing");
}

void SummaryTable::add(const Analysis& analysis, const std::vector<ArchCoverage>& archs) {
  const Numbers& numbers = analysis.numbers;
  ConditionNumbers conditions = analysis.conditions.numbers();
  total_ += numbers;
  total_conditions_ += conditions;
  std::vector<Numbers> of_archs;
  for (const ArchCoverage& arch : archs) of_archs.push_back(arch.part().numbers);
  for (size_t i = 0; i < of_archs.size(); ++i) total_archs_[i] += of_archs[i];
  bool conditions_covered =
      !config_.conditions || (conditions.n_missing_outcomes == 0 && conditions.n_missing_mcdc == 0);
  const std::vector<ArchGap> gaps = arch_gaps(archs);
  if (config_.skip_covered && numbers.n_missing == 0 && numbers.n_partial_branches == 0 && conditions_covered &&
      gaps.empty()) {
    ++n_skipped_;
  } else if (config_.skip_empty && numbers.n_statements == 0) {
    ++n_empty_;
  } else {
    bool wants_missing = config_.show_missing && (format_ == TableFormat::kText || format_ == TableFormat::kMarkdown);
    std::string missing;
    if (wants_missing) missing = analysis.missing_formatted(true, config_.conditions);
    if (wants_missing)
      for (const ArchGap& gap : gaps)
        missing += fmt::format("{}{}: {}", missing.empty() ? "" : "; ", gap.words(),
                               format_lines(analysis.source.statements, gap.lines, {}));
    rows_.push_back({printable(analysis.relative), numbers, conditions, std::move(of_archs), visible(missing)});
  }
}

SummaryTable::Cells SummaryTable::cells(const Row& row) const {
  const Numbers& numbers = row.numbers;
  Cells result = {row.name};
  auto add = [&](int32_t number) { result.push_back(std::to_string(number)); };
  add(numbers.n_statements);
  add(numbers.n_missing);
  if (branches_) {
    add(numbers.n_branches);
    add(numbers.n_partial_branches);
  }
  if (config_.conditions) {
    add(row.conditions.n_outcomes);
    add(row.conditions.n_missing_outcomes);
    add(row.conditions.n_mcdc);
    add(row.conditions.n_missing_mcdc);
  }
  if (config_.precision < 0)
    throw ConfigError(fmt::format("precision={} is invalid. Must not be negative.", config_.precision));
  result.push_back(numbers.pc_covered_str(config_.precision));
  for (const Numbers& arch : row.archs)
    result.push_back(arch.n_statements == 0 ? "-" : arch.pc_covered_str(config_.precision) + "%");
  if (config_.show_missing) result.push_back(row.missing);
  return result;
}

std::vector<const SummaryTable::Row*> SummaryTable::sorted_rows() const {
  std::string given = config_.sort && !config_.sort->empty() ? *config_.sort : "name";
  std::string column = lower(given);
  bool reverse = column[0] == '-';
  if (column[0] == '-' || column[0] == '+') column.erase(0, 1);
  const auto arch = std::find(archs_.begin(), archs_.end(), column);
  bool known = std::find(kSortNames.begin(), kSortNames.end(), column) != kSortNames.end() || arch != archs_.end();
  bool absent = (!branches_ && column.starts_with("br")) ||
                (!config_.conditions && (column.starts_with("cond") || column.starts_with("mcdc")));
  if (!known || absent) throw ConfigError(fmt::format("Invalid sorting option: '{}'", given));

  auto key = [&](const Row& row) -> double {
    if (arch != archs_.end()) return row.archs[static_cast<size_t>(arch - archs_.begin())].pc_covered();
    if (column == "stmts") return row.numbers.n_statements;
    if (column == "miss") return row.numbers.n_missing;
    if (column == "branch") return row.numbers.n_branches;
    if (column == "brpart") return row.numbers.n_partial_branches;
    if (column == "cond") return row.conditions.n_outcomes;
    if (column == "condmiss") return row.conditions.n_missing_outcomes;
    if (column == "mcdc") return row.conditions.n_mcdc;
    if (column == "mcdcmiss") return row.conditions.n_missing_mcdc;
    return row.numbers.pc_covered();
  };
  auto all_of = [&](const Row& row) {
    const Numbers& n = row.numbers;
    return std::make_tuple(n.n_statements, n.n_missing, n.n_branches, n.n_partial_branches,
                           n.pc_covered_str(config_.precision), std::string_view(row.missing), n.pc_covered());
  };
  auto before = [&](const Row& a, const Row& b) {
    if (column == "name" && a.name != b.name) return human_less(a.name, b.name);
    if (column == "name") return all_of(a) < all_of(b);
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
  if (config_.skip_covered && n_skipped_ > 0)
    result += fmt::format("\n{} skipped due to complete coverage.\n", plural(n_skipped_, "file"));
  if (config_.skip_empty && n_empty_ > 0) result += fmt::format("\n{} skipped.\n", plural(n_empty_, "empty file"));
  if (!config_.conditions) return result;
  const ConditionNumbers& n = total_conditions_;
  result += fmt::format("\nConditions: {}%, {} of {} outcomes seen in {}.\n",
                        percentage(n.n_seen_outcomes(), n.n_outcomes, config_.precision), n.n_seen_outcomes(),
                        n.n_outcomes, plural(n.n_decisions, "decision"));
  result += fmt::format("MC/DC: {}%, {} of {} shown to decide alone.",
                        percentage(n.n_shown_mcdc(), n.n_mcdc, config_.precision), n.n_shown_mcdc(),
                        plural(n.n_mcdc, "condition"));
  if (n.n_without_mcdc > 0)
    result += fmt::format(" {} of more than {} conditions {} left out.", plural(n.n_without_mcdc, "decision"),
                          kMaxMcdcConditions, n.n_without_mcdc == 1 ? "is" : "are");
  return result + "\n";
}

size_t SummaryTable::column_width(size_t column, size_t least) const {
  return std::max(least, header_[column].size() + 1);
}

std::string SummaryTable::total_line() const {
  const ConditionNumbers& n = total_conditions_;
  if (format_ == TableFormat::kTotalConditions)
    return percentage(n.n_seen_outcomes(), n.n_outcomes, config_.precision) + "\n";
  if (format_ == TableFormat::kTotalMcdc) return percentage(n.n_shown_mcdc(), n.n_mcdc, config_.precision) + "\n";
  return total_cells()[cover_] + "\n";
}

std::string SummaryTable::text_table(const std::vector<Cells>& rows, const Cells& total_cells) const {
  size_t name_width = 5, cover_width = std::max<size_t>(total_cells[cover_].size() + 2, 6) + 1;
  for (const Cells& row : rows) {
    name_width = std::max(name_width, width(row[0]));
    cover_width = std::max(cover_width, row[cover_].size() + 2);
  }
  ++name_width;
  auto arch_width = [](const std::string& arch) { return std::max<size_t>(width(arch) + 1, 7); };
  auto number_columns = [&](const Cells& row) {
    std::string line = left(row[0], name_width);
    for (size_t i = 1; i < cover_; ++i) line += right(row[i], column_width(i, 7));
    return line;
  };
  auto line_of = [&](const Cells& row) {
    std::string line = number_columns(row) + right(row[cover_], cover_width - 1) + "%";
    for (size_t i = 0; i < archs_.size(); ++i) line += right(row[cover_ + 1 + i], arch_width(archs_[i]));
    if (config_.show_missing) line += fmt::format("   {}", left(row.back(), 9));
    return line;
  };
  std::string head = number_columns(header_) + right("Cover", cover_width);
  for (const std::string& arch : archs_) head += right(arch, arch_width(arch));
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
    size_t size = i == cover_ ? cover_width : i <= cover_ + archs_.size() ? kNumberWidth : 10;
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
    for (size_t i = 0; i < archs_.size(); ++i) line += right(row[cover_ + 1 + i], kNumberWidth) + " |";
    if (config_.show_missing) line += right(escape_markdown(row.back()), 10) + " |";
    add_line(result, line);
  }
  std::string line = fmt::format("|{} |", left(" **TOTAL**", name_width));
  for (size_t i = 1; i < cover_; ++i) line += right(fmt::format(" **{}**", total_cells[i]), kNumberWidth) + " |";
  line += right(fmt::format(" **{}%**", total_cells[cover_]), cover_width) + " |";
  for (size_t i = 0; i < archs_.size(); ++i)
    line += right(fmt::format(" **{}**", total_cells[cover_ + 1 + i]), kNumberWidth) + " |";
  if (config_.show_missing) line += std::string(10, ' ') + " |";
  add_line(result, line);
  return result;
}

std::string SummaryTable::text() const {
  if (total_.n_files == 0 && n_skipped_ == 0) throw NoDataError("No data to report.");
  if (format_ != TableFormat::kText && format_ != TableFormat::kMarkdown) return total_line();
  std::vector<Cells> rows;
  if (config_.precision < 0) total_cells();  // a bad precision comes before a bad sort
  for (const Row* row : sorted_rows()) rows.push_back(cells(*row));
  std::string table =
      format_ == TableFormat::kMarkdown ? markdown_table(rows, total_cells()) : text_table(rows, total_cells());
  return table + end_lines();
}

}  // namespace qd::report
