// `qd-cov gitlab comment`: one note on the merge request, updated in place.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/commands.h"
#include "cli/options/service_options.h"
#include "cli/python/python_request.h"
#include "report/formats/common/text.h"
#include "report/services/gitlab.h"

namespace qd::cli {

namespace {

constexpr size_t kMaxNote = 1'000'000;

bool is_number(const std::string& text) {
  return !text.empty() && text.size() < 19 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

int gitlab_comment(const Arguments& arguments) {
  CommandLine line("gitlab comment", "[options] [FILE]",
                   "Create the note with this markdown (of 'qd-cov diff --format markdown:FILE') on the job's merge "
                   "request, or update the one that is there. The "
                   "token is read from GITLAB_TOKEN: that of a project or of a person, with the scope 'api'; the job's "
                   "own may not write notes.");
  line.add("name", "The note to update: jobs that have one each give it a name. Default: diff.", kText, "NAME");
  add_wait_option(line);
  line.allow_options_after_arguments();
  if (!line.parse(arguments)) return kOk;

  std::string name = line.text("name").value_or("diff");
  if (!report::is_comment_name(name))
    throw UsageError(fmt::format(
        "option --name: '{}' must be letters, digits, blanks and ._/+- without two dashes together, 64 at most", name));
  std::string body = report::valid_utf8(text_argument(line, "markdown"));
  if (report::utf16_length(body) > kMaxNote - 200)
    throw std::runtime_error(fmt::format("The note is longer than the {} characters that GitLab takes.", kMaxNote));
  report::GitlabJob job = report::gitlab_job();
  if (job.api_url.empty()) throw std::runtime_error("CI_API_V4_URL is not set: this is no job of GitLab.");
  if (!is_number(job.project) || !is_number(job.merge_request))
    throw std::runtime_error("This is no job of a merge request: CI_MERGE_REQUEST_IID is not set.");
  if (job.token.empty())
    throw std::runtime_error(
        "There is no token in GITLAB_TOKEN: make a project access token with the scope 'api', and a masked variable of "
        "it.");
  report::ServiceClient client(report::gitlab_access(job), send_by_python, max_wait(line), service_notice);
  report::PostedComment posted = report::post_gitlab_note(client, job, name, body);
  const char* done = posted.outcome == report::CommentOutcome::Created   ? "Created"
                     : posted.outcome == report::CommentOutcome::Updated ? "Updated"
                                                                         : "Nothing new for";
  fmt::print("{} the note '{}' on merge request {}\n", done, name, job.merge_request);
  return kOk;
}

}  // namespace

int gitlab(const Arguments& arguments) {
  if (!arguments.empty() && arguments[0] == "comment") return gitlab_comment({arguments.begin() + 1, arguments.end()});
  CommandLine line("gitlab", "<part> [options] [FILE]",
                   "Report to GitLab from a job of its CI. See 'qd-cov gitlab comment --help'.");
  line.add_topic({"comment", "Create or update the note on the merge request.", true});
  if (!line.parse(arguments)) return kOk;
  if (line.arguments().empty()) throw UsageError("What should GitLab get: comment?");
  throw UsageError(fmt::format("Don't know what you mean by '{}'", line.arguments()[0]));
}

}  // namespace qd::cli
