// What `llvm-cov export` writes as JSON. https://llvm.org/docs/CommandGuide/llvm-cov.html, CoverageExporterJson.cpp
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "report/data/coverage_data.h"

namespace qd::report {

class LlvmJson {
 public:
  /// An element of "files". Throws JsonShapeError.
  void add_file(const nlohmann::json& file);
  /// An element of "functions".
  void add_function(const nlohmann::json& function);
  /// Adds the files to `data`. Functions of files that are not there (left out of the report) are left out. Throws
  /// JsonShapeError.
  void move_to(CoverageData& data, const std::string& source);

 private:
  std::map<std::string, ImportedFile> files_;
  std::map<std::string, std::vector<ImportedFunction>> functions_;
};

}  // namespace qd::report
