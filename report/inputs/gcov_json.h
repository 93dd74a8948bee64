// gcov JSON, and gcovr's, which is like it. https://gcc.gnu.org/onlinedocs/gcc/Invoking-Gcov.html (--json-format)
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "report/inputs/file_names.h"
#include "report/inputs/input_file.h"

namespace qd::report {

class GcovJson {
 public:
  explicit GcovJson(InputFile& input) : input_(input) {}
  /// Adds an element of "files". Throws JsonShapeError.
  void add_file(const nlohmann::json& file);
  /// Adds the files; their paths are relative to `folder`.
  void move_to(FileNames& names, const std::string& folder, const std::string& source);

 private:
  InputFile& input_;
  std::map<std::string, ImportedFile> files_;
};

}  // namespace qd::report
