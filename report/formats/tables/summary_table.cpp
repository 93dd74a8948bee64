// Summary table of all files:
//
//   Name           Stmts   Miss Branch BrPart  Cover   Missing
//   ----------------------------------------------------------
//   pkg/mod.py         7      2      4      1    73%   4-5, 9->exit
//   ----------------------------------------------------------
//   TOTAL              7      2      4      1    73%
//
// With --by-arch, the columns host, cpu, ... follow Cover. With conditions, these columns follow BrPart: Cond
// (outcomes, two for each condition), CondMiss, MCDC (conditions in decisions with MC/DC) and MCDCMiss; and with
// show_missing, the missing outcomes of single conditions are listed below the table. With gradients, these columns
// follow: Grad (lines that ran, and that a derivative passes through) and GradMiss; and with show_missing, Missing has
// the lines that were never differentiated. On a terminal each of these pairs is one column, such as Cond 6/16: the
// outcomes that were seen, of all.
#include "report/formats/tables/summary_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <tuple>

#include "report/analysis/kernels/kernel_gaps.h"
#include "report/analysis/numbers.h"
#include "report/data/ascii.h"
#include "report/formats/common/human_order.h"
#include "report/formats/common/terminal.h"
#include "report/formats/common/text.h"

namespace qd::report {

namespace {

/// Missing lines as Analysis::missing_formatted(), with "K" before those in kernels and funcs.
std::string missing_with_kernels(const Analysis& analysis) {
  if (analysis.kernels.functions.empty()) return analysis.missing_formatted();
  const std::vector<int32_t>& missing = analysis.missing;
  std::array<std::vector<int32_t>, 2> lines;
  std::array<std::vector<Arc>, 2> branches;
  auto where = [&](int32_t line) { return analysis.kernels.at(line) ? 1 : 0; };
  for (int32_t line : missing) lines[where(line)].push_back(line);
  for (const auto& [line, destinations] : analysis.missing_branches)
    for (int32_t to : destinations)
      if (!std::ranges::binary_search(missing, line) && !std::ranges::binary_search(missing, to))
        branches[where(line)].push_back({line, to});
  const std::vector<int32_t>& statements = analysis.source.statements;
  const std::string host = format_lines(statements, lines[0], branches[0]);
  const std::string kernels = format_lines(statements, lines[1], branches[1]);
  if (kernels.empty()) return host;
  return fmt::format("{}{}K {}", host, host.empty() ? "" : "; ", kernels);
}

/// Percentage as Numbers::pc_covered_str().
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

SummaryTable::SummaryTable(const Config& config, bool branches, const std::vector<std::string>& archs,
                           const TerminalStyle& terminal)
    : config_(config),
      branches_(branches),
      format_(table_format(config.format)),
      terminal_(terminal),
      header_{"Name", "Stmts", "Miss"},
      total_archs_(archs.size()) {
  if (branches) header_.insert(header_.end(), {"Branch", "BrPart"});
  auto add_pair = [&](const std::string& name) {
    header_.push_back(name);
    if (!is_for_terminal()) header_.push_back(name + "Miss");
  };
  if (config.conditions) add_pair("Cond");
  if (config.conditions) add_pair("MCDC");
  if (config.gradients) add_pair("Grad");
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
  const GradientNumbers gradients = analysis.gradients.numbers();
  total_gradients_ += gradients;
  std::vector<Numbers> of_archs;
  for (const ArchCoverage& arch : archs) of_archs.push_back(arch.part().numbers);
  for (size_t i = 0; i < of_archs.size(); ++i) total_archs_[i] += of_archs[i];
  bool conditions_covered =
      !config_.conditions || (conditions.n_missing_outcomes == 0 && conditions.n_missing_mcdc == 0);
  if (config_.skip_covered && numbers.n_missing == 0 && numbers.n_partial_branches == 0 && conditions_covered &&
      (!config_.gradients || gradients.n_missing == 0) && arch_gaps(archs).empty()) {
    ++n_skipped_;
  } else if (config_.skip_empty && numbers.n_statements == 0) {
    ++n_empty_;
  } else {
    note_kernels(analysis);
    rows_.push_back({printable(analysis.relative), numbers, conditions, gradients, std::move(of_archs),
                     missing_of(analysis, archs), !analysis.kernels.functions.empty()});
    if (!config_.conditions || !config_.show_missing) return;
    for (const auto& [line, text] : missing_conditions(analysis.conditions.decisions, analysis.missing))
      missing_conditions_.push_back(fmt::format("{}:{}: {}", rows_.back().name, line, visible(text)));
  }
}

std::string SummaryTable::missing_of(const Analysis& analysis, const std::vector<ArchCoverage>& archs) const {
  if (!config_.show_missing || (format_ != TableFormat::kText && format_ != TableFormat::kMarkdown)) return "";
  std::string missing = is_for_terminal() ? missing_with_kernels(analysis) : analysis.missing_formatted();
  for (const ArchGap& gap : arch_gaps(archs))
    missing += fmt::format("{}{}: {}", missing.empty() ? "" : "; ", gap.words(),
                           format_lines(analysis.source.statements, gap.lines, {}));
  if (config_.gradients && !analysis.gradients.missing.empty())
    missing += fmt::format("{}never differentiated: {}", missing.empty() ? "" : "; ",
                           format_lines(analysis.source.statements, analysis.gradients.missing, {}));
  return visible(missing);
}

void SummaryTable::note_kernels(const Analysis& analysis) {
  for (const KernelProbes& function : analysis.kernels.functions) {
    if (!function.source.is_kernel) continue;
    ++n_kernels_;
    if (function.ran || function.compiled()) continue;
    (!function.archs.empty() ? uncompilable_
     : function.is_called()  ? never_called_
                             : never_launched_)
        .push_back(fmt::format("{} ({}:{})", visible(function.source.name), printable(analysis.relative),
                               function.source.def_line));
  }
}

SummaryLine SummaryTable::line_of(const Row& row) const {
  const Numbers& numbers = row.numbers;
  std::vector<std::string> cells = {row.name};
  auto add = [&](int32_t number) { cells.push_back(std::to_string(number)); };
  add(numbers.n_statements);
  add(numbers.n_missing);
  if (branches_) {
    add(numbers.n_branches);
    add(numbers.n_partial_branches);
  }
  auto add_pair = [&](int32_t all, int32_t missing) {
    if (is_for_terminal()) {
      cells.push_back(all == 0 ? "-" : fmt::format("{}/{}", all - missing, all));
      return;
    }
    add(all);
    add(missing);
  };
  if (config_.conditions) {
    add_pair(row.conditions.n_outcomes, row.conditions.n_missing_outcomes);
    add_pair(row.conditions.n_mcdc, row.conditions.n_missing_mcdc);
  }
  if (config_.gradients) add_pair(row.gradients.n_lines, row.gradients.n_missing);
  if (config_.precision < 0)
    throw ConfigError(fmt::format("precision={} is invalid. Must not be negative.", config_.precision));
  cells.push_back(numbers.pc_covered_str(config_.precision));
  for (const Numbers& arch : row.archs)
    cells.push_back(arch.n_statements == 0 ? "-" : arch.pc_covered_str(config_.precision) + "%");
  if (config_.show_missing) cells.push_back(row.missing);
  return {std::move(cells), numbers, row.archs, row.kernels};
}

std::vector<const SummaryTable::Row*> SummaryTable::sorted_rows() const {
  std::string given = config_.sort && !config_.sort->empty() ? *config_.sort : "name";
  std::string column = lower_case(given);
  bool reverse = column[0] == '-';
  if (column[0] == '-' || column[0] == '+') column.erase(0, 1);
  struct SortColumn {
    std::string_view name;
    bool shown;
    double (*key)(const Row&);
  };
  const SortColumn columns[] = {
      {"name", true, nullptr},
      {"stmts", true, [](const Row& row) -> double { return row.numbers.n_statements; }},
      {"miss", true, [](const Row& row) -> double { return row.numbers.n_missing; }},
      {"branch", branches_, [](const Row& row) -> double { return row.numbers.n_branches; }},
      {"brpart", branches_, [](const Row& row) -> double { return row.numbers.n_partial_branches; }},
      {"cond", config_.conditions, [](const Row& row) -> double { return row.conditions.n_outcomes; }},
      {"condmiss", config_.conditions, [](const Row& row) -> double { return row.conditions.n_missing_outcomes; }},
      {"mcdc", config_.conditions, [](const Row& row) -> double { return row.conditions.n_mcdc; }},
      {"mcdcmiss", config_.conditions, [](const Row& row) -> double { return row.conditions.n_missing_mcdc; }},
      {"grad", config_.gradients, [](const Row& row) -> double { return row.gradients.n_lines; }},
      {"gradmiss", config_.gradients, [](const Row& row) -> double { return row.gradients.n_missing; }},
      {"cover", true, [](const Row& row) { return row.numbers.pc_covered(); }},
  };
  const auto chosen = std::ranges::find(columns, column, &SortColumn::name);
  const auto arch = std::ranges::find(archs_, column);
  if (chosen == std::end(columns) ? arch == archs_.end() : !chosen->shown)
    throw ConfigError(fmt::format("Invalid sorting option: '{}'", given));

  auto key = [&](const Row& row) {
    return arch == archs_.end() ? chosen->key(row) : row.archs[static_cast<size_t>(arch - archs_.begin())].pc_covered();
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
  // Names that look the same stay in the order of their files: rows are compared by address.
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
  if (config_.gradients) {
    const GradientNumbers& n = total_gradients_;
    result += fmt::format(
        "\nGradients: {}%, {} of {} differentiated, of those that ran and that a derivative passes through.\n",
        percentage(n.n_differentiated(), n.n_lines, config_.precision), n.n_differentiated(),
        plural(n.n_lines, "line"));
  }
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
  result += "\n";
  const bool markdown = format_ == TableFormat::kMarkdown;
  if (markdown && !missing_conditions_.empty()) result += "\n";
  constexpr size_t kIndent = 4;  // of what follows on the next line
  const size_t room = std::max<size_t>(static_cast<size_t>(std::max(terminal_.width, 0)), 3 * kIndent) - kIndent;
  for (const std::string& condition : missing_conditions_) {
    if (markdown) {
      result += fmt::format("- {}\n", escape_markdown(condition));
    } else if (is_for_terminal()) {
      result += fmt::format("  {}\n", fmt::join(folded(condition, room), "\n" + std::string(kIndent, ' ')));
    } else {
      result += fmt::format("  {}\n", condition);
    }
  }
  return result;
}

std::string SummaryTable::total_line() const {
  const ConditionNumbers& n = total_conditions_;
  if (format_ == TableFormat::kTotalConditions)
    return percentage(n.n_seen_outcomes(), n.n_outcomes, config_.precision) + "\n";
  if (format_ == TableFormat::kTotalMcdc) return percentage(n.n_shown_mcdc(), n.n_mcdc, config_.precision) + "\n";
  return line_of(total_row()).cells[cover_] + "\n";
}

std::string SummaryTable::kernel_lines() const {
  if (n_kernels_ == 0) return "";
  const Painter painter{terminal_.color};
  const auto n_idle = static_cast<int64_t>(never_launched_.size() + never_called_.size() + uncompilable_.size());
  std::string result = fmt::format("\n{} in kernels and funcs. {} of {} ran.\n", painter.paint("35", "K"),
                                   n_kernels_ - n_idle, plural(n_kernels_, "kernel"));
  auto list = [&](const std::string& head, const std::vector<std::string>& kernels) {
    constexpr size_t kMostNamed = 8;
    if (kernels.empty()) return;
    std::string names;
    for (size_t i = 0; i < std::min(kMostNamed, kernels.size()); ++i) names += (i > 0 ? ", " : "") + kernels[i];
    if (kernels.size() > kMostNamed) names += fmt::format(", and {} more", kernels.size() - kMostNamed);
    result += head + wrapped(names, head.size(), static_cast<size_t>(terminal_.width)) + "\n";
  };
  list("Never launched: ", never_launched_);
  list("Never called: ", never_called_);
  list("Does not compile: ", uncompilable_);
  return result;
}

std::string SummaryTable::text() const {
  if (total_.n_files == 0 && n_skipped_ == 0) throw NoDataError("No data to report.");
  if (format_ != TableFormat::kText && format_ != TableFormat::kMarkdown) return total_line();
  SummaryLines lines{header_, cover_, archs_.size(), {}, {}};
  if (config_.precision < 0) line_of(total_row());  // an error of the precision comes before one of the sort column
  for (const Row* row : sorted_rows()) lines.rows.push_back(line_of(*row));
  lines.total = line_of(total_row());
  if (format_ == TableFormat::kMarkdown) return markdown_layout(lines) + end_lines();
  if (is_for_terminal()) return terminal_layout(lines, terminal_) + kernel_lines() + end_lines();
  return text_layout(lines) + end_lines();
}

}  // namespace qd::report
