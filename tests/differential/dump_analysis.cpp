// Prints the analysis of Python files as JSON, one file a line.
// Usage: dump_analysis PYTHON_MINOR PATTERNS.json < FILE_NAMES, where the patterns are {"exclude": [...], "partial": [...]}.
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "report/analysis/analysis.h"

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

json dump(const std::string& path, const Exclusions& exclusions, const AnalysisOptions& options) {
  json result;
  result["path"] = path;
  try {
    SourceAnalysis source = analyze_source(read_source(path), path, exclusions, options);
    result["statements"] = source.statements;
    result["excluded"] = source.excluded;
    result["no_branch"] = source.no_branch;
    result["arcs"] = arcs_of(source.arcs);
    result["exit_counts"] = json::object();
    for (auto [line, count] : source.exit_counts) result["exit_counts"][std::to_string(line)] = count;
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
  options.python_minor = std::atoi(argv[1]);
  json patterns = json::parse(std::ifstream(argv[2]));
  Exclusions exclusions{patterns["exclude"], patterns["partial"], {}};
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
