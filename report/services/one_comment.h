// Keeps one comment on a pull request or merge request up to date, and finds it again by a hidden marker.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "report/services/retry.h"

namespace qd::report {

struct ServiceComment {
  int64_t id = 0;
  std::string body;
  std::string author;
  bool by_person = false;  // not by a bot: only ours when it is our own account
};

/// The comments of one pull request, as a service has them.
struct CommentThread {
  /// From the oldest on, until `visit` gives false.
  std::function<void(const std::function<bool(const ServiceComment&)>& visit)> each;
  std::function<std::string(const std::string& body)> create;  // these two give the comment's address
  std::function<std::string(int64_t id, const std::string& body)> update;
  std::function<std::string()> own_name;  // of the token's account; empty when it is no person's
};

/// In units of UTF-16, with the marker: GitHub takes no more.
constexpr size_t kMaxCommentLength = 65'536;

enum class CommentOutcome { Created, Updated, Unchanged };

struct PostedComment {
  CommentOutcome outcome = CommentOutcome::Created;
  std::string url;
};

/// "<!-- qd-cov: NAME -->"
std::string comment_marker(const std::string& name);

/// Letters, digits, blanks and "._/+-" that end no HTML comment, 64 at most.
bool is_comment_name(const std::string& name);

/// Looks for the first comment that begins with the marker of `name` and is ours, and puts `body` behind the marker.
/// Otherwise makes a new comment. When it is not known whether a new one was made, looks through the thread again
/// first.
PostedComment post_comment(const CommentThread& thread, const std::string& name, const std::string& body,
                           Patience& patience);

}  // namespace qd::report
