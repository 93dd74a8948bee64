// Source files of gcov's JSON, which gcovr's is like. https://gcc.gnu.org/onlinedocs/gcc/Invoking-Gcov.html
// (--json-format)
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "report/data/coverage_data.h"

namespace qd::report {

class GcovJson {
 public:
  /// An element of "files". Throws JsonShapeError.
  void add_file(const nlohmann::json& file);
  /// Adds the files to `data`; paths are relative to `folder`.
  void move_to(CoverageData& data, const std::string& folder, const std::string& source);

 private:
  std::map<std::string, ImportedFile> files_;
};

}  // namespace qd::report
