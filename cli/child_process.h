// Child process: starts a program and waits for its end.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace qd::cli {

/// Changes to the environment; no value removes a variable.
using EnvironmentChanges = std::map<std::string, std::optional<std::string>>;

/// A signal that is passed on to the program, and the action when the program answers with the same signal.
struct SaveSignal {
  int number = 0;
  std::function<void()> save;
};

enum class Output { kShown, kDropped };

/// Runs `command` (its first word is looked up in PATH) and waits. Returns its exit code, or 128+n when signal n ended
/// it. Meanwhile signals that end a process, such as SIGINT, SIGTERM and SIGUSR1, are the program's: they are passed on
/// to it, unless it has got them as a process of the same group. Processes that it leaves behind are waited for too,
/// but only briefly. Throws std::runtime_error when it cannot be started.
int run_program(const std::vector<std::string>& command, const EnvironmentChanges& changes = {},
                Output output = Output::kShown, const std::optional<SaveSignal>& save_signal = std::nullopt);

/// Finds the file of a command: `name` itself when it has a slash, else by PATH. No value when no such file may be
/// executed.
std::optional<std::string> find_program(const std::string& name);

}  // namespace qd::cli
