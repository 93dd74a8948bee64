// Revision look-up: the commit of a branch, a tag or an id; an ambiguous name is refused.
#pragma once

#include <optional>
#include <string>

namespace qd::report {

/// Full id of the commit that git takes a revision for, or nothing. git silently chooses one of several references with
/// the same name: call this only for names of our own, such as HEAD and full ids.
std::optional<std::string> commit_of(const std::string& root, const std::string& revision);

/// Whether the clone lacks history (shallow).
bool is_shallow(const std::string& root);

/// Whether a text has the form of a whole id, in SHA-1 or SHA-256.
bool is_whole_id(const std::string& text);

/// A commit, with the name that the user gave it.
struct NamedCommit {
  std::string commit;  // full id
  std::string ref;     // the full name of the branch or tag, "refs/heads/main"; empty for an id or an expression
  std::string shown;   // shortest unambiguous name: "origin/main", "tags/v1"
};

/// Returns the commit of a revision, as `git rev-parse` understands it; nothing when git has no such commit. Throws
/// GitError when the name, or the name that an expression such as "main~2" begins with, means several commits: a
/// branch, a tag and a branch of a remote of one name, a tag beside a branch that only remotes have, a name that is
/// also an abbreviated id.
std::optional<NamedCommit> named_commit(const std::string& root, const std::string& revision);

}  // namespace qd::report
