// Gradient coverage of one file: the lines of its kernels that ran, and whether their derivative was ever computed.
#pragma once

#include <cstdint>
#include <vector>

#include "report/data/coverage_data.h"

namespace qd::report {

struct Analysis;

/// Numbers of gradient coverage.
struct GradientNumbers {
  int32_t n_lines = 0, n_missing = 0;

  int32_t n_differentiated() const { return n_lines - n_missing; }
  GradientNumbers& operator+=(const GradientNumbers& other);
};

struct FileGradients {
  std::vector<int32_t> lines;    // statements that ran, and that a derivative passes through; sorted
  std::vector<int32_t> missing;  // those of them that were never differentiated
  int32_t n_stale = 0;           // recorded lines that are no statements, because the source has changed since

  GradientNumbers numbers() const;
  /// The part that is in some statements, which are sorted.
  FileGradients only(const std::vector<int32_t>& statements) const;
};

/// Joins the statements of an analysis with the derivatives in the data, all contexts together. Statements that did not
/// run are reported as missing anyway, and count for nothing here.
FileGradients gradient_coverage(const Analysis& analysis, const FileData& data);

/// Whether any derivative was recorded, computed or not.
bool has_gradients(const CoverageData& data);

}  // namespace qd::report
