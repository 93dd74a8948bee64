// `qd-cov completion`: prints the script of a shell.
#include "cli/commands/completion.h"

#include <fmt/core.h>

#include "cli/command_tables.h"
#include "cli/commands.h"

namespace qd::cli {

namespace {

struct Shell {
  const char* name;
  std::string (*script)(const std::vector<CommandHelp>& commands);
};

constexpr Shell kShells[] = {{"bash", bash_completion}, {"fish", fish_completion}, {"zsh", zsh_completion}};

}  // namespace

int completion(const Arguments& arguments) {
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
      fmt::print("{}", shell.script(all_command_help()));
      return kOk;
    }
  throw UsageError(fmt::format("Don't know the shell '{}': there are bash, fish and zsh", line.arguments()[0]));
}

}  // namespace qd::cli
