// Program output: runs another program to its end and reads what it prints.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace qd::report {

/// Error of starting a program.
struct StartError : std::runtime_error {
  using std::runtime_error::runtime_error;

  bool not_found = false;
};

struct ProgramOutput {
  int exit_code = 0;  // 128 and more: the number of a signal
  std::string out;
  std::string err;
};

/// Runs `words`, the first of which is looked up on the PATH, with `input` on its standard input and `environment`, of
/// "NAME=VALUE", instead of this process's. Throws StartError.
ProgramOutput program_output(std::vector<std::string> words, const std::string& input,
                             std::vector<std::string> environment);

/// The variables of this process's environment, as "NAME=VALUE".
std::vector<std::string> own_environment();

}  // namespace qd::report
