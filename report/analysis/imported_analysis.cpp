// Analysis of a file that another tool measured: its lines are the statements.
#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include "report/analysis/analysis.h"
#include "report/data/file_content.h"
#include "report/data/utf8.h"
#include "runtime/syntax/parse.h"

namespace qd::report {

namespace {

/// Identity map of lines: every line is a logical line. The input numbers physical lines, or those where its tool
/// thinks that a statement begins.
std::vector<int32_t> each_for_itself(int32_t n_lines) {
  std::vector<int32_t> lines(static_cast<size_t>(n_lines) + 1);
  std::iota(lines.begin(), lines.end(), 0);
  return lines;
}

/// A region for each function, or for all instances of a template together. A line belongs to the innermost one.
std::vector<CodeRegion> function_regions(const ImportedFile& file, int32_t n_lines) {
  std::vector<const ImportedFunction*> functions;
  for (const ImportedFunction& function : file.functions) functions.push_back(&function);
  auto range = [&](const ImportedFunction* f) {
    return std::pair(f->first_line, -file.last_line_of(*f));
  };  // outer ones first
  std::sort(functions.begin(), functions.end(),
            [&](const auto* a, const auto* b) { return std::pair(range(a), a->name) < std::pair(range(b), b->name); });
  functions.erase(std::unique(functions.begin(), functions.end(),
                              [&](const auto* a, const auto* b) { return range(a) == range(b); }),
                  functions.end());

  std::vector<int32_t> owner(static_cast<size_t>(n_lines) + 1, -1);
  std::vector<CodeRegion> regions;
  for (const ImportedFunction* function : functions) {
    auto index = static_cast<int32_t>(regions.size());
    int32_t last = std::min(file.last_line_of(*function), n_lines);
    if (function->first_line < 1 || function->first_line > last) continue;
    std::fill(owner.begin() + function->first_line, owner.begin() + last + 1, index);
    regions.push_back({CodeRegion::Kind::Function, function->name, function->first_line, {}});
  }
  for (int32_t line = 1; line <= n_lines; ++line)
    if (int32_t index = owner[static_cast<size_t>(line)]; index >= 0)
      regions[static_cast<size_t>(index)].lines.push_back(line);
  return regions;
}

}  // namespace

std::string decode_imported_source(const std::string& bytes, const std::string& path) {
  if (is_python_name(path)) {
    std::string text = bytes;
    std::replace(text.begin(), text.end(), '\f', ' ');
    return syntax::decode_source(text);
  }
  size_t begin = bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  bool utf8 = is_utf8(std::string_view(bytes).substr(begin));
  std::string text;
  text.reserve(bytes.size());
  for (size_t i = begin; i < bytes.size(); ++i) {
    auto byte = static_cast<unsigned char>(bytes[i]);
    if (byte == '\r' && i + 1 < bytes.size() && bytes[i + 1] == '\n') continue;
    if (utf8 || byte < 0x80) {
      text += bytes[i];
    } else {
      text += static_cast<char>(0xC0 | byte >> 6);
      text += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return text;
}

std::string read_imported_source(const std::string& path) {
  std::optional<std::string> bytes = read_bytes(path);
  if (!bytes) throw NoSource(fmt::format("No source for code: '{}'.", path));
  return decode_imported_source(*bytes, path);
}

Analysis analyze_imported(const std::string& path, const std::string& relative,
                          std::shared_ptr<const ImportedFile> imported, int32_t n_lines, bool regions,
                          std::vector<int32_t> excluded) {
  Analysis result;
  result.path = path;
  result.relative = relative;
  result.has_arcs = !imported->branches.empty();
  if (!imported->lines.empty()) n_lines = std::max(n_lines, imported->lines.back().line);
  result.source.n_lines = n_lines;
  result.source.first_line = result.source.last_line = each_for_itself(n_lines);
  for (const ImportedLine& line : imported->lines) {
    result.source.statements.push_back(line.line);
    (line.hits > 0 ? result.executed : result.missing).push_back(line.line);
  }
  std::erase_if(excluded, [&](int32_t line) { return line > n_lines; });
  result.source.excluded = std::move(excluded);
  result.numbers.n_files = 1;
  result.numbers.n_excluded = static_cast<int32_t>(result.source.excluded.size());
  result.numbers.n_statements = static_cast<int32_t>(result.source.statements.size());
  result.numbers.n_missing = static_cast<int32_t>(result.missing.size());
  for (auto branch = imported->branches.begin(); branch != imported->branches.end();) {
    int32_t line = branch->line, total = 0, taken = 0;
    for (; branch != imported->branches.end() && branch->line == line; ++branch) {
      ++total;
      taken += branch->was_taken() ? 1 : 0;
    }
    result.add_branch_stats(line, total, taken);
  }
  if (regions) result.source.regions = function_regions(*imported, n_lines);
  result.imported = std::move(imported);
  return result;
}

}  // namespace qd::report
