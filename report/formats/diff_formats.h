// The formats of diff coverage: each a function from the numbers to a text.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "report/diff/diff_coverage.h"

namespace qd::report {

struct DiffStyle {
  bool color = false;  // escape sequences; only for a terminal
  int width = 80;      // columns of the terminal
  int precision = 0;   // decimals of the overall percentage
  /// The gate as the report shows it: the wanted percentage, and whether it was reached.
  std::optional<std::string> threshold;
  bool reached = true;
  /// Gates of conditions, likewise: what is below or reaches which percentage.
  struct ConditionGate {
    std::string what, threshold;
    bool reached = true;
  };
  std::vector<ConditionGate> condition_gates;
};

std::string diff_terminal(const DiffCoverage& coverage, const DiffStyle& style);
std::string diff_annotated(const DiffCoverage& coverage, const DiffStyle& style);
std::string diff_markdown(const DiffCoverage& coverage, const DiffStyle& style);
std::string diff_markdown_summary(const DiffCoverage& coverage, const DiffStyle& style);
std::string diff_html(const DiffCoverage& coverage, const DiffStyle& style);

struct DiffFormat {
  const char* name;
  const char* help;
  const char* file;  // where it goes when no path is given; null: standard output
  bool wants_overall;  // shows DiffCoverage::overall
  std::string (*render)(const DiffCoverage& coverage, const DiffStyle& style);
};

std::span<const DiffFormat> diff_formats();

}  // namespace qd::report
