// `qd-cov completion`: prints the script of a shell, or answers one. A script asks with the words of the command line
// up to the cursor, of which the last one is begun or empty:
//
//   $ qd-cov completion --words report --sort=
//   words 7
//   name
//   stmts
//   ...
//
// The first line has the kind of the word at the cursor, and the number of its characters that stand; below are the
// words that may follow these, each with a tab and its description.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "cli/command_tables.h"
#include "cli/commands.h"

namespace qd::cli {

namespace {

struct Answer {
  std::string kind;     // "words", "open" (words; ":PATH" may follow), "files", "folders", "none", "command"
  size_t standing = 0;  // of "command": the number of words before the command's own
  std::vector<std::pair<std::string, std::string>> words = {};
};

const OptionHelp* find_option(const CommandHelp& command, const std::string& name) {
  for (const OptionHelp& option : command.options) {
    for (const std::string& known : option.names) {
      if (dashed(known) == name) return &option;
    }
  }
  return nullptr;
}

/// The value of an option, in the word `current` from the position `begin` on.
Answer value_of(const OptionHelp& option, const std::string& current, size_t begin) {
  const bool has_path = option.shown.ends_with("[:PATH]"), has_name = option.shown.starts_with("[NAME=]");
  const size_t before_file = current.find(has_path ? ':' : '=', begin);
  if ((has_path || has_name) && before_file != std::string::npos) return {"files", before_file + 1};
  switch (value_kind(option)) {
    case ValueKind::Any: return {"none", begin};
    case ValueKind::File: return {"files", begin};
    case ValueKind::Folder: return {"folders", begin};
    case ValueKind::Choice: break;
  }
  Answer answer{has_path ? "open" : "words", begin};
  for (const std::string& choice : option.choices) answer.words.emplace_back(choice, "");
  return answer;
}

Answer commands_of(const std::vector<CommandHelp>& tables) {
  Answer answer{"words", 0, {{"--help", "Show the commands."}, {"--version", "Show the version."}}};
  for (const CommandHelp& command : tables) {
    if (command.command.find(' ') == std::string::npos) answer.words.emplace_back(command.command, command.summary);
  }
  return answer;
}

Answer options_of(const CommandHelp& command, const std::set<const OptionHelp*>& given) {
  Answer answer{"words"};
  for (const OptionHelp& option : command.options) {
    if (given.contains(&option) && option.value != kTexts && option.value != kMany) continue;
    for (const std::string& name : option.names) answer.words.emplace_back(dashed(name), first_sentence(option.help));
  }
  return answer;
}

Answer answer_to(const Arguments& words) {
  const std::vector<CommandHelp> tables = all_command_help();
  if (words.size() < 2) return commands_of(tables);
  auto command = std::ranges::find(tables, words[0], &CommandHelp::command);
  size_t i = 1;
  if (words.size() > 2) {
    const auto topic = std::ranges::find(tables, words[0] + " " + words[1], &CommandHelp::command);
    if (topic != tables.end()) command = topic, i = 2;
  }
  if (command == tables.end()) return {"files"};
  const OptionHelp* pending = nullptr;  // the option whose value comes next
  std::set<const OptionHelp*> given;
  size_t n_arguments = 0;
  for (; i + 1 < words.size(); ++i) {
    if (std::exchange(pending, nullptr)) continue;
    if (words[i].starts_with('-') && words[i] != "--") {
      const OptionHelp* option = find_option(*command, words[i].substr(0, words[i].find('=')));
      given.insert(option);
      if (option && option->value != kNone && words[i].find('=') == std::string::npos) pending = option;
    } else {
      if (words[0] == "run") return {"command", i + (words[i] == "--")};
      ++n_arguments;
    }
  }
  const std::string& current = words.back();
  if (pending) return value_of(*pending, current, 0);
  if (const size_t equals = current.find('='); current.starts_with("--") && equals != std::string::npos) {
    const OptionHelp* option = find_option(*command, current.substr(0, equals));
    return option && option->value != kNone ? value_of(*option, current, equals + 1) : Answer{"none"};
  }
  if (current.starts_with('-')) return options_of(*command, given);
  if (words[0] == "run") return {"command", i};
  if (command->topics.empty() || n_arguments > 0) return {"files"};
  Answer answer{"words"};
  for (const Topic& topic : command->topics) answer.words.emplace_back(topic.name, topic.help);
  return answer;
}

constexpr const char* kBash = R"bash(# bash completion of qd-cov, made by "qd-cov completion bash".
_qd_cov() {
  local typed=${COMP_LINE:0:COMP_POINT} kind standing word found='' current prefix=''
  local -a words=()
  COMPREPLY=()
  # bash takes "--format=html" for three words; here it is one.
  read -ra words <<<"$typed"
  [[ $typed == *[[:blank:]] ]] && words+=('')
  current=${words[${#words[@]}-1]}
  {
    read -r kind standing
    while IFS=$'\t' read -r word _; do found+=" $word"; done
  } < <(qd-cov completion --words "${words[@]:1}" 2>/dev/null)
  case $kind in
    # Names of files are left to readline, which knows how to quote them.
    files | command) return ;;
    folders) compopt +o default -o dirnames 2>/dev/null; return ;;
    none) compopt +o default +o bashdefault 2>/dev/null; return ;;
  esac
  [[ $COMP_WORDBREAKS == *=* ]] || prefix=${current:0:standing}
  COMPREPLY=($(compgen -P "$prefix" -W "$found" -- "${current:standing}"))
}
complete -o default -o bashdefault -F _qd_cov qd-cov
)bash";

constexpr const char* kFish = R"fish(# fish completion of qd-cov, made by "qd-cov completion fish".
function __qd_cov_asked --description 'The word at the cursor is not the name of a file'
    set -g __qd_cov_answer (qd-cov completion --words (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
    not string match -qr '^(files|command) ' -- "$__qd_cov_answer[1]"
end

function __qd_cov_words --description 'The words of the answer'
    set -l head (string split ' ' -- $__qd_cov_answer[1])
    set -l found $__qd_cov_answer[2..]
    set -l token (commandline -ct)
    if test "$head[1]" = folders
        set found (__fish_complete_directories (string sub -s (math $head[2] + 1) -- "$token"))
    end
    printf '%s\n' (string sub -l $head[2] -- "$token")$found
end

complete -c qd-cov -n __qd_cov_asked -f -a '(__qd_cov_words)'
)fish";

constexpr const char* kZsh = R"zsh(#compdef qd-cov
# zsh completion of qd-cov, made by "qd-cov completion zsh".
_qd-cov() {
  local -a found head
  found=("${(@f)$(qd-cov completion --words "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  head=(${=found[1]})
  found=("${(@)${(@)found[2,-1]//:/\\:}/$'\t'/:}")
  [[ $head[1] == command ]] || compset -p ${head[2]:-0}
  case $head[1] in
    words) _describe -t words word found ;;
    open) _describe -t words word found -S '' ;;
    files) _files ;;
    folders) _path_files -/ ;;
    command) shift $head[2] words; (( CURRENT -= head[2] )); _normal ;;
  esac
}

