// Prints the analysis of Python files as JSON, one file a line.
// Usage: dump_analysis PYTHON_MINOR PATTERNS.json < FILE_NAMES, where the patterns are {"exclude": [...], "partial":
// [...]}, and {"by_line": true, "by_token": true} for the ways of old versions.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "report/analysis/analysis.h"
#include "report/analysis/analysis_parts.h"
#include "report/analysis/cache/analysis_cache.h"

using nlohmann::json;
using namespace qd::report;

namespace {

json arcs_of(const std::vector<Arc>& arcs) {
  json result = json::array();
  for (const Arc& arc : arcs) result.push_back({arc.from, arc.to});
  return result;
}

json multiline_map(const SourceAnalysis& source) {
  json result = json::object();
  for (size_t line = 1; line < source.first_line.size(); ++line)
    if (source.first_line[line] != static_cast<int32_t>(line)) result[std::to_string(line)] = source.first_line[line];
  return result;
}

/// Measured data by the rule of analysis_oracle.py.
FileData made_up(const SourceAnalysis& source) {
  FileData data;
  std::vector<Arc>& arcs = data.arcs[0];
  for (const Arc& arc : source.arcs)
    if ((arc.from * 7 + std::abs(arc.to) * 3) % 5 < 3) arcs.push_back(arc);
  int32_t last = source.statements.empty() ? 1 : source.statements.back();
  for (int32_t line = 4; line <= last; line += 4) arcs.push_back({line, line});
  for (int32_t line = 6; line <= last; line += 6) arcs.push_back({line, line + 1});
  std::sort(arcs.begin(), arcs.end());
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
  return data;
}

json counts(const AnalysisPart& part) {
  const Numbers& n = part.numbers;
  return {n.n_statements,
          n.n_excluded,
          n.n_missing,
          n.n_branches,
          n.n_partial_branches,
          n.n_missing_branches,
          part.executed,
          part.missing,
          part.excluded,
          arcs_of(part.executed_branches),
          arcs_of(part.missing_branches)};
}

json narrowed(const SourceAnalysis& source) {
  Analysis analysis = analyze("", "", source, made_up(source), true);
  AnalysisParts parts(analysis);
  AnalysisPart part;
  auto cut = [&](const LineRanges& ranges) {
    parts.cut(ranges, part);
    return counts(part);
  };
  const Numbers& n = analysis.numbers;
  json result, stats = json::array();
  for (const auto& [line, exits] : analysis.branch_stats) stats.push_back({line, exits[0], exits[1]});
  result["file"] = {n.n_statements,
                    n.n_excluded,
                    n.n_missing,
                    n.n_branches,
                    n.n_partial_branches,
                    n.n_missing_branches,
                    analysis.missing_formatted(),
                    stats};
  result["all lines"] = cut({{1, std::numeric_limits<int32_t>::max()}});
  for (CodeRegion::Kind kind : {CodeRegion::Kind::Function, CodeRegion::Kind::Class}) {
    std::string name = kind == CodeRegion::Kind::Function ? "function" : "class";
    LineRanges inside;
    result[name] = json::array();
    for (const CodeRegion& region : source.regions) {
      if (region.kind != kind) continue;
      LineRanges lines = ranges_of(region.lines);
      result[name].push_back({region.name, region.start, region.lines, cut(lines)});
      inside.insert(inside.end(), lines.begin(), lines.end());
    }
    result["no " + name] = cut(ranges_outside(std::move(inside), source.n_lines));
  }
  return result;
}

/// The parts of "one or other", sorted: coverage.py tells those that start on one line in any order.
std::vector<std::string> alternatives(const std::string& description) {
  std::vector<std::string> result;
  size_t start = 0;
  for (size_t end; (end = description.find(" or ", start)) != std::string::npos; start = end + 4)
    result.push_back(description.substr(start, end - start));
  result.push_back(description.substr(start));
  std::sort(result.begin(), result.end());
  return result;
}

/// Checks that packing and unpacking an analysis, as the cache does, gives it back. Throws when it does not.
void check_round_trip(const SourceAnalysis& source, AnalysisOptions options) {
  std::string bytes = pack_analysis(source, options);
  SourceAnalysis expected = source;
  for (bool* part : {static_cast<bool*>(nullptr), &options.descriptions, &options.regions}) {
    if (part) *part = false;
    if (!options.descriptions) expected.arc_reasons.clear();
    if (!options.regions) expected.regions.clear();
    SourceAnalysis unpacked;
    if (!unpack_analysis(bytes, options, unpacked) || unpacked != expected)
      throw std::runtime_error("packed and unpacked, the analysis is another one");
  }
}

json dump(const std::string& path, const Exclusions& exclusions, const AnalysisOptions& options) {
  json result;
  result["path"] = path;
  try {
    SourceAnalysis source = analyze_source(read_source(path), path, exclusions, options);
    check_round_trip(source, options);
    result["statements"] = source.statements;
    result["excluded"] = source.excluded;
    result["no_branch"] = source.no_branch;
    result["arcs"] = arcs_of(source.arcs);
    result["exit_counts"] = json::object();
    for (auto [line, count] : source.exit_counts) result["exit_counts"][std::to_string(line)] = count;
    result["descriptions"] = json::array();
    for (const Arc& arc : source.arcs)
      result["descriptions"].push_back(
          {arc.from, arc.to, source.arc_description(arc), alternatives(source.missing_arc_description(arc))});
    result["narrowed"] = narrowed(source);
    result["multiline"] = multiline_map(source);
  } catch (const std::runtime_error& error) {
    result["error"] = error.what();
  }
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  AnalysisOptions options;
  options.regions = options.descriptions = options.conditions = options.kernels = true;
  options.python_minor = std::atoi(argv[1]);
  json patterns = json::parse(std::ifstream(argv[2]));
  Exclusions exclusions{patterns["exclude"],
                        patterns["partial"],
                        {},
                        patterns.value("by_line", false),
                        patterns.value("by_token", false)};
  std::vector<std::string> paths;
  for (std::string line; std::getline(std::cin, line);) paths.push_back(line);

  std::vector<std::string> results(paths.size());
  std::atomic<size_t> next = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
    threads.emplace_back([&] {
      for (size_t k; (k = next++) < paths.size();)
        results[k] = dump(paths[k], exclusions, options).dump(-1, ' ', false, json::error_handler_t::replace);
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& result : results) std::cout << result << "\n";
}
