// GitLab requests, as in "Notes API" and "Merge requests" at docs.gitlab.com.
#include "report/services/gitlab.h"

#include <fmt/format.h>

#include "report/services/github.h"

namespace qd::report {

GitlabJob gitlab_job() {
  GitlabJob job = {job_variable("CI_API_V4_URL"), job_variable("CI_MERGE_REQUEST_PROJECT_ID"),
                   job_variable("CI_MERGE_REQUEST_IID"), job_variable("GITLAB_TOKEN")};
  if (job.project.empty()) job.project = job_variable("CI_PROJECT_ID");
  return job;
}

ServiceAccess gitlab_access(const GitlabJob& job) {
  return {"GitLab", job.api_url, job.token, "PRIVATE-TOKEN: ", {"User-Agent: qd-cov"}};
}

PostedComment post_gitlab_note(ServiceClient& client, const GitlabJob& job, const std::string& name,
                               const std::string& body) {
  const std::string notes = fmt::format("/projects/{}/merge_requests/{}/notes", job.project, job.merge_request);
  CommentThread thread;
  thread.each = [&](const std::function<bool(const ServiceComment&)>& visit) {
    client.each(notes + "?sort=asc&order_by=created_at", [&](const ServiceJson& item) {
      if (!item.is_object() || !item.contains("id") || !item["id"].is_number_integer()) return true;
      // A token's own user may be a bot or a person: only the name tells whether the note is ours.
      return visit({item["id"].get<int64_t>(), text_at(item, "body"), text_at(item, "author.username"), true});
    });
  };
  thread.create = [&](const std::string& text) {
    client.create(notes, {{"body", text}});
    return std::string();
  };
  thread.update = [&](int64_t id, const std::string& text) {
    client.change("PUT", fmt::format("{}/{}", notes, id), {{"body", text}});
    return std::string();
  };
  thread.own_name = [&] { return text_at(client.get("/user"), "username"); };
  return post_comment(thread, name, body, client.patience());
}

}  // namespace qd::report
