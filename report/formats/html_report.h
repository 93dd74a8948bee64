// The whole coverage as one self-contained page: a table of all files, and each file's source on demand.
#pragma once

#include <string>
#include <vector>

#include "report/analysis/analysis.h"
#include "report/formats/source_json.h"

namespace qd::report {

struct HtmlReportOptions {
  std::string title = "Coverage report";
  int precision = 0;
  bool skip_covered = false;  // files without missing lines and partial branches are not listed
  bool skip_empty = false;    // nor are files without statements
  bool conditions = false;    // conditions are shown; a file that lacks some is not covered
};

class HtmlReport {
 public:
  HtmlReport(HtmlReportOptions options, bool has_arcs) : options_(std::move(options)), has_arcs_(has_arcs) {}

  /// Adds a file with its source_parts().
  void add(const Analysis& analysis, const SourceParts& source);

  const Numbers& total() const { return total_; }
  const ConditionNumbers& total_conditions() const { return total_conditions_; }
  std::string text() const;

 private:
  HtmlReportOptions options_;
  bool has_arcs_;
  Numbers total_;
  ConditionNumbers total_conditions_;
  bool any_kernel_ = false, any_kernel_state_ = false;
  std::string rows_;
  std::string data_;  // JSON objects, one a file
  int32_t skipped_ = 0;
};

}  // namespace qd::report
