// Measured command: recognises the command of `qd-cov run`: the interpreter of a script, and whether the command
// measures itself.
#include "cli/measure/measured_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "cli/child_process.h"

namespace qd::cli {

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

std::string base_name(const std::string& path) { return fs::path(path).filename().string(); }

/// Whether a path is that of Python: "python", "python3", "python3.11", "pypy3", ...
bool is_python_name(const std::string& path) {
  std::string name = base_name(path);
  if (!name.starts_with("python") && !name.starts_with("pypy")) return false;
  return name.find_first_not_of("0123456789.", name.starts_with("python") ? 6 : 4) == std::string::npos;
}

/// Python in the first line of `script`.
std::optional<std::string> python_of_script(const std::string& script) {
  if (std::error_code error; !std::filesystem::is_regular_file(script, error))
    return std::nullopt;  // opening a pipe would wait for its writer
  std::ifstream stream(script, std::ios::binary);
  std::string line;
  if (!stream || !std::getline(stream, line) || !line.starts_with("#!")) return std::nullopt;
  for (const std::string& word : split_words(line.substr(2)))
    if (is_python_name(word)) return word;
  // pip writes this for interpreters whose path is long or has spaces: #!/bin/sh, then '''exec' /path/python "$0" "$@"
  if (line.starts_with("#!/bin/sh") && std::getline(stream, line) && line.starts_with("'''exec' ")) {
    Words words = split_words(line.substr(9));
    if (!words.empty() && is_python_name(words[0])) return words[0];
  }
  return std::nullopt;
}

std::string default_python() {
  for (const char* name : {"python", "python3"})
    if (find_program(name)) return name;
  throw std::runtime_error(
      "Couldn't find a Python to run the program with: neither 'python' nor 'python3' is on the PATH");
}

/// Module of `python -m MODULE ...`, or script of `python SCRIPT ...`, with its index in `words`.
struct PythonTarget {
  size_t index = 0;  // 0: neither, e.g. python -c
  bool is_module = false;
};

PythonTarget python_target(const Words& words) {
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "-m") return {i + 1 < words.size() ? i + 1 : 0, true};
    if (word == "-c" || word == "-") return {};
    if (word == "-W" || word == "-X" || word == "--check-hash-based-pycs")
      ++i;
    else if (!word.starts_with('-'))
      return {i, false};
  }
  return {};
}

/// Letters of options before the script or module: "bIS" for "-bI -S x.py".
std::string python_flags(const Words& words) {
  std::string flags;
  size_t end = python_target(words).index;
  for (size_t i = 1; i < (end ? end : words.size()); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with('-') || word.starts_with("--")) continue;
    // The text behind these letters is their value.
    size_t value = word.find_first_of("cmWX", 1);
    flags += word.substr(1, value == std::string::npos ? value : value - 1);
    if (value != std::string::npos && (word[value] == 'c' || word[value] == 'm')) break;
  }
  return flags;
}

/// First import folder of the program: the folder of its script, or the current one.
Words import_folders(const Words& words, bool is_python) {
  Words folders;
  PythonTarget target = is_python ? python_target(words) : PythonTarget{};
  std::error_code error;
  if (target.index && !target.is_module) {
    fs::path script = fs::weakly_canonical(words[target.index], error);
    folders.push_back((fs::is_directory(script, error) ? script : script.parent_path()).string());
  }
  folders.push_back(fs::current_path(error).string());
  return folders;
}

/// Name of a program, and its arguments.
struct Invocation {
  std::string name;
  Words arguments;
};

Invocation invocation_of(const Words& words, bool is_python) {
  size_t index = 0;
  bool is_module = false;
  if (is_python) {
    PythonTarget target = python_target(words);
    if (target.index == 0) return {};
    index = target.index;
    is_module = target.is_module;
  }
  std::string name = is_module ? words[index] : base_name(words[index]);
  return {name, {words.begin() + static_cast<std::ptrdiff_t>(index) + 1, words.end()}};
}

using OwnOptions = std::map<std::string, std::string>;

