// Parsing time for the files named on standard input: the best of several rounds, all files in memory. Prints "seconds
// bytes files".
#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/syntax/parse.h"

int main() {
  std::vector<std::string> sources;
  size_t bytes = 0;
  for (std::string path; std::getline(std::cin, path);) {
    std::ostringstream contents;
    contents << std::ifstream(path, std::ios::binary).rdbuf();
    sources.push_back(std::move(contents).str());
    bytes += sources.back().size();
  }
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (const std::string& source : sources) qd::syntax::parse(qd::syntax::decode_source(source));
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  fmt::print("{} {} {}\n", best, bytes, sources.size());
}
