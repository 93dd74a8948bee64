// HTML report on all files, one self-contained page: an index of all files, and each file's source on demand.
#pragma once

#include <string>
#include <vector>

#include "report/formats/html/html_file.h"

namespace qd::report {

class HtmlReport {
 public:
  explicit HtmlReport(HtmlReportOptions options) : options_(std::move(options)) {}

  const HtmlReportOptions& options() const { return options_; }
  /// Adds a file of html_file(), made with options(), in the order of the index.
  void add(HtmlFile&& file);

  const Numbers& total() const { return total_; }
  const ConditionNumbers& total_conditions() const { return total_conditions_; }
  const GradientNumbers& total_gradients() const { return total_gradients_; }
  std::string text() const;

 private:
  /// Reference of the page to a part: the element, or the name of its file.
  std::string part(std::string_view id, const std::string& text) const;
  std::string index(const std::string& parts) const;
  std::string about() const;
  std::string shares() const;
  std::string kernel_legend() const;

  HtmlReportOptions options_;
  Numbers total_;
  ConditionNumbers total_conditions_;
  GradientNumbers total_gradients_;
  ArchNumbers total_archs_;
  bool any_kernel_ = false, any_kernel_state_ = false;
  int32_t n_listed_ = 0, skipped_covered_ = 0, skipped_empty_ = 0;
  std::string static_rows_;  // table for browsers without scripts
  std::string rows_;         // JSON
  std::string parts_;        // script elements, or with a folder the JSON {id: name} without its braces
  struct Regions {
    std::string rows;  // JSON: for each file its list
    Numbers total;
    ConditionNumbers condition_total;
    GradientNumbers gradient_total;
    ArchNumbers arch_total;
    int32_t skipped_covered = 0, skipped_empty = 0;
    void add(const RegionRows& file);
    std::string json(const HtmlReportOptions& options) const;
  } functions_, classes_;
  std::string kernels_;  // JSON: for each file its list
  int64_t n_kernels_ = 0;
  std::vector<std::string> runs_;  // [test] -> "file,statements,file,statements"
};

}  // namespace qd::report
