// Version check of reports of other tools.
#include "report/diff/imported_version.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "report/data/ascii.h"
#include "report/diff/function_bodies.h"
#include "report/diff/reported_sources.h"

namespace qd::report {

namespace {

/// Start offset of each line; one more at the end.
std::vector<size_t> line_starts(const std::string& text) {
  std::vector<size_t> starts = {0};
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') starts.push_back(i + 1);
  if (starts.back() != text.size()) starts.push_back(text.size());
  return starts;
}

/// Difference of the report's lines and a Python source's statements; empty when there is none. A line belongs to a
/// statement if its logical line does.
std::string misfit_of_import(const ImportedFile& imported, const SourceAnalysis& python) {
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
  while (end > 0 && !is_in_name(name[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && is_in_name(name[begin - 1])) --begin;
  return end == name.size() && begin < end && begins_name(name[begin]) ? std::string(name.substr(begin, end - begin))
                                                                       : "";
}

bool has_word(std::string_view text, const std::string& word) {
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !is_in_name(text[at - 1])) && (end == text.size() || !is_in_name(text[end]))) return true;
  }
  return false;
}

/// Finds a function that is at another line in the report than in the source. (Tools give the line of its name, or of
/// the text before the name.)
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

/// Whether a line is a comment by its beginning.
bool begins_comment(std::string_view line, bool has_braces, std::string_view language) {
  if (has_braces)
    return line.starts_with("//") || (line.starts_with("/*") && line.find("*/") == std::string_view::npos) ||
           line.starts_with("* ") || line.starts_with("*/");
  const bool dashes = language == ".hs" || language == ".lua" || language == ".adb" || language == ".ads";
  const bool hash = language != ".clj" && language != ".cljs" && line.starts_with("#");
  return hash || (dashes && line.starts_with("--"));
}

}  // namespace

std::string why_of_other_version(const ImportedFile& imported, const std::string& path, const std::string& text,
                                 const SourceAnalysis* python, const std::vector<int32_t>& changed) {
  const std::vector<size_t> starts = line_starts(text);
  const size_t n_lines = starts.size() - 1;
  // Some tools count the empty line after the last line feed.
  if (!imported.lines.empty() && static_cast<size_t>(imported.lines.back().line) > n_lines + 1)
    return fmt::format("the report is of another version of it: it has line {}, of {}", imported.lines.back().line,
                       n_lines);
  if (!imported.older) return "";
  constexpr const char* kOlder = "the report is older than it, and of another version: {}";
  if (python) {
    std::string why = misfit_of_import(imported, *python);
    return why.empty() ? "" : fmt::format(kOlder, why);
  }
  if (std::string why = misplaced_function(imported, text, starts); !why.empty()) return fmt::format(kOlder, why);
  const std::string language = language_of(path);
  for (const FunctionBody& body : scan_code(text, language).functions) {
    auto in_body = [&](int32_t line) { return line >= body.head && line <= body.last; };
    if (std::none_of(changed.begin(), changed.end(), in_body)) continue;
    if (std::any_of(imported.lines.begin(), imported.lines.end(),
                    [&](const ImportedLine& line) { return in_body(line.line); }))
      continue;
    std::vector<int32_t> lines;
    std::copy_if(changed.begin(), changed.end(), std::back_inserter(lines), in_body);
    if (!changed_code_lines(text, lines, {true, false, language}).empty())
      return fmt::format(kOlder, fmt::format("it knows nothing of the function in lines {}-{}", body.head, body.last));
  }
  return "";
}

std::vector<int32_t> changed_code_lines(const std::string& text, const std::vector<int32_t>& changed,
                                        const CodeLines& which) {
  const std::vector<size_t> starts = line_starts(text);
  const ScannedCode code = which.has_braces ? scan_code(text, which.language) : ScannedCode();
  const bool is_clear = which.has_braces && code.is_clear;
  const bool anywhere = which.anywhere || !is_clear || is_script(which.language);
  auto is_in = [](const std::vector<FunctionBody>& blocks, int32_t line) {
    return std::ranges::any_of(blocks, [&](const FunctionBody& one) { return line >= one.first && line <= one.last; });
  };
  std::vector<int32_t> result;
  for (int32_t line : changed) {
    if (line < 1 || static_cast<size_t>(line) >= starts.size()) continue;
    if (!anywhere && !is_in(code.functions, line) && !is_in(code.initializers, line)) continue;
    std::string_view content =
        std::string_view(text).substr(starts[static_cast<size_t>(line) - 1],
                                      starts[static_cast<size_t>(line)] - starts[static_cast<size_t>(line) - 1]);
    content = content.substr(std::min(content.find_first_not_of(" \t"), content.size()));
    const bool is_declared = is_script(which.language) && !which.anywhere && is_clear &&
                             (is_declaration(content) || is_in(code.declarations, line));
    const bool is_comment = is_clear ? !code.tokens[static_cast<size_t>(line) - 1]
                                     : begins_comment(content, which.has_braces, which.language);
    if (!is_comment && !is_declared && std::ranges::any_of(content, is_in_name)) result.push_back(line);
  }
  return result;
}

std::vector<int32_t> unreported_code(const ImportedFile& imported, const std::string& path, const std::string& text,
                                     const SourceAnalysis* python, const std::vector<int32_t>& lines,
                                     const std::vector<int32_t>& excluded) {
  if (!imported.lines.empty()) return {};
  std::vector<int32_t> result;
  if (python) {
    std::set<int32_t> touched;
    for (int32_t line : lines)
      if (line >= 1 && line <= python->n_lines) touched.insert(python->logical_line(line));
    std::ranges::copy_if(python->statements, std::back_inserter(result),
                         [&](int32_t line) { return touched.contains(line); });
  } else if (const bool braces = has_braces(path); braces || !imported.functions.empty()) {
    // A file without functions may be one of types alone.
    result = changed_code_lines(text, lines, {braces, !braces, language_of(path)});
  }
  std::erase_if(result, [&](int32_t line) { return std::ranges::binary_search(excluded, line); });
  return result;
}

}  // namespace qd::report
