// Measured command: recognises the command of `qd-cov run`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace qd::cli {

struct MeasuredCommand {
  std::vector<std::string> words;           // the words to execute
  std::optional<std::string> python;        // the interpreter that runs it, when it is Python
  std::optional<std::string> module;        // the module to run, for `qd-cov run -m`
  std::string python_flags;                 // letters of the interpreter's options, e.g. "IS"
  std::vector<std::string> import_folders;  // first entries of its sys.path, as far as they are known
  bool measures_itself = false;             // pytest --cov, coverage run
  // Options of such a command for its measurement, under coverage.py's names: rcfile, data-file, source, include, omit.
  std::map<std::string, std::string> own_options;
};

/// Recognises "pytest ...", "python x.py", "python -m x", a script with a Python interpreter in its first line, a .py
/// file, a file or folder that Python can run though it is no program, and any other program. `as_module`: the first
/// word is a module. Throws std::runtime_error when there is no such program.
MeasuredCommand understand_command(std::vector<std::string> words, bool as_module);

/// Returns the options that pytest itself adds to `arguments`: those of $PYTEST_ADDOPTS and of `addopts` in its
/// configuration file.
std::vector<std::string> pytest_added_options(const std::vector<std::string>& arguments);

/// Splits `text` into words as a shell would, without any expansion. Throws std::runtime_error for an unterminated
/// quote.
std::vector<std::string> split_words(const std::string& text);

}  // namespace qd::cli
