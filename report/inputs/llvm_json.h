// JSON of `llvm-cov export`. https://llvm.org/docs/CommandGuide/llvm-cov.html, CoverageExporterJson.cpp
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "report/inputs/file_names.h"
#include "report/inputs/input_file.h"

namespace qd::report {

class LlvmJson {
 public:
  explicit LlvmJson(InputFile& input) : input_(input) {}
  /// Adds an element of "files". Throws JsonShapeError.
  void add_file(const nlohmann::json& file);
  /// Adds an element of "functions".
  void add_function(const nlohmann::json& function);
  /// Adds the files. Functions of files that the report leaves out are left out. Throws JsonShapeError.
  void move_to(FileNames& names, const std::string& source);

 private:
  InputFile& input_;
  std::map<std::string, ImportedFile> files_;
  std::map<std::string, std::vector<ImportedFunction>> functions_;
};

}  // namespace qd::report
