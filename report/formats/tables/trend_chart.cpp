// Trend: its scale and words, and the chart for a terminal:
//
//    92% ┤          ╭───────╮  ╭───●
//    91% ┤    ╭─────╯       ╰──╯
//    90% ┤────╯
//        └──────────────────────────
//         2026-10-01      2026-11-22
#include "report/formats/tables/trend_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "report/diff/diff_coverage.h"
#include "report/formats/common/terminal.h"
#include "report/formats/common/text.h"

namespace qd::report {
namespace {

constexpr std::array kSteps = {0.5, 1.0, 2.0, 5.0, 10.0, 20.0};
constexpr int kMostRows = 10;      // of the chart
constexpr int kMostColumns = 100;  // of the chart; a wider one shows no more

/// Grid of characters, from the top left.
class Canvas {
 public:
  Canvas(int rows, int columns)
      : rows_(static_cast<size_t>(rows), std::vector<std::string>(static_cast<size_t>(columns), " ")) {}
  void put(int row, int column, const char* what) {
    rows_[static_cast<size_t>(row)][static_cast<size_t>(column)] = what;
  }
  std::string row(int row) const {
    std::string text;
    for (const std::string& cell : rows_[static_cast<size_t>(row)]) text += cell;
    return text.substr(0, text.find_last_not_of(' ') + 1);
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

struct Glyphs {
  const char *flat, *upright, *falls_from, *falls_to, *rises_from, *rises_to, *axis, *corner, *end;
};
constexpr Glyphs kUnicode = {"─", "│", "╮", "╰", "╯", "╭", "┤", "└", "●"};
constexpr Glyphs kAscii = {"-", "|", ".", "'", "'", ".", "|", "+", "*"};

std::string date(const TrendPoint& point) { return point.time.substr(0, 10); }
std::string commit(const TrendPoint& point) { return point.commit.empty() ? "-" : visible(point.commit.substr(0, 10)); }

std::string padded(const std::string& text, size_t width) {
  return text + std::string(width - std::min(width, display_width(text)), ' ');
}

/// Row of each column. Every point has its part of the width, and coverage stays the same until the next commit.
std::vector<int> rows_of(const std::vector<TrendPoint>& points, const TrendScale& scale, int n_rows, int columns) {
  std::vector<int> rows(static_cast<size_t>(columns));
  auto n = static_cast<int64_t>(points.size());
  for (int64_t column = 0; column < columns; ++column) {
    auto i = static_cast<size_t>(((column + 1) * n - 1) / columns);
    double share = (trend_percent(points[i]) - scale.low) / (scale.high - scale.low);
    rows[static_cast<size_t>(column)] = n_rows - 1 - static_cast<int>(std::lround(share * (n_rows - 1)));
  }
  return rows;
}

std::string chart(const std::vector<TrendPoint>& points, const TrendStyle& style) {
  const Glyphs& glyphs = style.unicode ? kUnicode : kAscii;
  Painter painter{style.color};
  TrendScale scale = trend_scale(points, kMostRows - 1);
  auto n_steps = static_cast<int>(std::lround((scale.high - scale.low) / scale.step));
  int rows_a_step = std::max(1, (kMostRows - 1) / n_steps), n_rows = n_steps * rows_a_step + 1;
  size_t label_width = std::max(scale.label(scale.low).size(), scale.label(scale.high).size());
  int columns = std::clamp(style.width - static_cast<int>(label_width) - 4, 16, kMostColumns);
  std::vector<int> rows = rows_of(points, scale, n_rows, columns);
  Canvas canvas(n_rows, columns);
  canvas.put(rows[0], 0, glyphs.flat);
  for (int column = 1; column < columns; ++column) {
    int from = rows[static_cast<size_t>(column) - 1], to = rows[static_cast<size_t>(column)];
    if (from == to) {
      canvas.put(to, column, glyphs.flat);
      continue;
    }
    for (int row = std::min(from, to) + 1; row < std::max(from, to); ++row) canvas.put(row, column, glyphs.upright);
    canvas.put(from, column, from < to ? glyphs.falls_from : glyphs.rises_from);
    canvas.put(to, column, from < to ? glyphs.falls_to : glyphs.rises_to);
  }
  canvas.put(rows.back(), columns - 1, glyphs.end);
  const TrendPoint& last = points.back();
  std::string out;
  for (int row = 0; row < n_rows; ++row) {
    std::string label = row % rows_a_step == 0 ? scale.label(scale.high - scale.step * (row / rows_a_step)) : "";
    std::string line = canvas.row(row);
    out += fmt::format("{:>{}} {}{}\n", label, label_width, glyphs.axis,
                       line.empty() ? line : painter.paint(painter.quality(last.covered(), last.total()), line));
  }
  std::string rule;
  for (int column = 0; column < columns; ++column) rule += glyphs.flat;
  out += fmt::format("{} {}{}\n", std::string(label_width, ' '), glyphs.corner, rule);
  std::string first_date = date(points.front()), last_date = date(last);
  if (points.size() == 1) last_date.clear();
  auto gap = std::max<int64_t>(1, columns - static_cast<int64_t>(first_date.size() + last_date.size()));
  out += fmt::format("{}  {}{}{}\n", std::string(label_width, ' '), first_date,
                     last_date.empty() ? "" : std::string(static_cast<size_t>(gap), ' '), last_date);
  return out;
}

std::string list(const std::vector<TrendPoint>& points, const TrendStyle& style) {
  Painter painter{style.color};
  size_t first = points.size() - std::min(points.size(), style.n_listed);
  if (first == points.size()) return "";
  size_t branch_width = 6;
  for (size_t i = first; i < points.size(); ++i)
    branch_width = std::max(branch_width, display_width(visible(points[i].branch)));
  branch_width = std::min<size_t>(branch_width, 30);
  std::string out = "\n" +
                    painter.paint("1", fmt::format("{:<16}  {:<10}  {}  {:>8}  {:>7}  {}", "Time (UTC)", "Commit",
                                                   padded("Branch", branch_width), "Coverage", "Change", "Covered")) +
                    "\n";
  for (size_t i = first; i < points.size(); ++i) {
    const TrendPoint& point = points[i];
    std::string change = i == 0 ? "" : trend_change(points[i - 1], point);
    std::string branch = visible(point.branch);
    if (display_width(branch) > branch_width) branch = fmt::format("{:.{}}..", branch, branch_width - 2);
    std::string time = point.time.substr(0, 16);
    std::replace(time.begin(), time.end(), 'T', ' ');
    out += fmt::format("{:<16}  {}  {}  {:>8}  {}  {} of {}{}\n", time, padded(commit(point), 10),
                       padded(branch, branch_width), percent(point.covered(), point.total()) + "%",
                       painter.paint(change.starts_with('-')   ? "31"
                                     : change.starts_with('+') ? "32"
                                                               : "0",
                                     fmt::format("{:>7}", change)),
                       point.covered(), point.total(), point.dirty ? ", not committed" : "");
  }
  return out;
}

}  // namespace

double trend_percent(const TrendPoint& point) {
  return point.total() == 0 ? 100 : 100.0 * static_cast<double>(point.covered()) / static_cast<double>(point.total());
}

std::string TrendScale::label(double percent) const { return fmt::format("{:.{}f}%", percent, step < 1 ? 1 : 0); }

TrendScale trend_scale(const std::vector<TrendPoint>& points, int steps) {
  double low = 100, high = 0;
  for (const TrendPoint& point : points) {
    low = std::min(low, trend_percent(point));
    high = std::max(high, trend_percent(point));
  }
  TrendScale scale;
  for (double step : kSteps) {
    scale.step = step;
    scale.low = std::max(0.0, std::floor(low / step + 1e-9) * step);
    scale.high = std::min(100.0, std::ceil(high / step - 1e-9) * step);
    if (scale.high - scale.low < step * 2) {  // gives a flat line some room
      scale.high = std::min(100.0, scale.low + 2 * step);
      scale.low = std::max(0.0, scale.high - 2 * step);
    }
    if (scale.high - scale.low <= step * steps + 1e-9) break;
  }
  return scale;
}

std::string trend_change(const TrendPoint& before, const TrendPoint& now) {
  // Counts are below 10^12; a double does not hold their products exactly.
  auto wide = [](int64_t a, int64_t b) { return static_cast<long double>(a) * static_cast<long double>(b); };
  bool same = before.total() == 0 || now.total() == 0
                  ? trend_percent(before) == trend_percent(now)
                  : wide(before.covered(), now.total()) == wide(now.covered(), before.total());
  if (same) return "=";
  double change = trend_percent(now) - trend_percent(before);
  if (std::abs(change) < 0.05) return change < 0 ? "-<0.1" : "+<0.1";
  std::string text = fmt::format("{:+.1f}", change);
  return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

std::string trend_terminal(const std::vector<TrendPoint>& points, const TrendStyle& style) {
  if (points.empty()) return "No commits in the trend yet.\n";
  Painter painter{style.color};
  std::string change =
      points.size() < 2 ? "" : fmt::format(" ({} since the first)", trend_change(points.front(), points.back()));
  return painter.paint("1", fmt::format("Coverage of {}: {}%", plural(static_cast<int64_t>(points.size()), "commit"),
                                        percent(points.back().covered(), points.back().total()))) +
         change + "\n\n" + chart(points, style) + list(points, style);
}

std::string trend_json(const std::vector<TrendPoint>& points) {
  nlohmann::ordered_json result = nlohmann::ordered_json::array();
  for (const TrendPoint& point : points) {
    auto line = nlohmann::ordered_json::parse(trend_line(point));
    line["percent_covered"] = trend_percent(point);
    result.push_back(std::move(line));
  }
  return result.dump(2) + "\n";
}

}  // namespace qd::report
