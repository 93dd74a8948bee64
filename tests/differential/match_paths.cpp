// Answers of our pattern and path rules, for the test that compares them with coverage.py's. Lines of tab-separated
// fields come in:
//   glob PATTERN PATH                        -> yes, no, or the error
//   alias RELATIVE(0|1) RESULT PATTERN PATH  -> the mapped path, or the error
//   aliases RELATIVE(0|1) N (RESULT PATTERN){N} PATH...  -> the mapped paths of one object, in turn, or the error
#include <fmt/format.h>

#include <iostream>
#include <stdexcept>

#include "report/config/path_aliases.h"

namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  for (size_t start = 0; start <= line.size();) {
    size_t end = std::min(line.find('\t', start), line.size());
    fields.push_back(line.substr(start, end - start));
    start = end + 1;
  }
  return fields;
}

std::string all_answers(const std::vector<std::string>& fields) {
  qd::report::Config config;
  config.relative_files = fields[1] == "1";
  size_t n = std::stoul(fields[2]);
  for (size_t i = 0; i < n; ++i) config.paths.push_back({std::to_string(i), {fields[3 + 2 * i], fields[4 + 2 * i]}});
  qd::report::PathAliases aliases(config);
  std::string result;
  for (size_t i = 3 + 2 * n; i < fields.size(); ++i) result += (result.empty() ? "" : "\t") + aliases.map(fields[i]);
  return result;
}

std::string answer(const std::vector<std::string>& fields) {
  using namespace qd::report;
  if (fields[0] == "glob") return GlobMatcher({fields[1]}).match(fields[2]) ? "yes" : "no";
  if (fields[0] == "aliases") return all_answers(fields);
  Config config;
  config.relative_files = fields[1] == "1";
  config.paths = {{"x", {fields[2], fields[3]}}};
  return PathAliases(config).map(fields[4]);
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    try {
      fmt::print("{}\n", answer(fields_of(line)));
    } catch (const std::runtime_error& error) {
      fmt::print("{}\n", error.what());
    }
  }
}
