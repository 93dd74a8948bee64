// Trend as SVG in a page. Every commit has a part of the width, with a title that the browser shows. No script or style
// of its own is needed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/diff/diff_coverage.h"
#include "report/formats/common/text.h"
#include "report/formats/tables/trend_chart.h"

namespace qd::report {
namespace {

constexpr size_t kMostPoints = 300;  // only the last ones are drawn
constexpr double kWidth = 360, kHeight = 112, kLeft = 40, kRight = 10, kTop = 9, kBottom = 20;

std::string when(const TrendPoint& point) {
  std::string time = point.time.substr(0, 16);
  std::replace(time.begin(), time.end(), 'T', ' ');
  return time;
}

/// Title of a point: "91.5% on 2026-11-22 03:04 UTC, commit 1a2b3c4d5e on main, +0.3".
std::string sentence(const std::vector<TrendPoint>& points, size_t i) {
  const TrendPoint& point = points[i];
  std::string text = fmt::format("{}% on {} UTC", percent(point.covered(), point.total()), when(point));
  if (!point.commit.empty()) text += ", commit " + point.commit.substr(0, 10);
  if (!point.branch.empty()) text += " on " + point.branch;
  if (point.dirty) text += ", not committed";
  if (i > 0)
    text += fmt::format(", {}",
                        trend_change(points[i - 1], point) == "=" ? "no change" : trend_change(points[i - 1], point));
  return text;
}

/// "+9.8 in 60 commits"; the axis has the dates.
std::string caption(const std::vector<TrendPoint>& points) {
  if (points.size() == 1) return "1 commit";
  const std::string change = trend_change(points.front(), points.back());
  return fmt::format("{} in {} commits", change == "=" ? "no change" : escape_html(change), points.size());
}

}  // namespace

std::string trend_html(const std::vector<TrendPoint>& all) {
  if (all.empty()) return "";
  std::vector<TrendPoint> points(all.end() - static_cast<ptrdiff_t>(std::min(all.size(), kMostPoints)), all.end());
  TrendScale scale = trend_scale(points, 4);
  auto n = static_cast<double>(points.size());
  double room = kWidth - kLeft - kRight;
  auto x = [&](size_t i) {
    return points.size() == 1 ? kLeft + room / 2 : kLeft + room * static_cast<double>(i) / (n - 1);
  };
  auto y = [&](double percent) {
    return kTop + (kHeight - kTop - kBottom) * (scale.high - percent) / (scale.high - scale.low);
  };

  std::string out = fmt::format(
      "<figure class=\"trend\">\n<figcaption><b>Coverage by commit</b> <span>{}</span></figcaption>\n<svg viewBox=\"0 "
      "0 {:.0f} {:.0f}\" role=\"img\" aria-labelledby=\"trend-title "
      "trend-what\"><title id=\"trend-title\">Coverage of the last {}</title>"
      "<desc id=\"trend-what\">From {} to {}; the table that follows has all of them.</desc>\n",
      caption(points), kWidth, kHeight, plural(static_cast<int64_t>(points.size()), "commit"),
      html_text(sentence(points, 0)), html_text(sentence(points, points.size() - 1)));
  for (int64_t k = 0; static_cast<double>(k) * scale.step <= scale.high - scale.low + 1e-9; ++k) {
    double percent = scale.low + static_cast<double>(k) * scale.step;
    out += fmt::format(
        "<line class=\"rule\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/><text class=\"label\" "
        "x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        kLeft, kWidth - kRight, y(percent), y(percent), kLeft - 6, y(percent) + 3.5, scale.label(percent));
  }
  out += fmt::format("<text class=\"first\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", kLeft, kHeight - 4,
                     html_text(points.front().time.substr(0, 10)));
  if (points.size() > 1)
    out += fmt::format("<text class=\"last\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", kWidth - kRight, kHeight - 4,
                       html_text(points.back().time.substr(0, 10)));
  std::string line;
  for (size_t i = 0; i < points.size(); ++i)
    line += fmt::format("{}{:.1f},{:.1f}", i == 0 ? "" : " ", x(i), y(trend_percent(points[i])));
  out += fmt::format("\n<polyline points=\"{}\"/>\n", line);
  double half = points.size() == 1 ? room / 2 : room / (n - 1) / 2;
  for (size_t i = 0; i < points.size(); ++i) {
    double from = std::max(0.0, x(i) - half), to = std::min(kWidth, x(i) + half);
    out += fmt::format(
        "<g{}><title>{}</title><rect x=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.0f}\"/><circle cx=\"{:.1f}\" "
        "cy=\"{:.1f}\" r=\"3\"/></g>\n",
        i + 1 == points.size() ? " class=\"now\"" : "", html_text(sentence(points, i)), from, to - from, kHeight, x(i),
        y(trend_percent(points[i])));
  }
  out +=
      "</svg>\n<table class=\"unseen\"><caption>Coverage by commit</caption><thead><tr><th scope=\"col\">Time "
      "(UTC)</th><th scope=\"col\">Commit</th><th scope=\"col\">Branch</th>"
      "<th scope=\"col\">Coverage</th><th scope=\"col\">Change</th></tr></thead><tbody>\n";
  for (size_t i = 0; i < points.size(); ++i)
    out += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td>{}%</td><td>{}</td></tr>\n",
                       html_text(when(points[i])), html_text(points[i].commit.substr(0, 10)),
                       html_text(points[i].branch), percent(points[i].covered(), points[i].total()),
                       i == 0 ? "" : trend_change(points[i - 1], points[i]));
  return out + "</tbody></table>\n</figure>\n";
}

}  // namespace qd::report
