// zsh completion script: one list of specifications of _arguments for each command.
#include <fmt/format.h>

#include "cli/command_tables.h"
#include "cli/commands/completion.h"

namespace qd::cli {

namespace {

/// Text in single quotes.
std::string zsh_quoted(const std::string& text) {
  std::string result = "'";
  for (char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

std::string action(const OptionHelp& option) {
  std::string choices = fmt::format("{}", fmt::join(option.choices, " "));
  switch (value_kind(option)) {
    case ValueKind::Any: return " ";
    case ValueKind::Choice:
      return option.shown.ends_with("[:PATH]") ? " _qd_cov_format " + choices : "(" + choices + ")";
    case ValueKind::File: return option.shown.starts_with("[NAME=]") ? " _qd_cov_named_file" : "_files";
    case ValueKind::Folder: return "_path_files -/";
  }
  return "";
}

/// Specification of an option: '(-d --data-file)'{-d+,--data-file=}'[Read ...]:INFILE:_files'
std::string specification(const OptionHelp& option) {
  std::vector<std::string> names, forms;
  for (const std::string& name : option.names) {
    names.push_back(dashed(name));
    forms.push_back(dashed(name) + (option.value == kNone ? "" : name.size() == 1 ? "+" : "="));
  }
  bool repeated = option.value == kTexts;
  std::string rest = "[" + escaped(first_sentence(option.help), "\\[]", "\\") + "]";
  if (option.value != kNone) rest += ":" + escaped(option.shown, ":\\", "\\") + ":" + action(option);
  if (forms.size() == 1) return zsh_quoted((repeated ? "*" : "") + forms[0] + rest);
  std::string before = repeated ? "'*'" : zsh_quoted(fmt::format("({})", fmt::join(names, " ")));
  return fmt::format("{}{{{}}}{}", before, fmt::join(forms, ","), zsh_quoted(rest));
}

std::string words_of_topics(const std::vector<Topic>& topics) {
  std::string list;
  for (const Topic& topic : topics) list += (list.empty() ? "" : " ") + topic.name;
  return list;
}

/// Call of _arguments for one command.
std::string call(const CommandHelp& command, const std::string& indent) {
  std::string text = indent + "_arguments -s";
  for (const OptionHelp& option : command.options) text += " \\\n" + indent + "  " + specification(option);
  if (!command.topics.empty())
    text += " \\\n" + indent + "  " + zsh_quoted("1:what:(" + words_of_topics(command.topics) + ")");
  text += " \\\n" + indent + "  " + (command.command == "run" ? "'*::command:_normal'" : "'*:file:_files'");
  return text + "\n";
}

constexpr const char* kZshFunctions = R"zsh(#compdef qd-cov
# zsh completion of qd-cov, made by "qd-cov completion zsh".

# FORMAT[:PATH]
_qd_cov_format() {
  if compset -P '*:'; then
    _files
  else
    compadd -S '' -- "$@"
  fi
}

# [NAME=]FILE
_qd_cov_named_file() {
  compset -P '*='
  _files
}

)zsh";

}  // namespace

std::string zsh_completion(const std::vector<CommandHelp>& commands) {
  std::string out = kZshFunctions;
  out += "_qd-cov() {\n  local context state state_descr line\n  typeset -A opt_args\n  local -a commands=(\n";
  for (const CommandHelp& command : commands)
    if (command.command.find(' ') == std::string::npos)
      out += "    " + zsh_quoted(command.command + ":" + command.summary) + "\n";
  out +=
      "  )\n"
      "  _arguments -C '(- : *)--help[Show the commands.]' '(- : *)--version[Show the version.]' '1: :->command' '*:: "
      ":->rest'\n"
      "  case $state in\n"
      "    command) _describe -t commands 'command' commands; return ;;\n"
      "    rest) ;;\n"
      "    *) return ;;\n"
      "  esac\n"
      "  case $words[1] in\n";
  for (size_t i = 0; i < commands.size(); ++i) {
    if (commands[i].command.find(' ') != std::string::npos) continue;
    out += "    " + commands[i].command + ")\n";
    for (size_t k = i + 1; k < commands.size() && commands[k].command.starts_with(commands[i].command + " "); ++k) {
      std::string topic = commands[k].command.substr(commands[i].command.size() + 1);
      out += fmt::format(
          "      if [[ $words[2] == {} ]] && (( CURRENT > 2 )); then\n        shift words\n        (( CURRENT-- ))\n{} "
          "       return\n      fi\n",
          topic, call(commands[k], "        "));
    }
    out += call(commands[i], "      ") + "      ;;\n";
  }
  out += "  esac\n}\n\n";
  out += "if [[ $funcstack[1] == _qd-cov ]]; then\n  _qd-cov \"$@\"\nelse\n  compdef _qd-cov qd-cov\nfi\n";
  return out;
}

}  // namespace qd::cli