/// Value of an option: the text in `word` after `name`=, or the word that follows `name`.
std::optional<std::string> value_of(const Words& words, size_t i, const std::string& name) {
  if (words[i].starts_with(name + "=")) return words[i].substr(name.size() + 1);
  if (words[i] == name && i + 1 < words.size() && !words[i + 1].starts_with('-')) return words[i + 1];
  return std::nullopt;
}

/// Options by which pytest measures; no value when it does not.
std::optional<OwnOptions> own_options_of_pytest(const Words& arguments) {
  Words all = pytest_added_options(arguments);
  all.insert(all.end(), arguments.begin(), arguments.end());
  bool measures = false;
  OwnOptions options;
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i] == "--no-cov") return std::nullopt;
    measures |= all[i] == "--cov" || all[i].starts_with("--cov=");
    if (auto source = value_of(all, i, "--cov"); source && !source->empty()) {
      std::string& sources = options["source"];
      sources += (sources.empty() ? "" : ",") + *source;
    }
    if (auto file = value_of(all, i, "--cov-config")) options["rcfile"] = *file;
  }
  return measures ? std::optional(options) : std::nullopt;
}

OwnOptions own_options_of_coverage(const Words& arguments) {
  OwnOptions options;
  for (size_t i = 1; i < arguments.size() && arguments[i].starts_with('-'); ++i) {
    bool takes_next = false;
    for (const char* name :
         {"rcfile", "data-file", "source", "include", "omit", "context", "concurrency", "debug", "save-signal"}) {
      std::string option = std::string("--") + name;
      if (auto value = value_of(arguments, i, option)) options[name] = *value;
      takes_next |= arguments[i] == option;
    }
    i += takes_next;
  }
  return options;
}

std::optional<OwnOptions> own_options_of(const Invocation& invocation) {
  const auto& [name, arguments] = invocation;
  if (name == "pytest" || name == "py.test") return own_options_of_pytest(arguments);
  bool is_coverage = name == "coverage" || name == "coverage3" || name.starts_with("coverage-");
  if (is_coverage && !arguments.empty() && arguments[0] == "run") return own_options_of_coverage(arguments);
  return std::nullopt;
}

}  // namespace

Words split_words(const std::string& text) {
  Words words;
  std::string word;
  bool in_word = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\'' || c == '"') {
      in_word = true;
      size_t start = i++;
      for (; i < text.size() && text[i] != c; ++i) {
        if (c == '"' && text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\')) ++i;
        word += text[i];
      }
      if (i == text.size()) throw std::runtime_error(fmt::format("No closing quotation: {}", text.substr(start)));
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      in_word = true;
      if (c == '\\' && i + 1 < text.size()) c = text[++i];
      word += c;
    }
  }
  if (in_word) words.push_back(word);
  return words;
}

MeasuredCommand understand_command(Words words, bool as_module) {
  std::optional<std::string> module;
  if (as_module) {
    module = words[0];
    words.insert(words.begin(), {default_python(), "-m"});
  } else if (words[0].ends_with(".py") || words[0].ends_with(".pyw")) {
    if (!fs::exists(words[0]))
      throw std::runtime_error(fmt::format("No file to run: '{}'", fs::absolute(words[0]).string()));
    if (words[0].find('/') == std::string::npos || !find_program(words[0]))
      words.insert(words.begin(), default_python());
  } else if (!find_program(words[0]) && fs::exists(words[0])) {
    words.insert(
        words.begin(),
        default_python());  // a script without the right to be executed, a folder with a __main__.py, a zip file, ...
  }
  std::optional<std::string> program = find_program(words[0]);
  if (!program) throw std::runtime_error(fmt::format("No program to run: '{}'", words[0]));

  MeasuredCommand command;
  bool is_python = is_python_name(words[0]);
  command.python = is_python ? *program : python_of_script(*program);
  command.module = std::move(module);
  if (is_python) command.python_flags = python_flags(words);
  command.import_folders = import_folders(words, is_python);
  if (auto options = own_options_of(invocation_of(words, is_python))) {
    command.measures_itself = true;
    command.own_options = std::move(*options);
  }
  command.words = std::move(words);
  return command;
}

}  // namespace qd::cli
