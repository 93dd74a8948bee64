// Trend of coverage over commits, as a line chart.
#pragma once

#include <string>
#include <vector>

#include "report/inputs/trend.h"

namespace qd::report {

/// Range of the percentage axis: from `low` to `high`, with a label each `step`.
struct TrendScale {
  double low = 0, high = 100, step = 20;

  /// Label of a percentage, "87.5%", with as many decimals as steps need.
  std::string label(double percent) const;
};

/// Scale of round numbers around all points, with at most `steps` steps.
TrendScale trend_scale(const std::vector<TrendPoint>& points, int steps);

/// Percentage from 0 to 100; 100 when there is nothing to cover.
double trend_percent(const TrendPoint& point);

/// Change from one point to the next: "+0.3", "-12", "="; "+<0.1" for less than is shown.
std::string trend_change(const TrendPoint& before, const TrendPoint& now);

struct TrendStyle {
  bool color = false;    // escape sequences
  bool unicode = true;   // box-drawing characters instead of -, | and the like
  int width = 80;        // columns
  size_t n_listed = 10;  // number of last points in the list
};

/// Chart for a terminal, and a list of the last points. For no points, a sentence.
std::string trend_terminal(const std::vector<TrendPoint>& points, const TrendStyle& style);

/// Points as a list of objects, with their percentages.
std::string trend_json(const std::vector<TrendPoint>& points);

/// Chart as SVG, for a page with the classes of report.css, and a table of the same for readers who can't see it.
std::string trend_html(const std::vector<TrendPoint>& points);

}  // namespace qd::report
