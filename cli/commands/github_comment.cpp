// `qd-cov github comment`: one comment, updated in place.
#include <fmt/format.h>

#include "cli/commands/github_topics.h"
#include "cli/options/service_options.h"
#include "report/formats/common/text.h"

namespace qd::cli {

namespace {

int64_t pull_request_of(const CommandLine& line, const report::GithubJob& job) {
  if (line.text("pull-request")) {
    int number = line.integer("pull-request").value();
    if (number <= 0) throw UsageError(fmt::format("option --pull-request: {} is no number of a pull request", number));
    return number;
  }
  if (!job.pull_request)
    throw std::runtime_error(
        "This is no job of a pull request: run it on 'pull_request', or name one with --pull-request.");
  return *job.pull_request;
}

const char* words(report::CommentOutcome outcome) {
  switch (outcome) {
    case report::CommentOutcome::Created: return "Created";
    case report::CommentOutcome::Updated: return "Updated";
    case report::CommentOutcome::Unchanged: return "Nothing new for";
  }
  return "";
}

}  // namespace

int github_comment(const Arguments& arguments) {
  CommandLine line("github comment", "[options] [FILE]",
                   "Create the comment with this markdown (of 'qd-cov diff --format markdown:FILE') on the job's pull "
                   "request, or update the one that is there. "
                   "The token is read from GITHUB_TOKEN and needs 'pull-requests: write'.");
  line.add("name", "The comment to update: jobs that have one each give it a name. Default: diff.", kText, "NAME");
  line.add("pull-request", "The pull request. Default: that of the job.", kText, "NUMBER");
  add_artifact_options(line);
  add_github_options(line);
  line.allow_options_after_arguments();
  if (!line.parse(arguments)) return kOk;

  report::GithubJob job = github_job(line);
  report::KeptPost post;
  post.name = line.text("name").value_or("diff");
  if (!report::is_comment_name(post.name))
    throw UsageError(fmt::format(
        "option --name: '{}' must be letters, digits, blanks and ._/+- without two dashes together, 64 at most",
        post.name));
  post.body = report::valid_utf8(text_argument(line, "markdown"));
  size_t length = report::utf16_length(report::comment_marker(post.name) + "\n" + post.body);
  if (length > report::kMaxCommentLength)
    throw std::runtime_error(fmt::format(
        "The comment has {} characters, and GitHub takes {}: 'qd-cov diff --format markdown' writes one that fits.",
        length, report::kMaxCommentLength));
  post.repository = job.repository;
  post.pull_request = pull_request_of(line, job);
  post.head_sha = job.head_sha;
  if (job.token.empty()) return keep_post(line, post, "there is no token in GITHUB_TOKEN");
  report::ServiceClient client = github_client(job, line);
  try {
    report::PostedComment posted =
        report::post_github_comment(client, post.repository, post.pull_request, post.name, post.body);
    fmt::print("{} the comment '{}' on pull request {}{}\n", words(posted.outcome), post.name, post.pull_request,
               posted.url.empty() ? "" : ": " + report::visible(posted.url));
  } catch (const report::ForbiddenError& error) {
    return keep_post(line, post, error.what());
  }
  return kOk;
}

}  // namespace qd::cli
