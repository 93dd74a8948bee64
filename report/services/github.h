// GitHub: what a job knows about itself, and the requests that we make.
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

/// What the runner says of a job, in GITHUB_... variables and in the file of the event.
struct GithubJob {
  std::string repository;  // "owner/name"
  std::string api_url;
  std::string token;  // empty: there is none
  std::optional<int64_t> pull_request;
  std::string head_sha;         // of the pull request, else of the commit that is being built
  std::string head_repository;  // of the pull request
  /// Of the run that a job of "workflow_run" follows.
  struct Run {
    std::string head_sha, head_repository;
  };
  std::optional<Run> run;
};

/// Reads the environment. Throws std::runtime_error for an event's file that cannot be read.
GithubJob github_job();

/// Throws std::runtime_error for what is no "owner/name".
void check_repository(const std::string& repository);

bool is_commit(const std::string& text);

ServiceAccess github_access(const GithubJob& job);

/// Creates or updates the comment `name`. Throws ForbiddenError.
PostedComment post_github_comment(ServiceClient& client, const std::string& repository, int64_t pull_request,
                                  const std::string& name, const std::string& body);

/// Creates a check run, `payload` being the body of the request, with any number of annotations: GitHub takes fifty at
/// a time. Gives its address. Throws ForbiddenError.
std::string post_check_run(ServiceClient& client, const std::string& repository, ServiceJson payload);

struct PullRequestHead {
  std::string sha, repository;
  bool open = false;
};
PullRequestHead pull_request_head(ServiceClient& client, const std::string& repository, int64_t pull_request);

/// A text of `json`, or of an object below it ("user.login"); empty when there is no such thing.
std::string text_at(const ServiceJson& json, const std::string& path);

}  // namespace qd::report
