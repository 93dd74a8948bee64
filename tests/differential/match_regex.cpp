// Matches of regular expressions as JSON, one case a line: the byte offsets of all matches, or why the pattern is none.
// Usage: match_regex < CASES, where a case is ["pattern", "text"].
#include <iostream>
#include <nlohmann/json.hpp>

#include "report/regex/python_regex.h"

using nlohmann::json;
using namespace qd::report;

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    json test = json::parse(line), result = json::array();
    std::string text = test[1];
    try {
      PythonRegex(test[0], RegexMode::kMultiline).find_all(text, [&](size_t start, size_t end) {
        result.push_back({start, end});
      });
    } catch (const std::runtime_error& error) {
      result = error.what();
    }
    std::cout << result.dump() << "\n";
  }
}
