// Exclusions: patterns of lines and branches that do not count.
#pragma once

#include <string>
#include <vector>

namespace qd::report {

/// Exclusion patterns (Python `re` syntax, matched over the whole text), as the configuration resolves them.
struct Exclusions {
  std::vector<std::string> exclude;         // [report] exclude_lines + exclude_also
  std::vector<std::string> partial;         // partial_branches + partial_also
  std::vector<std::string> partial_always;  // partial_branches_always
  bool by_line = false;                     // each line is matched by itself, as before coverage.py 7.6
  bool by_token = false;  // exclusions and docstrings come from tokens instead of the syntax tree, as before 7.5.2
  bool throw_branches = false;  // of imported files: branches of exceptions do not count
};

}  // namespace qd::report
