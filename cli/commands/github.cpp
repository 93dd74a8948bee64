// `qd-cov github`: table of its parts, which report from a job of GitHub Actions.
#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/commands/github_topics.h"

namespace qd::cli {

namespace {

constexpr Command kTopics[] = {
    {"check-run", "Create a check run with annotations.", github_check_run},
    {"comment", "Create or update the comment on the pull request.", github_comment},
    {"outputs", "Set outputs of the step: coverage, missing, passed.", github_outputs},
    {"post", "Post the reports that a job of a fork kept.", github_post},
    {"summary", "Add a report to the summary of the job.", github_summary},
};

}  // namespace

int github(const Arguments& arguments) {
  if (!arguments.empty())
    for (const Command& topic : kTopics)
      if (arguments[0] == topic.name) return topic.run({arguments.begin() + 1, arguments.end()});
  std::string list;
  for (const Command& topic : kTopics)
    list += fmt::format("{}'{}': {}", list.empty() ? "" : " ", topic.name, topic.help);
  CommandLine line("github", "<part> [options] [FILE]",
                   "Report to GitHub from a job of its Actions. " + list +
                       " The token is read from GITHUB_TOKEN. See 'qd-cov github <part> --help'.");
  for (const Command& topic : kTopics) line.add_topic({topic.name, topic.help, true});
  if (!line.parse(arguments)) return kOk;
  if (line.arguments().empty()) throw UsageError("What should GitHub get: check-run, comment, outputs, post, summary?");
  throw UsageError(fmt::format("Don't know what you mean by '{}'", line.arguments()[0]));
}

}  // namespace qd::cli