if [[ $funcstack[1] == _qd-cov ]]; then
  _qd-cov "$@"
else
  compdef _qd-cov qd-cov
fi
)zsh";

struct Shell {
  const char* name;
  const char* script;
};

constexpr Shell kShells[] = {{"bash", kBash}, {"fish", kFish}, {"zsh", kZsh}};

}  // namespace

int completion(const Arguments& arguments) {
  if (!arguments.empty() && arguments[0] == "--words") {
    const Answer answer = answer_to({arguments.begin() + 1, arguments.end()});
    fmt::print("{} {}\n", answer.kind, answer.standing);
    for (const auto& [word, description] : answer.words)
      fmt::print("{}{}{}\n", word, description.empty() ? "" : "\t", description);
    return kOk;
  }
  CommandLine line("completion", "bash|fish|zsh",
                   "Print a script that makes a shell complete the command line of qd-cov. bash: eval \"$(qd-cov "
                   "completion bash)\" in ~/.bashrc; "
                   "fish: qd-cov completion fish > ~/.config/fish/completions/qd-cov.fish; zsh: qd-cov completion zsh "
                   "> _qd-cov, in a folder of $fpath.");
  for (const Shell& shell : kShells) line.add_topic({shell.name, ""});
  if (!line.parse(arguments)) return kOk;
  if (line.arguments().size() != 1) throw UsageError("Which shell: bash, fish or zsh?");
  for (const Shell& shell : kShells)
    if (line.arguments()[0] == shell.name) {
      fmt::print("{}", shell.script);
      return kOk;
    }
  throw UsageError(fmt::format("Don't know the shell '{}': there are bash, fish and zsh", line.arguments()[0]));
}

}  // namespace qd::cli
