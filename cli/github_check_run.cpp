// `qd-cov github check-run`: a check of the commit, with annotations beside its lines.
#include <fmt/format.h>

#include <set>

#include "cli/github_topics.h"
#include "cli/service_options.h"
#include "report/diff/git.h"
#include "report/formats/text.h"

namespace qd::cli {

namespace {

using report::ServiceJson;

/// The files in which two commits differ; no value when git does not know both.
std::optional<std::set<std::string>> differing_files(const std::string& from, const std::string& to) {
  report::GitOutput output = report::run_git(".", {"diff", "--name-only", "--no-renames", "--no-ext-diff", "--ignore-submodules", "-z", from, to, "--"});
  if (output.exit_code != 0) return std::nullopt;
  std::set<std::string> files;
  for (size_t at = 0; at < output.out.size();) {
    size_t end = std::min(output.out.find('\0', at), output.out.size());
    files.insert(output.out.substr(at, end - at));
    at = end + 1;
  }
  return files;
}

/// A check run is shown beside the pull request's head, while the runner by default checks out a merge with its target: where a file is not the same in both, the lines
/// would be wrong ones, and its annotations go.
void move_to(const std::string& head, ServiceJson& payload) {
  const std::string measured = payload["head_sha"].get<std::string>();
  payload["head_sha"] = head;
  ServiceJson& output = payload["output"];
  if (measured == head || output["annotations"].empty()) return;
  auto differing = differing_files(head, measured);
  ServiceJson kept = ServiceJson::array();
  for (const ServiceJson& one : output["annotations"])
    if (differing && !differing->contains(one["path"].get<std::string>())) kept.push_back(one);
  size_t dropped = output["annotations"].size() - kept.size();
  output["annotations"] = kept;
  if (dropped == 0) return;
  std::string note = fmt::format("{} left out: {} was measured, and {} of the pull request.", report::plural(static_cast<int64_t>(dropped), "annotation"), measured.substr(0, 12),
                                 differing ? "those files differ in the head" : "git does not know the head");
  service_notice(note + " Check out github.event.pull_request.head.sha to have all.");
}

}  // namespace

int github_check_run(const Arguments& arguments) {
  CommandLine line("github check-run", "[options] [FILE]",
                   "Create a check run of this payload ('qd-cov diff --format github-check-run:FILE'), with all its annotations. The token is read from "
                   "GITHUB_TOKEN and needs 'checks: write'.");
  line.add("name", "What the check run is called. Default: what the payload says.", kText, "NAME");
  line.add("head-sha", "The commit. Default: the head of the job's pull request, or else the commit that the job builds.", kText, "COMMIT");
  add_artifact_options(line);
  add_github_options(line);
  line.allow_options_after_arguments();
  if (!line.parse(arguments)) return kOk;

  report::GithubJob job = github_job(line);
  ServiceJson json = ServiceJson::parse(text_argument(line, "a check run"), nullptr, false);
  std::string file = line.arguments().empty() ? "-" : line.arguments()[0];
  if (json.is_discarded()) throw std::runtime_error(fmt::format("{}: no JSON: 'qd-cov diff --format github-check-run' writes what is wanted", report::visible(file)));
  std::string head = line.text("head-sha").value_or(report::is_commit(job.head_sha) ? job.head_sha : report::text_at(json, "head_sha"));
  if (!report::is_commit(head)) throw UsageError(fmt::format("option --head-sha: '{}' is no whole hash of a commit", report::visible(head)));
  if (json.is_object() && report::text_at(json, "head_sha").empty()) json["head_sha"] = head;  // of --diff-file
  report::KeptPost post;
  post.kind = report::KeptPost::CheckRun;
  post.payload = report::checked_payload(json, file, false);
  if (auto name = line.text("name")) post.payload["name"] = *name;
  move_to(head, post.payload);
  post.repository = job.repository;
  post.head_sha = head;
  if (job.token.empty()) return keep_post(line, post, "there is no token in GITHUB_TOKEN");
  report::ServiceClient client = github_client(job, line);
  try {
    std::string url = report::post_check_run(client, post.repository, post.payload);
    fmt::print("Created the check run '{}' with {}{}\n", post.payload["name"].get<std::string>(),
               report::plural(static_cast<int64_t>(post.payload["output"]["annotations"].size()), "annotation"), url.empty() ? "" : ": " + report::visible(url));
  } catch (const report::ForbiddenError& error) {
    return keep_post(line, post, error.what());
  }
  return kOk;
}

}  // namespace qd::cli
