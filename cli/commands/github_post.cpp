// `qd-cov github post`: the second step of a pull request from a fork. The posts that the first step kept are
// untrusted.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands/github_topics.h"
#include "cli/options/service_options.h"
#include "report/data/ascii.h"
#include "report/formats/common/text.h"

namespace qd::cli {

namespace {

using report::KeptPost;

/// Compares names of repositories, case-insensitively.
bool same_name(const std::string& a, const std::string& b) { return std::ranges::equal(a, b, report::same_letter); }

[[noreturn]] void refuse(const KeptPost& post, const std::string& why) {
  throw std::runtime_error(fmt::format("{}: not posted: {}", report::visible(post.file), report::visible(why)));
}

/// Whether the pull request is still at the commit of the run.
bool belongs(report::ServiceClient& client, const report::GithubJob& job, const KeptPost& post) {
  report::PullRequestHead head = report::pull_request_head(client, job.repository, post.pull_request);
  if (!same_name(head.repository, job.run->head_repository))
    refuse(post, fmt::format("pull request {} is of '{}', and the run was of '{}'", post.pull_request, head.repository,
                             job.run->head_repository));
  if (head.sha == job.run->head_sha) return true;
  fmt::print("{}: not posted: pull request {} has other commits by now\n", report::visible(post.file),
             post.pull_request);
  return false;
}

}  // namespace

int github_post(const Arguments& arguments) {
  CommandLine line(
      "github post", "[options] DIR",
      "Post the reports that 'qd-cov github comment' and 'qd-cov github check-run' kept with --artifact, from a job on "
      "'workflow_run'. The folder is not trusted: its reports must be of this repository and of the commit of the run, "
      "the pull request must be one of that commit, and mentions and links in them are made harmless.");
  line.add("name", "Post only comments of this name. May be given several times.", kTexts, "NAME");
  line.add("check-run",
           "Post the check run, too, under this name; without, it is left out. Take a name that no rule of the "
           "repository requires.",
           kText, "NAME");
  add_github_options(line);
  line.allow_options_after_arguments();
  if (!line.parse(arguments)) return kOk;

  if (line.arguments().size() != 1) throw UsageError("Which folder should be posted?");
  report::GithubJob job = github_job(line);
  if (!job.run)
    throw std::runtime_error(
        "This is no job on 'workflow_run', so the commit of the run is not known: post with 'qd-cov github comment'.");
  if (!report::is_commit(job.run->head_sha) || job.run->head_repository.empty())
    throw std::runtime_error("The event has no commit of the run.");
  std::vector<KeptPost> posts = report::read_kept_posts(line.arguments()[0]);
  if (posts.empty()) fmt::print("Nothing was kept.\n");
  report::ServiceClient client = github_client(job, line);
  std::vector<std::string> names = line.values("name");
  for (KeptPost& post : posts) {
    if (!same_name(post.repository, job.repository)) refuse(post, fmt::format("it is for '{}'", post.repository));
    if (post.head_sha != job.run->head_sha)
      refuse(post, fmt::format("it is of commit {}, and the run was of {}", post.head_sha, job.run->head_sha));
    if (post.kind == KeptPost::CheckRun) {
      if (!line.text("check-run")) {
        fmt::print("{}: a check run, left out without --check-run\n", report::visible(post.file));
        continue;
      }
      if (post.payload["head_sha"] != post.head_sha) refuse(post, "its check run is of another commit");
      post.payload["name"] = *line.text("check-run");
      report::post_check_run(client, job.repository, post.payload);
      fmt::print("Created the check run '{}'\n", *line.text("check-run"));
      continue;
    }
    if (!names.empty() && std::find(names.begin(), names.end(), post.name) == names.end()) {
      fmt::print("{}: the comment '{}', left out\n", report::visible(post.file), post.name);
      continue;
    }
    if (!belongs(client, job, post)) continue;
    report::post_github_comment(client, job.repository, post.pull_request, post.name, post.body);
    fmt::print("Posted the comment '{}' on pull request {}\n", post.name, post.pull_request);
  }
  return kOk;
}

}  // namespace qd::cli
