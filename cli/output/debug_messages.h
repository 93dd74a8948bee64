// Debug messages of --debug=combine and similar options.
#pragma once

#include <cstdio>
#include <string>

#include "report/config/config.h"

namespace qd::cli {

/// Text without blanks.
std::string without_blanks(std::string text);

/// Messages of one kind, written to coverage.py's destination: standard error, or the file of [run] debug_file and
/// $COVERAGE_DEBUG_FILE.
class DebugMessages {
 public:
  /// Kinds are chosen by --debug, $COVERAGE_DEBUG or [run] debug, which are all in the configuration.
  DebugMessages(const std::string& kind, const report::Config& config);
  ~DebugMessages();
  DebugMessages(const DebugMessages&) = delete;
  DebugMessages& operator=(const DebugMessages&) = delete;

  /// Whether this kind was chosen.
  bool wanted() const { return wanted_; }
  void write(const std::string& message);

 private:
  bool wanted_;
  std::FILE* file_ = stderr;
};

}  // namespace qd::cli
