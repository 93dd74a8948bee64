// Session tables: our own tables in the data files of a test session. coverage.py combines these files and leaves the
// tables out, so they are kept before and added afterwards.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "report/data/coverage_data.h"

namespace qd::report {

class SessionTables {
 public:
  using Alias = std::function<std::string(const std::string& path)>;

  /// Keeps the tables of a file that the session itself has written, before it is combined. Throws DataError.
  void keep(const std::string& file, const Alias& alias);
  /// Keeps the commands of an earlier session, and the versions of sources to which its data belongs. Throws DataError.
  void keep_older(const std::string& file, const Alias& alias);
  /// Notes a file that could not be read: the combined file may lack its data.
  void miss(const std::string& file);
  /// Adds what was kept to the combined file, with the versions that were measured (MeasuredVersions) and the command,
  /// if there is one. Versions in the file itself are about the data that it held before. Keeps nothing any longer.
  void add_to(const std::string& path, const std::string& notes, int64_t start, const std::vector<std::string>& command,
              const std::function<void(const std::string&)>& warn);

 private:
  CoverageData kept_;
  std::map<std::string, std::set<std::string>> older_versions_;
};

}  // namespace qd::report
