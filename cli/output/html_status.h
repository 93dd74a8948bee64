// HTML status: tells whether an HTML report is still up to date, so that it need not be made again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/engine/reported_files.h"
#include "report/formats/html/html_report.h"

namespace qd::cli {

/// A file in the folder of the report, with the inputs of the report (program, settings, data and sources, by hashes of
/// their contents) and its outputs (by size and time). Reports with conditions, gradients, [paths], plugins, reports of
/// other tools, a log beside the data or sources in archives depend on more than that, so they are always made.
class HtmlStatus {
 public:
  /// `settings` are the inputs of the report besides `config`, the program and the files. Reads the data file before
  /// the report does.
  HtmlStatus(std::string folder, const report::Config& config, const std::vector<std::string>& settings);

  /// Returns the totals of the existing report, if making it again would give the same report.
  std::optional<report::Numbers> unchanged();
  /// Notes of the existing report.
  const std::vector<std::string>& notes() const { return notes_; }
  /// Call this before the report is made of `files`: from then on, the status does not describe the files in the
  /// folder.
  void begin(const std::vector<report::ReportedFile>& files);
  /// Call this after the report was written.
  void save(const report::Numbers& total, const std::vector<std::string>& notes) const;

 private:
  std::string folder_;
  std::string inputs_;   // a line for all inputs but the sources; empty: no status is kept
  std::string sources_;  // hashes at the beginning
  std::vector<std::string> notes_;
};

}  // namespace qd::cli
