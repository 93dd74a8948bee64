// Kept posts. A job without write permission keeps its posts in a folder, which is passed as an artifact to a job that
// may post. The second job trusts nothing in the folder.
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
  std::string file;     // path of the file that it was read from
};

/// Writes `post` to a file of its own in `folder`, which is made when it does not exist; returns the file's path.
/// Throws std::runtime_error.
std::string keep_post(const std::string& folder, const KeptPost& post);

/// Reads all posts in `folder`, in order of their names. The folder is untrusted: a file of a wrong form, too long, too
/// many files, or one that is not regular is a std::runtime_error. Texts are made harmless (tame_markdown).
std::vector<KeptPost> read_kept_posts(const std::string& folder);

/// Checks the body of a request for a check run, and returns it with known keys only. `where` is for messages. Throws
/// std::runtime_error.
ServiceJson checked_payload(const ServiceJson& json, const std::string& where, bool tame);

}  // namespace qd::report
