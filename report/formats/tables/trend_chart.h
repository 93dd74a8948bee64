// Shows the coverage of commits, one after the other, as a line.
#pragma once

#include <string>
#include <vector>

#include "report/inputs/trend.h"

namespace qd::report {

/// What the axis of percentages shows: from `low` to `high`, with a label each `step`.
struct TrendScale {
  double low = 0, high = 100, step = 20;

  /// "87.5%", with as many decimals as steps need.
  std::string label(double percent) const;
};

/// Round numbers around all points, with at most `steps` steps.
TrendScale trend_scale(const std::vector<TrendPoint>& points, int steps);

/// 0..100; 100 where there is nothing to cover.
double trend_percent(const TrendPoint& point);

/// "+0.3", "-12", "=": the change from one point to the next; "+<0.1" for less than is shown.
std::string trend_change(const TrendPoint& before, const TrendPoint& now);

struct TrendStyle {
  bool color = false;    // escape sequences
  bool unicode = true;   // lines of other than -, | and the like
  int width = 80;        // columns
  size_t n_listed = 10;  // of the last points
};

/// A chart for a terminal and a list of the last points. Of no points, a sentence.
std::string trend_terminal(const std::vector<TrendPoint>& points, const TrendStyle& style);

/// The points as a list of objects, with their percentages.
std::string trend_json(const std::vector<TrendPoint>& points);

/// A chart as SVG, for a page that has the classes of report.css, and a table of the same for those who can't see it.
std::string trend_html(const std::vector<TrendPoint>& points);

}  // namespace qd::report
