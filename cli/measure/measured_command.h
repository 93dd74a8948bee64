// Finds out what kind of command `qd-cov run` was given.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace qd::cli {

struct MeasuredCommand {
  std::vector<std::string> words;           // what to execute
  std::optional<std::string> python;        // the interpreter that runs it, when it is Python
  std::optional<std::string> module;        // that runs, when it was named as `qd-cov run -m` does
  std::string python_flags;                 // letters of the interpreter's options, e.g. "IS"
  std::vector<std::string> import_folders;  // the first entries of its sys.path, as far as they can be seen
  bool measures_itself = false;             // pytest --cov, coverage run
  // What such a command was told about its measurement, under coverage.py's names: rcfile, data-file, source, include,
  // omit.
  std::map<std::string, std::string> own_options;
};

/// Understands "pytest ...", "python x.py", "python -m x", a script with a Python interpreter in its first line, a .py
/// file, a file or folder that Python can run though it is no program, and any other program. `as_module`: the first
/// word is a module. Throws std::runtime_error when there is no such program.
MeasuredCommand understand_command(std::vector<std::string> words, bool as_module);

/// The options that pytest adds by itself to `arguments`: those of $PYTEST_ADDOPTS and of `addopts` in its
/// configuration file.
std::vector<std::string> pytest_added_options(const std::vector<std::string>& arguments);

/// Splits `text` into words as a shell would, without expanding anything. Throws std::runtime_error for a quote without
/// end.
std::vector<std::string> split_words(const std::string& text);

}  // namespace qd::cli
