// Commands of qd-cov: one row of a table and one file for each.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace qd::cli {

/// Exit codes, as in coverage.py. `run` passes on the code of its command instead.
enum ExitCode { kOk = 0, kError = 1, kFailUnder = 2 };

using Arguments = std::vector<std::string>;  // the words behind the command's name

/// A command. It throws std::runtime_error (DataError, ConfigError, ...) for errors that the user can fix; main prints
/// the text and exits with kError.
struct Command {
  const char* name;
  const char* help;  // one line for `qd-cov help`
  int (*run)(const Arguments& arguments);
};

/// Returns all commands, in alphabetical order.
std::span<const Command> all_commands();
/// Returns the nearest command of a mistyped name; empty when none is near.
std::string near_command(const std::string& name);

int annotate(const Arguments& arguments);
int badge(const Arguments& arguments);
int check(const Arguments& arguments);
int combine(const Arguments& arguments);
int completion(const Arguments& arguments);
int debug(const Arguments& arguments);
int diff(const Arguments& arguments);
int erase(const Arguments& arguments);
int github(const Arguments& arguments);
int gitlab(const Arguments& arguments);
int help(const Arguments& arguments);
int html(const Arguments& arguments);
int json(const Arguments& arguments);
int lcov(const Arguments& arguments);
int lsp(const Arguments& arguments);
int man(const Arguments& arguments);
/// Not in the table: the pytest plugin calls it.
int note_session(const Arguments& arguments);
int recover(const Arguments& arguments);
int report(const Arguments& arguments);
int run(const Arguments& arguments);
int trend(const Arguments& arguments);
int which_tests(const Arguments& arguments);
int xml(const Arguments& arguments);

}  // namespace qd::cli
