// fish completion script: one line for each option of each command.
#include <fmt/format.h>

#include "cli/command_tables.h"
#include "cli/commands/completion.h"

namespace qd::cli {

namespace {

std::string fish_quoted(const std::string& text) { return "'" + escaped(text, "\\'", "\\") + "'"; }

/// Condition under which the lines of a command apply.
std::string condition(const CommandHelp& command) { return fish_quoted("__qd_cov_in " + command.command); }

std::string option_line(const CommandHelp& command, const OptionHelp& option) {
  std::string text = "complete -c qd-cov -n " + condition(command);
  for (const std::string& name : option.names) text += (name.size() == 1 ? " -s " : " -l ") + name;
  if (option.value != kNone) {
    switch (value_kind(option)) {
      case ValueKind::Any: text += " -x"; break;
      case ValueKind::Choice:
        text += (option.shown.ends_with("[:PATH]") ? " -r -a " : " -x -a ") +
                fish_quoted(fmt::format("{}", fmt::join(option.choices, " ")));
        break;
      case ValueKind::File: text += " -r -F"; break;
      case ValueKind::Folder: text += " -x -a '(__fish_complete_directories)'"; break;
    }
  }
  return text + " -d " + fish_quoted(first_sentence(option.help)) + "\n";
}

constexpr const char* kFishFunctions = R"fish(# fish completion of qd-cov, made by "qd-cov completion fish".
function __qd_cov_in --description 'The command line is that of this command, or of this topic of a command'
    set -l words (commandline -opc)[2..]
    set -l given $words[1..(count $argv)]
    test "$given" = "$argv"; or return 1
    # The options of a topic are not those of its command.
    set -l next $words[(math (count $argv) + 1)]
    not contains -- "$argv $next" $__qd_cov_topics
end

function __qd_cov_first --description 'The next word is the first argument of this command'
    set -l words (commandline -opc)
    test (count $words) -eq (math (count $argv) + 1); and __qd_cov_in $argv
end

)fish";

}  // namespace

std::string fish_completion(const std::vector<CommandHelp>& commands) {
  std::string out = kFishFunctions;
  out += "set -g __qd_cov_topics";
  for (const CommandHelp& command : commands)
    if (command.command.find(' ') != std::string::npos) out += " " + fish_quoted(command.command);
  out += "\n\ncomplete -c qd-cov -n 'test (count (commandline -opc)) -eq 1' -f -l help -d 'Show the commands.'\n";
  out += "complete -c qd-cov -n 'test (count (commandline -opc)) -eq 1' -f -l version -d 'Show the version.'\n";
  for (const CommandHelp& command : commands) {
    if (command.command.find(' ') == std::string::npos)
      out += fmt::format("complete -c qd-cov -n 'test (count (commandline -opc)) -eq 1' -f -a {} -d {}\n",
                         command.command, fish_quoted(command.summary));
    for (const Topic& topic : command.topics)
      out += fmt::format("complete -c qd-cov -n {} -f -a {} -d {}\n", fish_quoted("__qd_cov_first " + command.command),
                         topic.name, fish_quoted(topic.help.empty() ? "topic" : topic.help));
    for (const OptionHelp& option : command.options) out += option_line(command, option);
  }
  return out;
}

}  // namespace qd::cli
