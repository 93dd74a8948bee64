// Compares reports of other tools with sources.
#include "report/diff/imported_version.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "report/diff/function_bodies.h"

namespace qd::report {

namespace {

namespace fs = std::filesystem;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_identifier_character(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

/// Each line's beginning; one more at the end.
std::vector<size_t> line_starts(const std::string& text) {
  std::vector<size_t> starts = {0};
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts.push_back(i + 1);
  if (starts.back() != text.size()) starts.push_back(text.size());
  return starts;
}

/// Lines are of a statement if their logical line is.
std::string misfit(const ImportedFile& imported, const SourceAnalysis& python) {
  auto holds = [](const std::vector<int32_t>& sorted, int32_t line) {
    return std::binary_search(sorted.begin(), sorted.end(), line);
  };
  std::set<int32_t> known;
  for (const ImportedLine& line : imported.lines) {
    const int32_t logical = line.line <= python.n_lines ? python.logical_line(line.line) : 0;
    if (!holds(python.statements, logical) && !holds(python.excluded, logical))
      return fmt::format("line {} is no statement now", line.line);
    known.insert(logical);
  }
  for (int32_t line : python.statements)
    if (!known.contains(line)) return fmt::format("line {} is a statement that the report does not have", line);
  return "";
}

/// The name of a function in its source: "f" for "a::f(int)", "_ZN1a1fEi" and "a.cpp:f". Empty when it is not known.
std::string name_in_source(std::string_view name) {
  if (name.starts_with("_Z")) {
    std::string_view last;
    for (size_t i = name.find_first_of("123456789"); i < name.size() && name[i] >= '1' && name[i] <= '9';) {
      size_t length = 0;
      for (; i < name.size() && name[i] >= '0' && name[i] <= '9' && length < name.size(); ++i)
        length = 10 * length + static_cast<size_t>(name[i] - '0');
      last = name.substr(std::min(i, name.size()), length);
      i += length;
    }
    return std::string(last);
  }
  name = name.substr(0, name.find('('));
  size_t end = name.size();
  while (end > 0 && !is_identifier_character(name[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && is_identifier_character(name[begin - 1])) --begin;
  return end == name.size() && begin < end && is_letter(name[begin]) ? std::string(name.substr(begin, end - begin))
                                                                     : "";
}

bool has_word(std::string_view text, const std::string& word) {
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !is_identifier_character(text[at - 1])) &&
        (end == text.size() || !is_identifier_character(text[end])))
      return true;
  }
  return false;
}

/// A function that is at another line in the report than in the source. (Tools give the line of its name, or of what
/// stands before the name.)
std::string misplaced_function(const ImportedFile& imported, const std::string& text,
                               const std::vector<size_t>& starts) {
  constexpr size_t kLinesOfHead = 3;
  for (const ImportedFunction& function : imported.functions) {
    const std::string name = name_in_source(function.name);
    const auto line = static_cast<size_t>(function.first_line);
    if (name.empty() || line < 1 || line >= starts.size()) continue;
    const size_t end = starts[std::min(line - 1 + kLinesOfHead, starts.size() - 1)];
    if (has_word(std::string_view(text).substr(starts[line - 1], end - starts[line - 1]), name)) continue;
    if (has_word(text, name)) return fmt::format("'{}' is not in line {} now", name, line);
  }
  return "";
}

std::string extension_family(const std::string& path) {
  constexpr std::array<std::string_view, 19> kC = {".c",   ".cc", ".cpp", ".cxx", ".c++", ".cu",  ".cuh",
                                                   ".h",   ".hh", ".hpp", ".hxx", ".h++", ".inc", ".inl",
                                                   ".ipp", ".m",  ".mm",  ".tpp", ".txx"};
  constexpr std::array<std::string_view, 16> kOthers = {".cjs",   ".cs", ".dart", ".go",  ".java", ".js",
                                                        ".jsx",   ".kt", ".mjs",  ".php", ".rs",   ".scala",
                                                        ".swift", ".ts", ".tsx",  ".vue"};
  const std::string extension = fs::path(path).extension().string();
  if (std::find(kC.begin(), kC.end(), extension) != kC.end()) return ".c";
  return std::find(kOthers.begin(), kOthers.end(), extension) != kOthers.end() ? extension : "";
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }
std::string parent_of(const std::string& folder) { return folder_of(folder.substr(0, folder.size() - 1)); }

}  // namespace

std::string why_of_other_version(const ImportedFile& imported, const std::string& text, const SourceAnalysis* python,
                                 const std::vector<int32_t>& changed) {
  const std::vector<size_t> starts = line_starts(text);
  const size_t n_lines = starts.size() - 1;
  // Some tools count the empty line after the last line feed.
  if (!imported.lines.empty() && static_cast<size_t>(imported.lines.back().line) > n_lines + 1)
    return fmt::format("the report is of another version of it: it has line {}, of {}", imported.lines.back().line,
                       n_lines);
  if (!imported.older) return "";
  constexpr const char* kOlder = "the report is older than it, and of another version: {}";
  if (python) {
    std::string why = misfit(imported, *python);
    return why.empty() ? "" : fmt::format(kOlder, why);
  }
  if (std::string why = misplaced_function(imported, text, starts); !why.empty()) return fmt::format(kOlder, why);
  for (const FunctionBody& body : function_bodies(text)) {
    auto in_body = [&](int32_t line) { return line >= body.head && line <= body.last; };
    if (std::none_of(changed.begin(), changed.end(), in_body)) continue;
    if (std::any_of(imported.lines.begin(), imported.lines.end(),
                    [&](const ImportedLine& line) { return in_body(line.line); }))
      continue;
    std::vector<int32_t> lines;
    std::copy_if(changed.begin(), changed.end(), std::back_inserter(lines), in_body);
    if (!changed_code_lines(text, lines).empty())
      return fmt::format(kOlder, fmt::format("it knows nothing of the function in lines {}-{}", body.head, body.last));
  }
  return "";
}

std::vector<int32_t> changed_code_lines(const std::string& text, const std::vector<int32_t>& changed) {
  const std::vector<size_t> starts = line_starts(text);
  const std::vector<FunctionBody> bodies = function_bodies(text);
  std::vector<int32_t> result;
  for (int32_t line : changed) {
    if (line < 1 || static_cast<size_t>(line) >= starts.size()) continue;
    if (std::none_of(bodies.begin(), bodies.end(),
                     [&](const FunctionBody& body) { return line >= body.first && line <= body.last; }))
      continue;
    std::string_view content =
        std::string_view(text).substr(starts[static_cast<size_t>(line) - 1],
                                      starts[static_cast<size_t>(line)] - starts[static_cast<size_t>(line) - 1]);
    content = content.substr(std::min(content.find_first_not_of(" \t"), content.size()));
    const bool is_comment = content.starts_with("//") || content.starts_with("/*") || content.starts_with("*");
    if (!is_comment && std::any_of(content.begin(), content.end(), is_identifier_character)) result.push_back(line);
  }
  return result;
}

bool has_braces(const std::string& path) { return !extension_family(path).empty(); }

ImportedSources::ImportedSources(const CoverageData& data, const std::string& root, CanonicalPaths& canonical)
    : root_(canonical(root) + "/") {
  std::vector<std::string> paths;
  for (const auto& [path, file] : data.imported) paths.push_back(path);
  for (const AmbiguousName& name : data.ambiguous) paths.insert(paths.end(), name.paths.begin(), name.paths.end());
  for (const std::string& name : paths) {
    const std::string path = canonical(name);
    const std::string family = extension_family(path);
    if (family.empty() || !path.starts_with(root_)) continue;
    extensions_.insert(family);
    const std::string folder = folder_of(path);
    if (folders_.empty()) common_ = folder;
    while (!folder.starts_with(common_)) common_ = parent_of(common_);
    for (std::string above = folder; above.size() >= root_.size() && folders_.insert(above).second;)
      above = parent_of(above);
  }
}

bool ImportedSources::knows_language(const std::string& canonical) const {
  return extensions_.contains(extension_family(canonical));
}

bool ImportedSources::expects(const std::string& canonical) const {
  if (!knows_language(canonical) || !canonical.starts_with(common_)) return false;
  const size_t slash = canonical.find('/', common_.size());
  // Tests stand beside sources in the top folder, and reports are often made without them.
  return common_ != root_ || slash == std::string::npos || folders_.contains(canonical.substr(0, slash + 1));
}

}  // namespace qd::report
