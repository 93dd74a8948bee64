// Cobertura report: XML as coverage.py writes it.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/formats/machine/machine_report.h"

namespace qd::report {

/// Collects the files of a report in the order of their paths and writes them by package. Keeps a reference to
/// `config`, of which source, relative_files, skip_empty and xml_package_depth are used.
class XmlReport {
 public:
  XmlReport(const Config& config, bool branches);

  /// Renders the elements <methods> and <lines> of a file. Thread-safe.
  RenderedFile render(const AnalyzedFile& analyzed) const;
  void add(RenderedFile&& file);

  /// `version` is that of this program, `milliseconds` the time since 1970.
  void write(const std::string& version, int64_t milliseconds, const std::function<void(std::string_view)>& out) const;

  /// Percentage of lines and branches together; 0 when there are none.
  double percent() const;
  const ConditionNumbers& total_conditions() const { return total_.conditions; }
  const GradientNumbers& total_gradients() const { return total_.gradients; }

 private:
  struct Package {
    std::map<std::string, std::pair<std::string, std::string>> classes;  // [file name] -> start tag, content
    Numbers numbers;
  };

  std::string relative_name(const ReportedFile& file);
  std::string rates(const Numbers& numbers) const;

  const Config& config_;
  bool branches_;
  std::string here_;                     // the current folder
  std::vector<std::string> configured_;  // existing folders of [run] source, outer ones before inner ones
  std::set<std::string> sources_;        // those, and the folders of other files
  std::map<std::string, Package> packages_;
  ReportTotal total_;
};

}  // namespace qd::report
