// Answers of a file tracer plugin of coverage.py about a file that it measured, and the data measured there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "report/analysis/source/regions.h"
#include "report/data/arc.h"

namespace qd::report {

/// An exception of a plugin; what() is its text. If it is not one of coverage.py's own, the text is Python's traceback
/// with the exception at its end.
struct PluginFailure : std::runtime_error {
  PluginFailure(const std::string& message, std::string trace)
      : std::runtime_error(message), traceback(std::move(trace)) {}
  std::string traceback;
};

/// The answers of a reporter. Lines are sorted; a plugin may name lines that the file does not have.
struct PluginFile {
  std::string path;      // path of the reporter's file: absolute, or relative under relative_files
  std::string relative;  // as reports show it
  std::string asked_as;  // the name in the data, by which the plugin was asked

  std::optional<PluginFailure> failure;  // in place of the members below
  std::vector<int32_t> statements, excluded, executed, no_branch;
  std::vector<Arc> arcs, executed_arcs;  // sorted; when branches were measured, as the next two
  std::vector<std::pair<int32_t, int32_t>> exit_counts;
  struct Sentences {
    std::string does;    // "jump to line 3"
    std::string misses;  // "Line 1 didn't jump to line 3"
  };
  std::map<Arc, Sentences> descriptions;           // of branches, when they are asked for
  std::vector<std::pair<int32_t, int32_t>> moved;  // a measured line, and the line that stands for it in reports
  std::vector<std::pair<std::string, std::string>> region_kinds;  // "function", "functions"
  std::vector<std::pair<std::string, CodeRegion>>
      regions;                      // with the kind of each; CodeRegion::kind knows functions and classes alone
  std::optional<std::string> text;  // when it is asked for
};

}  // namespace qd::report
