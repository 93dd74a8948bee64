// Plugin process: a process of the user's Python that has loaded the plugins of coverage.py, and answers questions.
#pragma once

#include <sys/types.h>

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/config/config.h"

namespace qd::cli {

/// The process ends with this process, or with the object. ask_plugins.py has the questions and answers.
class PluginProcess {
 public:
  /// Starts `python`. Throws std::runtime_error when that is not possible.
  explicit PluginProcess(const std::string& python);
  ~PluginProcess();
  PluginProcess(const PluginProcess&) = delete;
  PluginProcess& operator=(const PluginProcess&) = delete;

  /// Sends a question and waits for the answer, without a time limit: a plugin that hangs would hang under coverage.py,
  /// too. Throws std::runtime_error when the process ends instead.
  nlohmann::json ask(const nlohmann::json& question);

 private:
  void send(const std::string& text);
  std::string read_line();
  [[noreturn]] void fail();

  pid_t process_ = 0;
  int socket_ = -1;
  std::string unread_;
};

// Plugin session: the one process with the plugins of this run's configuration.

/// Returns the answer to a question of ask_plugins.py, from the process of configure_by_plugins(), or from a new one
/// like it. The answer may be an error.
nlohmann::json ask_plugins(const report::Config& config, const nlohmann::json& question);

/// Throws the error in an answer, if there is one: report::PluginFailure for an exception of a plugin,
/// std::runtime_error for an error with a text of its own.
void throw_failure_in(const nlohmann::json& answer);

}  // namespace qd::cli
