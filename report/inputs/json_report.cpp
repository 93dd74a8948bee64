// JSON reports of other tools, told apart by their keys:
//
//   gcov:     {"gcc_version", "current_working_directory", "files": [{"file", "functions": [...],
//              "lines": [{"line_number", "count", "function_name", "branches": [...]}]}]}
//   gcovr:    {"gcovr/format_version", "files": the same, with some keys of its own}
//   llvm-cov: {"type": "llvm.coverage.json.export", "version",
//              "data": [{"files": [{"filename", "segments", "branches", "expansions"}], "functions": [...]}]}
#include "report/inputs/readers.h"

#include <fmt/core.h>

#include "report/inputs/gcov_json.h"
#include "report/inputs/json_documents.h"
#include "report/inputs/json_values.h"
#include "report/inputs/llvm_json.h"

namespace qd::report {

namespace {

using nlohmann::json;

constexpr const char* kUnknownJson = "it is no report of gcov, gcovr or 'llvm-cov export'";

void read_one(InputFile& input, DocumentStream& stream, FileNames& names) {
  GcovJson gcov(input);
  LlvmJson llvm(input);
  auto on_element = [&](const std::vector<std::string>& keys, const json& element) {
    if (keys.size() == 1)
      gcov.add_file(element);
    else if (keys.back() == "files")
      llvm.add_file(element);
    else
      llvm.add_function(element);
  };
  const char* format = "JSON";
  try {
    json document =
        read_document(input, stream, format, {{"files"}, {"data", "files"}, {"data", "functions"}}, on_element);
    if (!document.is_object()) input.fail(format, "", kUnknownJson);
    if (optional_text_of(document, "type") == "llvm.coverage.json.export") {
      format = "JSON of llvm-cov";
      llvm.move_to(names, "llvm-cov " + optional_text_of(document, "version"));
    } else if (document.contains("gcovr/format_version")) {
      format = "JSON of gcovr";
      gcov.move_to(names, "", "gcovr " + optional_text_of(document, "gcovr/format_version"));
    } else if (document.contains("gcc_version") && document.contains("files")) {
      format = "JSON of gcov";
      gcov.move_to(names, optional_text_of(document, "current_working_directory"),
                   "gcov " + optional_text_of(document, "gcc_version"));
    } else {
      input.fail(format, "", kUnknownJson);
    }
  } catch (const JsonShapeError& error) {
    input.fail(format, fmt::format("line {}", stream.line()), error.what());
  }
}

}  // namespace

void read_json_report(InputFile& input, FileNames& names) {
  DocumentStream stream(input);
  while (stream.next_document()) read_one(input, stream, names);
}

}  // namespace qd::report
