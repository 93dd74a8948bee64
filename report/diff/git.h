// The git command: run without a shell, untouched by the user's configuration.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace qd::report {

/// git is missing, or cannot say what changed. The text is one line in the terms of the user's command.
struct GitError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct GitOutput {
  int exit_code = 0;
  std::string out;
  std::string err;

  /// First line of `err` without "fatal: " and the like.
  std::string first_error() const;
};

/// Runs `git -C folder args...` to its end, with English messages and nothing on its input. Throws GitError only when git cannot be started.
GitOutput run_git(const std::string& folder, const std::vector<std::string>& args);

}  // namespace qd::report
