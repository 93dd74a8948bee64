// Summary table for people at a terminal:
//
//   Name                 Stmts  Miss  Branch  BrPart   Cover            Missing
//   ────────────────────────────────────────────────────────────────────────────
//   pkg/host.py             12     0       4       0    100%  ████████
//   pkg/solvers/…/s.py K     7     2       4       1     73%  █████▊░░  4; K 9-10,
//                                                                       9->exit
//   ────────────────────────────────────────────────────────────────────────────
//   TOTAL                   19     2       8       1     88%  ███████░
//
// On a narrow terminal the bars are dropped first, then names are cut in the middle, missing lines move below their
// file, and columns move together.
#include <algorithm>

#include "report/formats/common/terminal.h"
#include "report/formats/common/text.h"
#include "report/formats/tables/summary_layouts.h"

namespace qd::report {

namespace {

constexpr size_t kGap = 2, kBar = kGap + kBarWidth;  // columns
constexpr size_t kLeastName = 16, kLeastMissing = 18;

std::string spaces(size_t n) { return std::string(n, ' '); }

int64_t total_of(const Numbers& n) { return int64_t{n.n_statements} + n.n_branches; }
int64_t covered_of(const Numbers& n) { return int64_t{n.n_executed()} + n.n_executed_branches(); }

class Layout {
 public:
  Layout(const SummaryLines& lines, const TerminalStyle& style)
      : lines_(lines), style_(style), painter_{style.color}, n_numbers_(lines.cover + lines.n_archs + 1) {
    measure();
  }

  std::string text() const {
    std::string result = head() + rule();
    for (const SummaryLine& row : lines_.rows) result += row_of(row, "0");
    if (!lines_.rows.empty()) result += rule();
    return result + row_of(lines_.total, "1");
  }

 private:
  template <typename Use>
  void each_row(Use use) const {
    for (const SummaryLine& row : lines_.rows) use(row);
    use(lines_.total);
  }

  /// Computes the width of each column.
  void measure() {
    const auto screen = static_cast<size_t>(std::max(style_.width, 1));
    size_t missing = 0;
    name_ = display_width(lines_.header[0]);
    for (size_t i = 0; i < n_numbers_; ++i) widths_.push_back(display_width(lines_.header[i]));
    each_row([&](const SummaryLine& row) {
      name_ = std::max(name_, display_width(row.cells[0]));
      kernels_ = kernels_ || row.kernels;
      for (size_t i = 1; i < n_numbers_; ++i) widths_[i] = std::max(widths_[i], display_width(shown(row, i)));
      if (lines_.has_missing()) missing = std::max(missing, display_width(row.cells.back()));
    });
    if (missing > 0) missing = std::max(missing, display_width(lines_.header.back()));
    auto width_of_numbers = [&] {
      size_t width = kernels_ ? kGap : 0;
      for (size_t i = 1; i < n_numbers_; ++i) width += gap_ + widths_[i];
      return width;
    };
    if (std::min(name_, kLeastName) + width_of_numbers() > screen) gap_ = 1;
    size_t numbers = width_of_numbers();
    const size_t wanted = missing == 0 ? 0 : kGap + std::min(missing, kLeastMissing);
    bars_ = style_.unicode && name_ + numbers + kBar + wanted <= screen;
    if (bars_) numbers += kBar;
    below_ = missing > 0 && std::min(name_, kLeastName) + numbers + wanted > screen;
    const size_t others = numbers + (below_ ? 0 : wanted);
    if (name_ + others > screen) name_ = std::max(kLeastName, others < screen ? screen - others : 0);
    missing_at_ = below_ ? 2 * kGap : name_ + numbers + kGap;
    missing_ = missing > 0;
    all_ = name_ + numbers;
    if (missing_ && !below_) all_ = std::max(all_, std::min(screen, missing_at_ + missing));
  }

  /// Text of a number's cell; percentages have their sign.
  std::string shown(const SummaryLine& row, size_t i) const {
    return i == lines_.cover ? row.cells[i] + "%" : row.cells[i];
  }

  std::string rule() const {
    std::string result;
    for (size_t i = 0; i < all_; ++i) result += style_.unicode ? "─" : "-";
    return painter_.paint("2", result) + "\n";
  }

  std::string head() const {
    std::string result = lines_.header[0] + spaces(name_ - display_width(lines_.header[0]) + (kernels_ ? kGap : 0));
    for (size_t i = 1; i < n_numbers_; ++i) {
      result += spaces(gap_ + widths_[i] - display_width(lines_.header[i])) + lines_.header[i];
      if (i == lines_.cover && bars_) result += spaces(kBar);
    }
    if (missing_ && !below_) result += spaces(kGap) + lines_.header.back();
    while (result.ends_with(' ')) result.pop_back();
    return painter_.paint("1", result) + "\n";
  }

  std::string row_of(const SummaryLine& row, const char* name_color) const {
    const std::string name = shortened_path(row.cells[0], name_, style_.unicode);
    std::string result = *name_color == '0' ? name : painter_.paint(name_color, name);
    result += spaces(name_ - std::min(name_, display_width(name)));
    if (kernels_) result += " " + (row.kernels ? painter_.paint("35", "K") : " ");
    for (size_t i = 1; i < n_numbers_; ++i) {
      const std::string text = shown(row, i);
      result += spaces(gap_ + widths_[i] - display_width(text));
      if (i < lines_.cover) {
        result += text == "0" || text == "-" ? painter_.paint("2", text) : text;
        continue;
      }
      const Numbers& n = i == lines_.cover ? row.numbers : row.archs[i - lines_.cover - 1];
      const char* color = total_of(n) == 0 ? "2" : painter_.quality(covered_of(n), total_of(n));
      result += painter_.paint(color, text);
      if (i == lines_.cover && bars_)
        result += spaces(kGap) +
                  (total_of(n) == 0 ? spaces(kBarWidth) : painter_.paint(color, bar(covered_of(n), total_of(n))));
    }
    while (result.ends_with(' ')) result.pop_back();
    if (missing_ && !row.cells.back().empty()) result += missing_of(row.cells.back(), result);
    return result + "\n";
  }

  std::string missing_of(const std::string& missing, const std::string& before) const {
    std::string list = wrapped(missing, missing_at_, static_cast<size_t>(style_.width));
    for (size_t at = 0; (at = list.find("K ", at)) != std::string::npos;) {
      const std::string mark = at == 0 || list[at - 1] == ' ' ? painter_.paint("35", "K") : "K";
      list.replace(at, 1, mark);
      at += mark.size();
    }
    if (below_) return "\n" + spaces(missing_at_) + list;
    return spaces(missing_at_ - std::min(missing_at_, painted_width(before))) + list;
  }

  const SummaryLines& lines_;
  const TerminalStyle& style_;
  Painter painter_;
  size_t n_numbers_;            // number of columns before Missing, with the name
  std::vector<size_t> widths_;  // of these
  size_t name_ = 0, all_ = 0, missing_at_ = 0;
  size_t gap_ = kGap;  // before a number
  bool kernels_ = false, bars_ = false, missing_ = false, below_ = false;
};

}  // namespace

std::string terminal_layout(const SummaryLines& lines, const TerminalStyle& style) {
  return Layout(lines, style).text();
}

}  // namespace qd::report
