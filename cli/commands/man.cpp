// `qd-cov man`: prints the manual page qd-cov(1), as man(7) source. It is made from the tables of all options.
#include <fmt/format.h>

#include "cli/command_tables.h"
#include "cli/commands.h"

namespace qd::cli {

namespace {

/// Escapes text for roff, so that no line of it is a request.
std::string roff(const std::string& text) {
  std::string result = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\'') {
      result += "\\(aq";
    } else if (c == '`') {
      result += "\\(ga";
    } else {
      result += c == '\n' ? ' ' : c;
    }
  }
  return result;
}

std::string option_item(const OptionHelp& option) {
  std::string names;
  for (const std::string& name : option.names) {
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", roff(dashed(name)));
    if (option.value != kNone) names += (name.size() == 1 ? " " : "=") + ("\\fI" + roff(option.shown) + "\\fR");
  }
  std::string text = fmt::format(".TP\n{}\n{}\n", names, roff(option.help));
  if (option.value == kTexts && option.help.find("several times") == std::string::npos)
    text += "May be given several times.\n";
  return text;
}

std::string option_group(const CommandHelp& command, const std::string& group) {
  std::string text;
  for (const OptionHelp& option : command.options)
    if (option.group == group) text += option_item(option);
  return text.empty() || group.empty() || group == kGlobalGroup
             ? text
             : fmt::format(".PP\n\\fI{} options\\fR\n{}", roff(group), text);
}

std::string command_section(const CommandHelp& command) {
  std::string text =
      fmt::format(".SS qd\\-cov {} {}\n{}\n", roff(command.command), roff(command.usage), roff(command.description));
  for (const std::string& group : command.groups())
    if (group != kGlobalGroup) text += option_group(command, group);
  return text;
}

constexpr const char* kManHead = R"(.TH QD\-COV 1 "" "qd\-cov {version}" "Coverage"
.SH NAME
qd\-cov \- coverage of Python code and of the kernels it launches
.SH SYNOPSIS
.B qd\-cov
.I command
.RI [ options ]
.RI [ arguments ]
.SH DESCRIPTION
.B qd\-cov
measures Python programs and the kernels that they launch, combines what was measured, reports it as a table, a page or a file for other programs, and says which
changed lines no test covers.
It reads and writes the data files of coverage.py and understands its configuration.
.SH COMMANDS
)";

constexpr const char* kTail = R"(.SH EXIT STATUS
.TP
.B 0
All went well.
.TP
.B 1
Something is wrong with the command line, the configuration, the data or the sources; a message says what.
.TP
.B 2
A threshold was missed.
.PP
.B qd\-cov run
exits as the command that it ran.
.SH ENVIRONMENT
.TP
.B COVERAGE_RCFILE
The configuration file, where
.B \-\-rcfile
names none.
.TP
.B COVERAGE_FILE
The data file, where
.B \-\-data\-file
names none.
.TP
.B NO_COLOR
When it is set, no output has colours.
.SH FILES
.TP
.I .coverage
The data file.
.TP
.IR .coveragerc ", " setup.cfg ", " tox.ini ", " pyproject.toml ", " qd\-cov.toml
Configuration.
.SH SEE ALSO
.BR git (1)
)";

}  // namespace

int man(const Arguments& arguments) {
  CommandLine line("man", "", "Print the manual page of qd-cov, as roff: qd-cov man > qd-cov.1; man ./qd-cov.1");
  if (!line.parse(arguments)) return kOk;
  const std::vector<CommandHelp> commands = all_command_help();
  std::string text = fmt::format(kManHead, fmt::arg("version", roff(QD_VERSION)));
  for (const Command& command : all_commands())
    text += fmt::format(".TP\n.B {}\n{}\n", roff(command.name), roff(command.help));
  text += ".SH GLOBAL OPTIONS\n";
  text += option_group(commands[0], kGlobalGroup);
  text += ".SH OPTIONS\n";
  for (const CommandHelp& command : commands) text += command_section(command);
  fmt::print("{}{}", text, kTail);
  return kOk;
}

}  // namespace qd::cli
