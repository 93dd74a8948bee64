// LCOV report. A record for each file:
//
//   SF:NAME
//   DA:LINE,HIT[,CHECKSUM]
//   LF:N LH:N
//   FN:FIRST,LAST,NAME FNDA:HIT,NAME FNF:N FNH:N
//   BRDA:LINE,0,WHAT THE BRANCH DOES,(1|0|-) BRF:N BRH:N
//   end_of_record
#include "report/formats/machine/lcov_report.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "report/analysis/analysis_parts.h"
#include "report/formats/common/digests.h"
#include "report/formats/common/human_order.h"
#include "report/formats/common/python_lines.h"
#include "report/formats/common/text.h"

namespace qd::report {

namespace {

void add_number(std::string& out, const char* name, int64_t number) {
  append_number(out += name, number);
  out += '\n';
}

constexpr uint64_t kMostHits = std::numeric_limits<int64_t>::max();

void add_lines(std::string& out, const Analysis& analysis, const std::string& text, bool checksums) {
  auto missing = analysis.missing.begin();
  std::string_view rest = checksums ? text : std::string_view(), source_line;
  int32_t number = 0;  // of source_line
  for (int32_t line : analysis.source.statements) {
    bool is_missing = missing != analysis.missing.end() && *missing == line;
    if (is_missing) ++missing;
    append_number(out += "DA:", line);
    if (analysis.imported)
      append_number(out += ',', static_cast<int64_t>(std::min(analysis.imported->hits(line), kMostHits)));
    else
      out += is_missing ? ",0" : ",1";
    if (checksums) {
      for (; number < line; ++number) source_line = take_python_line(rest);
      auto hash = md5(without_line_end(source_line));
      (out += ',') += base64(hash.data(), hash.size());
    }
    out += '\n';
  }
  if (analysis.numbers.n_statements == 0) return;
  add_number(out, "LF:", analysis.numbers.n_statements);
  add_number(out, "LH:", analysis.numbers.n_executed());
}

void add_functions(std::string& out, const Analysis& analysis) {
  struct Function {
    int32_t first, last;
    const CodeRegion* region;
  };
  std::vector<Function> functions;
  for (const CodeRegion& region : analysis.source.regions)
    if (region.kind == CodeRegion::Kind::Function && !region.lines.empty())
      functions.push_back(
          {std::min(region.start, region.lines.front()), std::max(region.start, region.lines.back()), &region});
  if (functions.empty()) return;
  std::sort(functions.begin(), functions.end(), [](const Function& a, const Function& b) {
    return std::tie(a.first, a.last, a.region) < std::tie(b.first, b.last, b.region);
  });

  int32_t n_found = 0, n_hit = 0;
  std::set<std::string> names;
  for (const Function& function : functions) {
    auto holds_line_of = [&](const std::vector<int32_t>& lines) {
      const std::vector<int32_t>& region = function.region->lines;
      auto at = std::lower_bound(lines.begin(), lines.end(), region.front());
      for (auto line = region.begin(); at != lines.end() && line != region.end();) {
        if (*at == *line) return true;
        if (*at < *line)
          ++at;
        else
          ++line;
      }
      return false;
    };
    // Each statement is executed or missing.
    bool hit = holds_line_of(analysis.executed);
    if (!hit && !holds_line_of(analysis.missing)) continue;
    ++n_found;
    n_hit += hit;
    std::string name = printable(function.region->name);
    if (!names.insert(name).second) append_number(name += '@', function.first);
    append_number(out += "FN:", function.first);
    append_number(out += ',', function.last);
    ((out += ',') += name) += hit ? "\nFNDA:1," : "\nFNDA:0,";
    (out += name) += '\n';
  }
  add_number(out, "FNF:", n_found);
  add_number(out, "FNH:", n_hit);
}

/// Adds branches. Blocks are numbered anew on each line: their numbers in the data may be any.
void add_imported_branches(std::string& out, const Analysis& analysis) {
  int32_t line = 0, block = 0, last = 0;
  for (const ImportedBranch& branch : analysis.imported->branches) {
    if (branch.line != line)
      block = 0;
    else if (branch.block != last)
      ++block;
    line = branch.line;
    last = branch.block;
    append_number(out += "BRDA:", line);
    append_number(out += branch.is_exception() ? ",e" : ",", block);
    std::string text = branch.text;
    if (branch.is_exception()) text.erase(0, std::string_view(ImportedBranch::kException).size() + 1);
    const bool describes =
        !text.empty() && text[0] > '9' && text.find(' ') != std::string::npos;  // sentences of coverage.py
    if (describes)
      (out += ',') += printable(text);
    else
      append_number(out += ',', branch.number);
    out += ',';
    if (!branch.taken)
      out += '-';
    else
      append_number(out, static_cast<int64_t>(std::min(*branch.taken, kMostHits)));
    out += '\n';
  }
  if (analysis.numbers.n_branches == 0) return;
  add_number(out, "BRF:", analysis.numbers.n_branches);
  add_number(out, "BRH:", analysis.numbers.n_executed_branches());
}

void add_branches(std::string& out, const Analysis& analysis) {
  if (analysis.imported) return add_imported_branches(out, analysis);
  struct Edge {
    int32_t to;
    char hit;
  };
  AnalysisPart whole;
  AnalysisParts(analysis).cut({{1, std::numeric_limits<int32_t>::max()}}, whole);
  auto executed = whole.executed_branches.begin();
  auto missing = whole.missing_branches.begin();
  std::vector<Edge> edges;
  for (const auto& [line, stats] : analysis.branch_stats) {
    edges.clear();
    for (; executed != whole.executed_branches.end() && executed->from <= line; ++executed)
      edges.push_back({executed->to, '1'});
    // A line with no taken edge may always have raised an exception.
    char not_taken = stats[1] == 0 ? '-' : '0';
    for (; missing != whole.missing_branches.end() && missing->from <= line; ++missing)
      edges.push_back({missing->to, not_taken});
    // A function that consists of a docstring on the line of its `def` has branches there, but no statement.
    if (!std::binary_search(analysis.source.statements.begin(), analysis.source.statements.end(), line)) continue;
    // Exits come last: they are taken when a condition is false.
    std::sort(edges.begin(), edges.end(),
              [](const Edge& a, const Edge& b) { return std::tuple(a.to < 0, a.to) < std::tuple(b.to < 0, b.to); });
    for (const Edge& edge : edges) {
      append_number(out += "BRDA:", line);
      ((out += ",0,") += printable(analysis.arc_description({line, edge.to}))) += ',';
      (out += edge.hit) += '\n';
    }
  }
  if (analysis.numbers.n_branches == 0) return;
  add_number(out, "BRF:", analysis.numbers.n_branches);
  add_number(out, "BRH:", analysis.numbers.n_executed_branches());
}

}  // namespace

LcovReport::File LcovReport::render(const AnalyzedFile& analyzed) const {
  const Analysis& analysis = analyzed.analysis;
  File result{analyzed.file, analysis.numbers, analysis.conditions.numbers(), {}};
  if (config_.skip_empty && analysis.numbers.n_statements == 0) return result;
  std::string& out = result.text;
  out.reserve(analysis.source.statements.size() * 16 + analysis.source.regions.size() * 64 +
              static_cast<size_t>(analysis.numbers.n_branches) * 40 + 256);
  ((out += "SF:") += printable(analysis.relative)) += '\n';
  add_lines(out, analysis, analyzed.text, config_.lcov_line_checksums);
  add_functions(out, analysis);
  if (analysis.has_arcs) add_branches(out, analysis);
  out += "end_of_record\n";
  return result;
}

void LcovReport::add(File&& file) {
  total_ += file.numbers;
  total_conditions_ += file.conditions;
  records_.emplace_back(file.file->relative, std::move(file.text));
}

void LcovReport::write(const std::function<void(std::string_view)>& out) {
  std::sort(records_.begin(), records_.end());
  for (const auto& [name, text] : records_) out(text);
}

}  // namespace qd::report
