// Whether an HTML report is still the report of its inputs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/formats/common/reported_files.h"
#include "report/formats/html/html_report.h"

namespace qd::cli {

/// A file in the folder of the report says what the report was made of: program, settings, data and sources, by hashes
/// of their contents, and what was written, by size and time. Conditions, [paths] and plugins depend on more than that:
/// reports with them are always made.
class HtmlStatus {
 public:
  /// `settings` is whatever the report depends on besides `config`, the program and the files. Reads the data file, as
  /// it is before the report does.
  HtmlStatus(std::string folder, const report::Config& config, const std::vector<std::string>& settings);

  /// The totals of the report that is there, if making it again would make the same.
  std::optional<report::Numbers> unchanged();
  /// What the reader of that report was told.
  const std::vector<std::string>& notes() const { return notes_; }
  /// Before the report is made of `files`: what is there is no longer what the status says.
  void begin(const std::vector<report::ReportedFile>& files);
  /// After the report was written.
  void save(const report::Numbers& total, const std::vector<std::string>& notes) const;

 private:
  std::string folder_;
  std::string inputs_;   // a line about all but the sources; empty: no status is kept
  std::string sources_;  // as they were at the beginning
  std::vector<std::string> notes_;
};

}  // namespace qd::cli
