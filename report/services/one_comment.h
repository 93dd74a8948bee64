// One comment on a pull request or merge request that is kept up to date, and recognised by a hidden marker.
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
  bool by_person = false;  // not by a bot: ours only if it is our own account
};

/// Comments of one pull request, with the service's operations on them.
struct CommentThread {
  /// Calls `visit` for each comment from the oldest on, until it returns false.
  std::function<void(const std::function<bool(const ServiceComment&)>& visit)> each;
  std::function<std::string(const std::string& body)> create;  // these two return the comment's address
  std::function<std::string(int64_t id, const std::string& body)> update;
  std::function<std::string()> own_name;  // of the token's account; empty when it belongs to no person
};

/// Largest length of a comment with its marker, in units of UTF-16: GitHub's limit.
constexpr size_t kMaxCommentLength = 65'536;

enum class CommentOutcome { Created, Updated, Unchanged };

struct PostedComment {
  CommentOutcome outcome = CommentOutcome::Created;
  std::string url;
};

/// Hidden marker: "<!-- qd-cov: NAME -->".
std::string comment_marker(const std::string& name);

/// Whether a name is valid: letters, digits, blanks and "._/+-" that end no HTML comment, 64 at most.
bool is_comment_name(const std::string& name);

/// Finds the first comment that begins with the marker of `name` and is ours, and puts `body` behind the marker.
/// Otherwise makes a new comment. Searches the thread again first if it is not known whether a new one was made, or if
/// the found one is deleted by then.
PostedComment post_comment(const CommentThread& thread, const std::string& name, const std::string& body,
                           Patience& patience);

}  // namespace qd::report
