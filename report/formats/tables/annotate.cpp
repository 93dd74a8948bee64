// Annotated copies: the margin of each line, and the names of the copies.
#include "report/formats/tables/annotate.h"

#include <algorithm>
#include <filesystem>

#include "report/data/utf8.h"
#include "report/formats/common/digests.h"
#include "report/formats/common/python_lines.h"

namespace qd::report {

namespace {

/// Whether the line is blank or a comment: `\s*(#|$)`.
bool is_blank(std::string_view line, size_t at = 0) {
  at = skip_python_space(line, at);
  return at == line.size() || line[at] == '#';
}

/// Whether the line is an else: `\s*else\s*:\s*(#|$)`.
bool is_else(std::string_view line) {
  size_t at = skip_python_space(line);
  if (line.substr(at, 4) != "else") return false;
  at = skip_python_space(line, at + 4);
  return at < line.size() && line[at] == ':' && is_blank(line, at + 1);
}

/// Size of the drive that ntpath.splitdrive would find: "c:", with any first character.
size_t drive_size(const std::string& path) {
  const size_t first = next_character(path, 0);
  return first < path.size() && path[first] == ':' ? first + 1 : 0;
}

/// coverage.py's flat_rootname: the file's name after a hash of its folder, with underscores for dots.
std::string flat_name(const std::string& path) {
  size_t name_start = std::max(path.find_last_of("/\\") + 1, drive_size(path));
  std::string folder = path.substr(0, name_start), name = path.substr(name_start);
  std::replace(name.begin(), name.end(), '.', '_');
  size_t drive = drive_size(path);
  if (size_t last = folder.find_last_not_of("/\\"); last != std::string::npos && last >= drive) folder.resize(last + 1);
  if (folder.empty()) return name;
  auto hash = sha3_256(folder);
  return "z_" + hexadecimal(hash.data(), 8) + "_" + name;
}

/// Extension of a path: os.path.splitext(path)[1].
std::string extension(const std::string& path) {
  size_t start = path.find_last_of('/') + 1;
  start = path.find_first_not_of('.', start);
  size_t dot = path.find_last_of('.');
  return start == std::string::npos || dot == std::string::npos || dot < start ? "" : path.substr(dot);
}

}  // namespace

std::string annotated(const AnalyzedFile& analyzed) {
  const Analysis& analysis = analyzed.analysis;
  const std::vector<int32_t>& statements = analysis.source.statements;
  auto statement = statements.begin();
  auto missing = analysis.missing.begin();
  auto excluded = analysis.source.excluded.begin();
  auto advance = [](auto& at, auto end, int32_t line) {
    while (at != end && *at < line) ++at;
    return at != end && *at == line;
  };
  std::string result;
  result.reserve(analyzed.text.size() + 2 * static_cast<size_t>(analysis.source.n_lines));
  bool covered = true;
  std::string_view rest = analyzed.text;
  for (int32_t number = 1; !rest.empty(); ++number) {
    std::string_view line = take_python_line(rest);
    bool is_statement = advance(statement, statements.end(), number);
    bool is_missing = advance(missing, analysis.missing.end(), number);
    bool is_excluded = advance(excluded, analysis.source.excluded.end(), number);
    if (is_statement) covered = !is_missing;
    if (is_blank(line)) result += "  ";
    // An else has no data of its own; it ran if the next statement did.
    else if (is_else(line))
      result += missing != analysis.missing.end() && *statement == *missing ? "! " : "> ";
    else if (is_excluded)
      result += "- ";
    else
      result += covered ? "> " : "! ";
    result += line;
  }
  return result;
}

std::string annotated_path(const ReportedFile& file, const std::string& directory) {
  if (directory.empty()) return file.path + ",cover";
  std::string ending = extension(file.relative);
  std::string path = (std::filesystem::path(directory) / flat_name(file.relative)).string();
  return path.substr(0, path.size() - ending.size()) + ending + ",cover";
}

}  // namespace qd::report
