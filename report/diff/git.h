// git command, run without a shell and independent of the user's configuration.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "report/data/program_output.h"

namespace qd::report {

/// Error of git: it is missing, or cannot report the changes. The text is one line in the words of the user's command.
struct GitError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct GitOutput : ProgramOutput {
  /// First line of `err` without "fatal: " and the like.
  std::string first_error() const;
};

/// Runs `git -C folder args...` to its end, with English messages, and with `input` on its standard input.
/// `environment` changes variables: "NAME=VALUE" sets one, "NAME" removes one. `git replace` has no effect. Throws
/// GitError only when git cannot be started.
GitOutput run_git(const std::string& folder, const std::vector<std::string>& args, const std::string& input = {},
                  const std::vector<std::string>& environment = {});

/// Parts of an output with -z, which are separated by NUL.
std::vector<std::string> split_nul(const std::string& text);

/// Contents of blobs, by their full ids, from one process; nothing for an id without a blob. Throws GitError.
std::vector<std::optional<std::string>> read_blobs(const std::string& folder, const std::vector<std::string>& ids);

}  // namespace qd::report
