// Prints the messages that --debug=combine and similar options ask for.
#pragma once

#include <cstdio>
#include <string>

#include "report/config/config.h"

namespace qd::cli {

/// " a" without the blanks.
std::string without_blanks(std::string text);

/// Messages of one kind, written where coverage.py writes them: standard error, or the file of [run] debug_file and
/// $COVERAGE_DEBUG_FILE.
class DebugMessages {
 public:
  /// --debug, $COVERAGE_DEBUG or [run] debug, which are all in the configuration, ask for kinds of messages.
  DebugMessages(const std::string& kind, const report::Config& config);
  ~DebugMessages();
  DebugMessages(const DebugMessages&) = delete;
  DebugMessages& operator=(const DebugMessages&) = delete;

  /// Whether somebody asked for this kind.
  bool wanted() const { return wanted_; }
  void write(const std::string& message);

 private:
  bool wanted_;
  std::FILE* file_ = stderr;
};

}  // namespace qd::cli
