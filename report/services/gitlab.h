// GitLab: the note on a merge request, kept up to date.
#pragma once

#include "report/services/one_comment.h"
#include "report/services/service_client.h"

namespace qd::report {

/// Facts of the runner about a job, in CI_... variables, and GITLAB_TOKEN.
struct GitlabJob {
  std::string api_url;
  std::string project;        // id of the project that has the merge request
  std::string merge_request;  // its number in the project
  std::string token;
};

/// Reads the environment.
GitlabJob gitlab_job();

ServiceAccess gitlab_access(const GitlabJob& job);

PostedComment post_gitlab_note(ServiceClient& client, const GitlabJob& job, const std::string& name,
                               const std::string& body);

}  // namespace qd::report
