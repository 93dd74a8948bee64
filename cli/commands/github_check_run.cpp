// `qd-cov github check-run`: a check of the commit, with annotations beside its lines.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands/github_topics.h"
#include "cli/options/service_options.h"
#include "report/diff/changes.h"
#include "report/diff/git.h"
#include "report/diff/line_tracker.h"
#include "report/formats/common/text.h"

namespace qd::cli {

namespace {

using report::ServiceJson;

/// Moves `annotation` to the same lines in the old version of `file`; false when it does not have them.
bool move_annotation(const report::ChangedFile& file, ServiceJson& annotation) {
  if (file.kind == report::ChangeKind::Added || file.is_binary) return false;
  report::LineTracker tracker(file.spans);
  auto first = tracker.old_line(annotation["start_line"].get<int32_t>());
  auto last = tracker.old_line(annotation["end_line"].get<int32_t>());
  if (!first || !last) return false;
  annotation["start_line"] = *first;
  annotation["end_line"] = *last;
  if (!file.old_path.empty()) annotation["path"] = file.old_path;
  return true;
}

/// Moves annotations to the lines of the commit `head`. GitHub shows a check run beside the head of the pull request.
/// The runner by default checks out the merge with the target, where lines may be elsewhere.
void move_to(const std::string& head, ServiceJson& payload) {
  const std::string measured = payload["head_sha"].get<std::string>();
  payload["head_sha"] = head;
  ServiceJson& annotations = payload["output"]["annotations"];
  if (measured == head || annotations.empty()) return;
  ServiceJson moved = ServiceJson::array();
  try {
    const std::vector<report::ChangedFile> changes = report::changes_between(".", head, measured);
    for (ServiceJson& annotation : annotations) {
      auto file = std::find_if(changes.begin(), changes.end(), [&](const report::ChangedFile& one) {
        return one.path == annotation["path"].get<std::string>();
      });
      if (file == changes.end() || move_annotation(*file, annotation)) moved.push_back(annotation);
    }
    if (moved.size() < annotations.size())
      service_notice(
          fmt::format("{} left out: the head of the pull request does not have those lines",
                      report::plural(static_cast<int64_t>(annotations.size() - moved.size()), "annotation")));
  } catch (const report::GitError&) {
    service_notice(
        fmt::format("all annotations left out: git does not know {}, the head of the pull request, which may have "
                    "other lines than {}, which was measured",
                    head.substr(0, 12), measured.substr(0, 12)));
  }
  annotations = moved;
}

}  // namespace

int github_check_run(const Arguments& arguments) {
  CommandLine line("github check-run", "[options] [FILE]",
                   "Create a check run of this payload ('qd-cov diff --format github-check-run:FILE'), with all its "
                   "annotations. The token is read from "
                   "GITHUB_TOKEN and needs 'checks: write'.");
  line.add("name", "Name of the check run. Default: that of the payload.", kText, "NAME");
  line.add("head-sha",
           "The commit. Default: the head of the job's pull request, or else the commit that the job builds.", kText,
           "COMMIT");
  add_artifact_options(line);
  add_github_options(line);
  line.allow_options_after_arguments();
  if (!line.parse(arguments)) return kOk;

  report::GithubJob job = github_job(line);
  ServiceJson json = ServiceJson::parse(text_argument(line, "a check run"), nullptr, false);
  std::string file = line.arguments().empty() ? "-" : line.arguments()[0];
  if (json.is_discarded())
    throw std::runtime_error(
        fmt::format("{}: no JSON: 'qd-cov diff --format github-check-run' writes it", report::visible(file)));
  std::string head = line.text("head-sha")
                         .value_or(report::is_commit(job.head_sha) ? job.head_sha : report::text_at(json, "head_sha"));
  if (!report::is_commit(head))
    throw UsageError(fmt::format("option --head-sha: '{}' is no whole hash of a commit", report::visible(head)));
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
               report::plural(static_cast<int64_t>(post.payload["output"]["annotations"].size()), "annotation"),
               url.empty() ? "" : ": " + report::visible(url));
  } catch (const report::ForbiddenError& error) {
    return keep_post(line, post, error.what());
  }
  return kOk;
}

}  // namespace qd::cli
