// What a job may not post is kept in a folder, which goes as an artifact to a job that may. That one trusts nothing of
// it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/services/service_client.h"

namespace qd::report {

struct KeptPost {
  enum Kind { Comment, CheckRun } kind = Comment;
  std::string repository;
  int64_t pull_request = 0;  // of a comment
  std::string head_sha;
  std::string name;     // of a comment
  std::string body;     // of a comment
  ServiceJson payload;  // of a check run: the body of the request
  std::string file;     // where it was read
};

/// Writes `post` to a file of its own in `folder`, which is made when there is none; gives the file's path. Throws
/// std::runtime_error.
std::string keep_post(const std::string& folder, const KeptPost& post);

/// Reads all of `folder`, in order of their names. A stranger may have written it: whatever is not of the right form,
/// too long, too many, or no regular file is a std::runtime_error. Texts are tamed (tame_markdown).
std::vector<KeptPost> read_kept_posts(const std::string& folder);

/// Checks the body of a request for a check run, and gives it with nothing in it but what is known. `where` is for
/// messages. Throws std::runtime_error.
ServiceJson checked_payload(const ServiceJson& json, const std::string& where, bool tame);

}  // namespace qd::report
