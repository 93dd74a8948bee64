// Sums of several reports of other tools about one file.
#include "report/data/imported.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>

namespace qd::report {

namespace {

uint64_t sum(uint64_t a, uint64_t b) {
  return a > std::numeric_limits<uint64_t>::max() - b ? std::numeric_limits<uint64_t>::max() : a + b;
}

std::optional<uint64_t> sum(std::optional<uint64_t> a, std::optional<uint64_t> b) {
  if (!a || !b) return a ? a : b;
  return sum(*a, *b);
}

auto place(const ImportedLine& line) { return line.line; }
auto place(const ImportedBranch& branch) { return branch.place(); }
auto place(const ImportedFunction& function) {
  return std::tie(function.first_line, function.last_line, function.name);
}

void add(ImportedLine& ours, const ImportedLine& other) { ours.hits = sum(ours.hits, other.hits); }
void add(ImportedBranch& ours, const ImportedBranch& other) { ours.taken = sum(ours.taken, other.taken); }
void add(ImportedFunction& ours, const ImportedFunction& other);

/// Merges each run of equal places of a sorted list into one element.
template <typename T>
void fold(std::vector<T>& list) {
  size_t n = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    if (n > 0 && place(list[n - 1]) == place(list[i])) {
      add(list[n - 1], list[i]);
    } else {
      if (n != i) list[n] = std::move(list[i]);
      ++n;
    }
  }
  list.resize(n);
}

template <typename T>
bool before(const T& a, const T& b) {
  return place(a) < place(b);
}

template <typename T>
void settle_list(std::vector<T>& list) {
  if (!std::is_sorted(list.begin(), list.end(), before<T>)) std::sort(list.begin(), list.end(), before<T>);
  fold(list);
}

template <typename T>
void merge_list(std::vector<T>& ours, const std::vector<T>& other) {
  if (other.empty()) return;
  std::vector<T> both;
  both.reserve(ours.size() + other.size());
  std::merge(ours.begin(), ours.end(), other.begin(), other.end(), std::back_inserter(both), before<T>);
  fold(both);
  ours = std::move(both);
}

void add(ImportedFunction& ours, const ImportedFunction& other) {
  ours.hits = sum(ours.hits, other.hits);
  merge_list(ours.lines, other.lines);
}

}  // namespace

void ImportedFile::settle() {
  settle_list(lines);
  settle_list(branches);
  for (ImportedFunction& function : functions) settle_list(function.lines);
  settle_list(functions);
}

void ImportedFile::merge(const ImportedFile& other) {
  sources.insert(other.sources.begin(), other.sources.end());
  merge_list(lines, other.lines);
  merge_list(branches, other.branches);
  merge_list(functions, other.functions);
  older = older || other.older;
}

ImportedFile ImportedFile::without_hits() const {
  ImportedFile result = *this;
  for (ImportedLine& line : result.lines) line.hits = 0;
  for (ImportedBranch& branch : result.branches) branch.taken.reset();
  for (ImportedFunction& function : result.functions) {
    function.hits = 0;
    for (ImportedLine& line : function.lines) line.hits = 0;
  }
  return result;
}

ImportedFile ImportedFile::expanded() const {
  ImportedFile result = *this;
  result.lines.clear();
  for (const ImportedLine& line : lines) {
    if (!result.lines.empty())
      for (ImportedLine before = result.lines.back(); ++before.line < line.line;) result.lines.push_back(before);
    result.lines.push_back(line);
  }
  return result;
}

bool ImportedFile::has_line(int32_t line) const {
  auto found =
      std::lower_bound(lines.begin(), lines.end(), line, [](const ImportedLine& a, int32_t b) { return a.line < b; });
  return found != lines.end() && found->line == line;
}

uint64_t ImportedFile::hits(int32_t line) const {
  auto found =
      std::lower_bound(lines.begin(), lines.end(), line, [](const ImportedLine& a, int32_t b) { return a.line < b; });
  return found != lines.end() && found->line == line ? found->hits : 0;
}

std::span<const ImportedBranch> ImportedFile::branches_of(int32_t line) const {
  auto first = std::lower_bound(branches.begin(), branches.end(), line,
                                [](const ImportedBranch& a, int32_t b) { return a.line < b; });
  auto last = first;
  while (last != branches.end() && last->line == line) ++last;
  return {first, last};
}

int32_t ImportedFile::last_line_of(const ImportedFunction& function) const {
  if (function.last_line > 0) return function.last_line;
  auto next = std::upper_bound(functions.begin(), functions.end(), function.first_line,
                               [](int32_t line, const ImportedFunction& other) { return line < other.first_line; });
  if (next != functions.end()) return next->first_line - 1;
  return std::max(function.first_line, lines.empty() ? 0 : lines.back().line);
}

std::string AmbiguousName::text() const {
  std::error_code error;
  const std::string here = std::filesystem::current_path(error).string() + "/";
  auto shown = [&](const std::string& path) { return path.starts_with(here) ? path.substr(here.size()) : path; };
  std::vector<std::string> names;
  for (const std::string& path : paths) names.push_back(fmt::format("'{}'", shown(path)));
  const std::string last = names.back(), subject = fmt::format("'{}' in '{}'", name, shown(report));
  if (names.size() == 1) return fmt::format("{} is the name of several files, which all fit {}", subject, last);
  names.pop_back();
  return fmt::format("{} fits {} and {}", subject, fmt::join(names, ", "), last);
}

}  // namespace qd::report
