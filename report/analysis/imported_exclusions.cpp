// Exclusion markers of lcov and gcovr, found line by line, with a state for each kind of section.
#include "report/analysis/imported_exclusions.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "report/analysis/source/line_patterns.h"

namespace qd::report {
namespace {

/// The parts that a marker excludes: lines (LCOV_EXCL_LINE), branches (..._BR_LINE) or exceptions.
enum class Kind : uint8_t { Lines, Branches, Exceptions };
constexpr std::array<std::string_view, 3> kKinds = {"", "BR_", "EXCEPTION_BR_"};

struct Marker {
  std::string_view text, tool, what;  // "LCOV_EXCL_BR_LINE", "LCOV", "LINE"
  Kind kind = Kind::Lines;
};

bool is_word(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

/// Finds the next marker of a line from `at` on, and moves `at` behind it.
std::optional<Marker> next_marker(std::string_view line, size_t& at) {
  constexpr std::string_view kBegin = "_EXCL_";
  constexpr std::array<std::string_view, 3> kTools = {"LCOV", "GCOVR", "GCOV"};
  while ((at = line.find(kBegin, at)) != std::string_view::npos) {
    const size_t middle = at;
    at += kBegin.size();
    size_t begin = middle, end = at;
    while (begin > 0 && is_word(line[begin - 1])) --begin;
    while (end < line.size() && is_word(line[end])) ++end;
    Marker marker{line.substr(begin, end - begin), line.substr(begin, middle - begin), line.substr(at, end - at),
                  Kind::Lines};
    for (const Kind kind : {Kind::Exceptions, Kind::Branches})
      if (const std::string_view prefix = kKinds[static_cast<size_t>(kind)]; marker.what.starts_with(prefix)) {
        marker.what.remove_prefix(prefix.size());
        marker.kind = kind;
        break;
      }
    if (std::find(kTools.begin(), kTools.end(), marker.tool) == kTools.end()) continue;
    if (marker.what == "LINE" || marker.what == "START" || marker.what == "STOP") return marker;
  }
  return std::nullopt;
}

/// State of the sections (START to STOP) of one kind.
class Sections {
 public:
  Sections(std::vector<int32_t>& lines, const std::string& path, std::vector<std::string>& notes)
      : lines_(lines), path_(path), notes_(notes) {}

  void add(const Marker& marker, int32_t line) {
    if (marker.what == "LINE") {
      lines_.push_back(line);
    } else if (marker.what == "START") {
      if (open_) note("is not stopped before the next one, and excludes nothing");
      open_ = line;
      text_ = marker.text;
      tool_ = marker.tool;
    } else if (!open_ || tool_ != marker.tool) {
      notes_.push_back(fmt::format("{}:{}: '{}' has no start before it, and does nothing", path_, line, marker.text));
    } else {
      for (int32_t excluded = *open_; excluded < line; ++excluded) lines_.push_back(excluded);
      open_.reset();
    }
  }

  void finish() {
    if (open_) note("is never stopped, and excludes nothing");
    std::sort(lines_.begin(), lines_.end());
    lines_.erase(std::unique(lines_.begin(), lines_.end()), lines_.end());
  }

 private:
  void note(const char* what) { notes_.push_back(fmt::format("{}:{}: '{}' {}", path_, *open_, text_, what)); }

  std::vector<int32_t>& lines_;
  const std::string& path_;
  std::vector<std::string>& notes_;
  std::optional<int32_t> open_;  // first line of the open section
  std::string text_, tool_;
};

bool holds(const std::vector<int32_t>& sorted, int32_t line) {
  return std::binary_search(sorted.begin(), sorted.end(), line);
}

}  // namespace

ExcludedParts find_excluded_parts(const std::string& text, const std::string& path, const Exclusions& exclusions,
                                  const SourceAnalysis* python) {
  ExcludedParts result;
  result.all_exceptions = exclusions.throw_branches;
  if (python)
    result.lines = python->excluded;
  else if (std::any_of(exclusions.exclude.begin(), exclusions.exclude.end(), [](const auto& p) { return !p.empty(); }))
    LinePatterns::get(exclusions.exclude, exclusions.by_line)->find_lines(text, [&](int32_t first, int32_t last) {
      for (int32_t line = first; line <= last; ++line) result.lines.push_back(line);
    });
  std::array<Sections, 3> sections = {Sections(result.lines, path, result.notes),
                                      Sections(result.branches, path, result.notes),
                                      Sections(result.exceptions, path, result.notes)};
  std::string_view rest = text;
  if (text.find("_EXCL_") == std::string::npos) rest = {};
  for (int32_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    for (size_t at = 0; std::optional<Marker> marker = next_marker(line, at);)
      sections[static_cast<size_t>(marker->kind)].add(*marker, number);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  for (Sections& of_kind : sections) of_kind.finish();
  return result;
}

ImportedFile without(const ImportedFile& file, const ExcludedParts& excluded) {
  ImportedFile result = file;
  std::erase_if(result.lines, [&](const ImportedLine& line) { return holds(excluded.lines, line.line); });
  std::erase_if(result.branches, [&](const ImportedBranch& branch) {
    return holds(excluded.lines, branch.line) || holds(excluded.branches, branch.line) ||
           (branch.is_exception() && (excluded.all_exceptions || holds(excluded.exceptions, branch.line)));
  });
  for (ImportedFunction& function : result.functions)
    std::erase_if(function.lines, [&](const ImportedLine& line) { return holds(excluded.lines, line.line); });
  return result;
}

}  // namespace qd::report
