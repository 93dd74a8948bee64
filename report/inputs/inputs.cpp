// Inputs: selects the reader for a file.
#include "report/inputs/inputs.h"

#include <fmt/core.h>

#include "report/data/file_content.h"
#include "report/data/source_version.h"
#include "report/data/utf8.h"
#include "report/inputs/input_file.h"
#include "report/inputs/readers.h"

namespace qd::report {

namespace {

/// Whether a file is a database, by its first bytes: `combine` asks it of thousands of files.
bool is_database(const std::string& path) { return begins_with(path, std::string_view("SQLite format 3\0", 16)); }

}  // namespace

std::optional<CoverageData> read_input(const std::string& path, const InputOptions& options) {
  if (is_database(path)) return std::nullopt;
  InputFile input(path);
  std::string_view beginning = input.beginning();
  CoverageData data;
  data.path = path;
  data.written = written_at(path);
  size_t first = beginning.find_first_not_of(" \t\r\n");
  char letter = first == std::string_view::npos ? '\0' : beginning[first];
  FileNames names(path, options, data);
  if (looks_like_lcov(beginning))
    read_lcov(input, data, names);
  else if (letter == '<')
    read_xml_report(input, names);
  else if (letter == '{')
    read_json_report(input, names);
  else
    return std::nullopt;
  names.finish();
  data.damage = input.skipped();
  if (data.imported.empty() && data.ambiguous.empty()) {
    data.unread_inputs.insert(shown_text(path));
    if (data.damage.empty()) data.damage = fmt::format("Report '{}' names no file", path);
  }
  return data;
}

CoverageData require_input(const std::string& path, const InputOptions& options) {
  if (std::optional<CoverageData> data = read_input(path, options)) return std::move(*data);
  throw DataError(
      fmt::format("Couldn't read '{}': it is none of LCOV, Cobertura XML, Clover XML, JaCoCo XML, gcov JSON, gcovr "
                  "JSON and llvm-cov JSON",
                  path));
}

}  // namespace qd::report
