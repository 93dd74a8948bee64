// Command line of one command, parsed as coverage.py parses it: options first, then arguments.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "report/config/config.h"

namespace qd::cli {

/// A wrong option or argument; main adds the `meant` one, if it is known, and "Use 'qd-cov help' for help.".
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
  UsageError(const std::string& message, std::string what_was_meant)
      : std::runtime_error(message), meant(std::move(what_was_meant)) {}
  std::string meant;  // "--fail-under"
};

/// Elements of a comma-separated list.
std::vector<std::string> split_list(const std::string& text);

/// Prints a warning to stderr.
void warn(const std::string& message);
/// Turns warnings off for the rest of the process.
void silence_warnings();

/// Prints the version of this program, and the commit that it was built from.
void print_version();

/// Kind of an option's value.
enum OptionValue {
  kNone,
  kText,
  kTexts,  // the option may be given several times; commas separate texts, too
  kMany,   // the same; all words up to the next option are its texts, unless the first one is attached with '='
};

/// An option as it was added.
struct OptionHelp {
  std::vector<std::string> names;  // without dashes, the short one first
  std::string help;
  OptionValue value = kNone;
  std::string shown;                 // name of the value: "FILE"
  std::vector<std::string> choices;  // allowed values; empty: any
  std::string group;                 // "Gate": its title in the help text; may be empty
};

/// A word that may be the first argument: a subject of `debug`, a part of `github`.
struct Topic {
  std::string name;
  std::string help;          // may be empty
  bool has_options = false;  // "qd-cov COMMAND TOPIC --help" has a page of its own
};

/// Description of a command's options and arguments, from which --help, the man page and shell completion are made.
struct CommandHelp {
  std::string command;  // "debug probes"
  std::string usage;
  std::string description;
  std::vector<OptionHelp> options;
  std::vector<Topic> topics;
  std::string summary;  // one line, of the table of commands

  /// Groups of the options, in the order of the help text: that without a title first, the global options last.
  std::vector<std::string> groups() const;
};

/// Group of the options of every command.
constexpr const char* kGlobalGroup = "Global";

class CommandLine {
 public:
  /// `usage` is the part behind the command's name in the help text.
  CommandLine(const std::string& command, const std::string& usage, const std::string& description);
  ~CommandLine();

  /// Begins a group of options in the help text, "Gate options:"; options before the first group have no title.
  void group(const std::string& title) { group_ = title; }

  /// Adds an option: add("d,data-file", "Base ...", kText, "FILE"). Every command has --rcfile, --debug, --color,
  /// --version, --help and --help-all.
  void add(const std::string& names, const std::string& help, OptionValue value = kNone, const std::string& shown = "");

  /// Sets the allowed values of an option, by its (long) name.
  void choices(const std::string& name, const std::vector<std::string>& values);
  /// Sets the options, by their long names, that --help explains, in its order: of the others it has the names alone.
  /// Without this, --help explains all, as --help-all does.
  void usual(std::vector<std::string> names) { usual_ = std::move(names); }
  void add_topic(const Topic& topic) { help_.topics.push_back(topic); }

  /// Adds kinds of messages for --debug, besides those of every command.
  void debug_kinds(std::vector<std::string> kinds);

  /// Allows options behind arguments, as in diff-cover.
  void allow_options_after_arguments() { interspersed_ = true; }

  /// False when help or the version was asked for and printed. Throws UsageError.
  bool parse(const std::vector<std::string>& arguments);

  bool flag(const std::string& name) const;
  std::optional<std::string> text(const std::string& name) const;
  /// The same; throws UsageError for several values: a gate must not depend on their order.
  std::optional<std::string> only_text(const std::string& name) const;
  /// Elements of a comma-separated list; no value when the option was not given or is empty.
  std::optional<std::vector<std::string>> list(const std::string& name) const;
  /// Values of an option of kTexts or kMany.
  std::vector<std::string> values(const std::string& name) const;
  std::optional<double> number(const std::string& name) const;
  std::optional<int> integer(const std::string& name) const;
  /// Arguments behind the options.
  const std::vector<std::string>& arguments() const { return arguments_; }

  /// Reads the configuration that --rcfile (else `rcfile`) names, or that is found. --data-file (if the command has it)
  /// and --debug are applied to it. Prints the topics of --debug about configuration and machine.
  report::Config config(const std::optional<std::string>& rcfile = {}) const;

 private:
  /// The text of --help, or of --help-all, in the width of the terminal.
  std::string help_text(bool all) const;

  struct Parser;  // not in this header: the parser's headers take the compiler long to read
  std::unique_ptr<Parser> parser_;
  CommandHelp help_;
  std::vector<std::string> arguments_;
  std::vector<std::string> usual_;
  std::string group_;  // of the options that are added next
  bool interspersed_ = false;
  std::vector<std::string> debug_kinds_;
  std::vector<std::string> many_;  // names of the options of kMany
};

/// Returns the description of a command. `run` must call the command with "--help", which then prints nothing.
CommandHelp describe(const std::function<void()>& run);

}  // namespace qd::cli
