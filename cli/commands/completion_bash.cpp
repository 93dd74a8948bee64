// bash completion script: one function that looks at the typed words. File names are left to readline, which knows how
// to quote them.
#include <fmt/format.h>

#include "cli/command_tables.h"
#include "cli/commands/completion.h"

namespace qd::cli {

namespace {

std::string words(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, " ")); }

/// Lines for one command in the two `case` statements.
struct Cases {
  std::string options;  // by command: options, options with a value, first arguments
  std::string values;   // by command and option: its values
};

void add(const CommandHelp& command, Cases& cases) {
  std::vector<std::string> options, valued, topics;
  std::string files, folders;
  for (const OptionHelp& option : command.options) {
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) {
      options.push_back(dashed(name));
      if (option.value != kNone) valued.push_back(dashed(name));
      patterns.push_back(fmt::format("'{} {}'", command.command, dashed(name)));
    }
    std::string pattern = fmt::format("{}", fmt::join(patterns, "|"));
    if (option.value == kNone) continue;
    switch (value_kind(option)) {
      case ValueKind::Any: break;
      case ValueKind::Choice:
        cases.values += fmt::format("      {}) choices='{}' ;;\n", pattern, words(option.choices));
        break;
      case ValueKind::File: files += (files.empty() ? "" : "|") + pattern; break;
      case ValueKind::Folder: folders += (folders.empty() ? "" : "|") + pattern; break;
    }
  }
  if (!files.empty()) cases.values += fmt::format("      {}) kind=file ;;\n", files);
  if (!folders.empty()) cases.values += fmt::format("      {}) kind=folder ;;\n", folders);
  for (const Topic& topic : command.topics) topics.push_back(topic.name);
  cases.options += fmt::format("    '{}')\n      options='{}'\n      valued=' {} '\n      topics='{}' ;;\n",
                               command.command, words(options), words(valued), words(topics));
}

constexpr const char* kScript = R"bash(# bash completion of qd-cov, made by "qd-cov completion bash".
_qd_cov() {{
  local typed=${{COMP_LINE:0:COMP_POINT}} cur='' previous='' command='' options='' valued='' topics='' choices='' kind='' option='' prefix='' word
  local -a words=()
  local -i i arguments=0
  COMPREPLY=()
  # bash takes "--format=html" for three words; here it is one.
  read -ra words <<<"$typed"
  [[ $typed == *[[:blank:]] ]] && words+=('')
  cur=${{words[${{#words[@]}}-1]}}
  if (( ${{#words[@]}} <= 2 )); then
    COMPREPLY=($(compgen -W '{commands} --help --version' -- "$cur"))
    return
  fi
  command=${{words[1]}}
  case "$command ${{words[2]}}" in
    {two_words}) (( ${{#words[@]}} > 3 )) && command="$command ${{words[2]}}" ;;
  esac
  case $command in
{options}    *) return ;;
  esac
  for (( i = 2; i < ${{#words[@]}} - 1; i++ )); do
    word=${{words[i]}}
    if [[ $previous != '' ]]; then previous=''; continue; fi
    case $word in
      --) arguments+=1 ;;
      -*) [[ $valued == *" $word "* ]] && previous=$word ;;
      *) arguments+=1 ;;
    esac
  done
  if [[ $previous != '' ]]; then
    option=$previous
  elif [[ $cur == --*=* ]]; then
    option=${{cur%%=*}}
    cur=${{cur#*=}}
    [[ $COMP_WORDBREAKS == *=* ]] || prefix=$option=
  fi
  if [[ $option != '' ]]; then
    case "$command $option" in
{values}    esac
    if [[ $choices != '' && $cur != *:* ]]; then
      COMPREPLY=($(compgen -P "$prefix" -W "$choices" -- "$cur"))
    elif [[ $kind == folder ]]; then
      compopt +o default -o dirnames 2>/dev/null
    elif [[ $kind == '' && $choices == '' ]]; then
      compopt +o default +o bashdefault 2>/dev/null
    fi
    return
  fi
  [[ $command == run ]] && (( arguments > 0 )) && return
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif [[ $topics != '' ]] && (( arguments == 0 )); then
    COMPREPLY=($(compgen -W "$topics" -- "$cur"))
  fi
}}
complete -o default -o bashdefault -F _qd_cov qd-cov
)bash";

}  // namespace

std::string bash_completion(const std::vector<CommandHelp>& commands) {
  Cases cases;
  std::vector<std::string> names, two_words;
  for (const CommandHelp& command : commands) {
    bool is_topic = command.command.find(' ') != std::string::npos;
    (is_topic ? two_words : names).push_back(is_topic ? "'" + command.command + "'" : command.command);
    add(command, cases);
  }
  return fmt::format(kScript, fmt::arg("commands", words(names)), fmt::arg("two_words", fmt::join(two_words, "|")),
                     fmt::arg("options", cases.options), fmt::arg("values", cases.values));
}

}  // namespace qd::cli
