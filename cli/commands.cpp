// Table of commands, and `help`, which prints it.
#include "cli/commands.h"

#include <fmt/core.h>

#include "cli/command_line.h"
#include "report/config/near_name.h"

namespace qd::cli {

namespace {

// Names are in alphabetical order.
constexpr Command kCommands[] = {
    {"annotate", "Annotate source files with execution information.", annotate},
    {"badge", "Draw the total coverage as a badge.", badge},
    {"check", "Check tests and changes beside coverage.", check},
    {"combine", "Combine a number of data files.", combine},
    {"completion", "Print the script that lets a shell complete qd-cov's command line.", completion},
    {"debug", "Display information for diagnosing problems.", debug},
    {"diff", "Report the coverage of the changes since a branch.", diff},
    {"erase", "Erase previously collected coverage data.", erase},
    {"github", "Report to GitHub: comment, check run, summary.", github},
    {"gitlab", "Report to GitLab: the note on a merge request.", gitlab},
    {"help", "Get help on using qd-cov.", help},
    {"html", "Create an HTML report.", html},
    {"json", "Create a JSON report of coverage results.", json},
    {"lcov", "Create an LCOV report of coverage results.", lcov},
    {"lsp", "Show coverage in editors: a language server.", lsp},
    {"man", "Print the manual page of qd-cov.", man},
    {"recover", "Recover kernel coverage of processes that died.", recover},
    {"report", "Report coverage stats on modules.", report},
    {"run", "Run a command and measure its host code and its kernels.", run},
    {"trend", "Draw the trend of coverage from commit to commit.", trend},
    {"which-tests", "List the tests that reach a line or a branch.", which_tests},
    {"xml", "Create an XML report of coverage results.", xml},
};

}  // namespace

std::span<const Command> all_commands() { return kCommands; }

std::string near_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : kCommands) names.emplace_back(command.name);
  return report::near_name(name, names);
}

int help(const Arguments& arguments) {
  for (const std::string& topic : arguments) {
    if (topic == "-h" || topic == "--help") break;
    for (const Command& command : kCommands)
      if (topic == command.name && topic != "help") return command.run({"--help"});
    fmt::print("Don't know topic '{}'\n", topic);
    if (const std::string meant = near_command(topic); !meant.empty()) fmt::print("Did you mean '{}'?\n", meant);
    return kError;
  }
  fmt::print(
      "qd-cov, version {}\n"
      "Coverage of Python code and of the kernels it launches.\n\n"
      "usage: qd-cov <command> [options] [args]\n\n"
      "Commands:\n",
      QD_VERSION);
  for (const Command& command : kCommands) fmt::print("    {:<12}{}\n", command.name, command.help);
  fmt::print("\nUse \"qd-cov help <command>\" for detailed help on any command.\n");
  return kOk;
}

}  // namespace qd::cli
