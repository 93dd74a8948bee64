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
#include <set>
#include <tuple>

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

void add_lines(std::string& out, const Analysis& analysis, const std::string& text, bool checksums) {
  std::string_view rest = checksums ? text : std::string_view(), source_line;
  int32_t number = 0;  // of source_line
  walk_lines(analysis, [&](const ReportedLine& line) {
    append_number(out += "DA:", line.line);
    append_number(out += ',', line.hits);
    if (checksums) {
      for (; number < line.line; ++number) source_line = take_python_line(rest);
      auto hash = md5(without_line_end(source_line));
      out += ',';
      out += base64({reinterpret_cast<const char*>(hash.data()), hash.size()}).substr(0, 22);  // without padding
    }
    out += '\n';
  });
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
      append_number(out, most_hits(*branch.taken));
    out += '\n';
  }
}

/// Adds the branches of Python. A function that consists of a docstring on the line of its `def` has branches there,
/// but no statement: those are left out.
void add_python_branches(std::string& out, const Analysis& analysis) {
  struct Edge {
    int32_t to;
    char hit;
  };
  const std::vector<Arc>& executed = analysis.executed_arcs;
  auto arc = analysis.source.arcs.begin();
  std::vector<Edge> edges;
  walk_lines(analysis, [&](const ReportedLine& line) {
    if (!line.branches) return;
    edges.clear();
    while (arc != analysis.source.arcs.end() && arc->from < line.line) ++arc;
    for (; arc != analysis.source.arcs.end() && arc->from == line.line; ++arc)
      if (std::ranges::binary_search(executed, *arc)) edges.push_back({arc->to, '1'});
    // A line with no taken edge may always have raised an exception.
    const char not_taken = (*line.branches)[1] == 0 ? '-' : '0';
    if (line.never_taken)
      for (int32_t to : *line.never_taken) edges.push_back({to, not_taken});
    // Exits come last: they are taken when a condition is false.
    std::ranges::sort(edges, {}, [](const Edge& edge) { return std::pair(edge.to < 0, edge.to); });
    for (const Edge& edge : edges) {
      append_number(out += "BRDA:", line.line);
      ((out += ",0,") += printable(analysis.arc_description({line.line, edge.to}))) += ',';
      (out += edge.hit) += '\n';
    }
  });
}

void add_branches(std::string& out, const Analysis& analysis) {
  analysis.imported ? add_imported_branches(out, analysis) : add_python_branches(out, analysis);
  if (analysis.numbers.n_branches == 0) return;
  add_number(out, "BRF:", analysis.numbers.n_branches);
  add_number(out, "BRH:", analysis.numbers.n_executed_branches());
}

}  // namespace

RenderedFile LcovReport::render(const AnalyzedFile& analyzed) const {
  const Analysis& analysis = analyzed.analysis;
  RenderedFile result(analyzed);
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

void LcovReport::add(RenderedFile&& file) {
  total_.add(file);
  records_.emplace_back(file.file->relative, std::move(file.text));
}

void LcovReport::write(const std::function<void(std::string_view)>& out) {
  std::sort(records_.begin(), records_.end());
  for (const auto& [name, text] : records_) out(text);
}

}  // namespace qd::report
