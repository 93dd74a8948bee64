// GitHub: the environment of a job, and our requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "report/services/one_comment.h"
#include "report/services/service_client.h"

namespace qd::report {

/// "Resource not accessible by integration": the token may only read, as in a job of a pull request from a fork.
struct ForbiddenError : ServiceError {
  using ServiceError::ServiceError;
};

/// Facts of the runner about a job, in GITHUB_... variables and in the file of the event.
struct GithubJob {
  std::string repository;  // "owner/name"
  std::string api_url;
  std::string token;  // empty: none
  std::optional<int64_t> pull_request;
  std::string head_sha;         // of the pull request, else of the commit of the run
  std::string head_repository;  // of the pull request
  /// The run that triggered a job of "workflow_run".
  struct Run {
    std::string head_sha, head_repository;
  };
  std::optional<Run> run;
};

/// Reads the environment. Throws std::runtime_error for an event's file that cannot be read.
GithubJob github_job();

/// Throws std::runtime_error unless `repository` is like "owner/name".
void check_repository(const std::string& repository);

bool is_commit(const std::string& text);

ServiceAccess github_access(const GithubJob& job);

/// Creates or updates the comment `name`. Throws ForbiddenError.
PostedComment post_github_comment(ServiceClient& client, const std::string& repository, int64_t pull_request,
                                  const std::string& name, const std::string& body);

/// Creates a check run, `payload` being the body of the request, with any number of annotations: GitHub takes fifty at
/// a time. Returns its address. Throws ForbiddenError.
std::string post_check_run(ServiceClient& client, const std::string& repository, ServiceJson payload);

struct PullRequestHead {
  std::string sha, repository;
  bool open = false;
};
PullRequestHead pull_request_head(ServiceClient& client, const std::string& repository, int64_t pull_request);

/// Text of `json`, or of an object below it ("user.login"); empty when there is none.
std::string text_at(const ServiceJson& json, const std::string& path);

}  // namespace qd::report
