// Debug messages of --debug=combine and similar options.
#include "cli/output/debug_messages.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "cli/command_line.h"

namespace qd::cli {

namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

}  // namespace

std::string without_blanks(std::string text) {
  text.erase(0, text.find_first_not_of(" \t"));
  text.erase(text.find_last_not_of(" \t") + 1);
  return text;
}

DebugMessages::DebugMessages(const std::string& kind, const report::Config& config) {
  wanted_ = std::any_of(config.debug.begin(), config.debug.end(),
                        [&](const std::string& one) { return without_blanks(one) == kind; });
  std::string name = environment("COVERAGE_DEBUG_FILE");
  if (name.empty()) name = config.debug_file.value_or("");
  if (!wanted_ || name.empty() || name == "stderr") return;
  file_ = name == "stdout" ? stdout : std::fopen(name.c_str(), "a");
  if (!file_) throw report::ConfigError(fmt::format("Couldn't write to '{}'", name));
}

DebugMessages::~DebugMessages() {
  if (file_ != stderr && file_ != stdout) std::fclose(file_);
}

void DebugMessages::write(const std::string& message) {
  if (!wanted_) return;
  fmt::print(file_, "{}\n", message);
  std::fflush(file_);
}

}  // namespace qd::cli
