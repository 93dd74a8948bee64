// Revision look-up. git tries a name in the order HEAD, refs/tags, refs/heads, refs/remotes and so on, takes the first
// match, and only warns on standard error. Here all matches are found.
#include "report/diff/revision.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "report/diff/git.h"

namespace qd::report {
namespace {

constexpr size_t kLeastOfId = 4;  // smallest number of digits that git takes for an abbreviated id
constexpr size_t kUsualOfId = 7;  // usual number of digits of git's abbreviated ids
constexpr size_t kShownOfId = 10;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::vector<std::string> output_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

/// Base name of an expression: "main" for "main~2", "main@{upstream}" and "main^{tree}".
std::string base_of(const std::string& revision) {
  return revision.substr(0, std::min(revision.find_first_of("^~:"), revision.find("@{")));
}

/// Digits that git may take for an abbreviated id: the name itself, or the end of "v1.2-3-gabc1234".
std::string digits_of(const std::string& name) {
  if (name.size() >= kLeastOfId && is_hex(name)) return name;
  const size_t at = name.rfind("-g");
  if (at == std::string::npos || name.size() - at - 2 < kLeastOfId) return "";
  std::string digits = name.substr(at + 2);
  return is_hex(digits) ? digits : "";
}

/// A meaning of a name.
struct Meaning {
  std::string name;  // full reference or id, which has no other meaning
  std::string commit;
};

class Meanings {
 public:
  Meanings(const std::string& root, std::string name) : root_(root), name_(std::move(name)) {
    // No reference has these characters; in a pattern they would be wildcards.
    if (!name_.empty() && name_.find_first_of("*?[\\ ") == std::string::npos) find_references();
    if (const std::string digits = digits_of(name_); !digits.empty())
      objects_ = output_lines(run_git(root_, {"rev-parse", "--disambiguate=" + digits}).out);
  }

  /// Full names of references that git may take the name for.
  const std::vector<std::string>& references() const { return references_; }
  /// Branches of remotes with this name: refs/remotes/origin/main for "main".
  const std::vector<std::string>& of_remotes() const { return of_remotes_; }
  bool has(const std::string& reference) const {
    return std::find(references_.begin(), references_.end(), reference) != references_.end();
  }

  /// Returns every commit that the name may mean, each once. `taken` is git's choice, if there is one.
  std::vector<Meaning> all(const std::optional<std::string>& taken) const {
    std::vector<Meaning> result;
    for (const std::string& reference : references_) add(reference, commit_of(root_, reference), result);
    const bool only_tag = has("refs/tags/" + name_) && !has("refs/heads/" + name_) && !has("refs/remotes/" + name_);
    if (only_tag)
      for (const std::string& reference : of_remotes_) add(reference, commit_of(root_, reference), result);
    if (taken) add(*taken, taken, result);  // HEAD and the like, which are references without a folder
    for (const std::string& id : objects_) add(id, commit_of(root_, id), result);
    return result;
  }

  /// Whether the name looks like an abbreviated id, and this clone, which lacks history, may have a reference of that
  /// name instead of the commit.
  bool may_lack_commit() const {
    return digits_of(name_).size() >= kUsualOfId && objects_.empty() && !references_.empty() && is_shallow(root_);
  }

 private:
  void find_references() {
    const std::array<std::string, 5> exact = {"refs/" + name_, "refs/tags/" + name_, "refs/heads/" + name_,
                                              "refs/remotes/" + name_, "refs/remotes/" + name_ + "/HEAD"};
    std::vector<std::string> command = {"for-each-ref", "--format=%(refname)"};
    command.insert(command.end(), exact.begin(), exact.end());
    if (name_.starts_with("refs/")) command.push_back(name_);
    command.push_back("refs/remotes/*/" + name_);
    for (std::string& reference : output_lines(run_git(root_, command).out)) {
      // A pattern also matches references below it, as in a folder.
      if (reference == name_ || std::find(exact.begin(), exact.end(), reference) != exact.end())
        references_.push_back(std::move(reference));
      else if (reference.starts_with("refs/remotes/") && reference.ends_with("/" + name_))
        of_remotes_.push_back(std::move(reference));
    }
  }

  static void add(const std::string& name, const std::optional<std::string>& commit, std::vector<Meaning>& result) {
    if (!commit) return;
    if (std::none_of(result.begin(), result.end(), [&](const Meaning& one) { return one.commit == *commit; }))
      result.push_back({name, *commit});
  }

  const std::string& root_;
  std::string name_;
  std::vector<std::string> references_, of_remotes_, objects_;
};

std::string described(const Meaning& meaning) {
  if (is_whole_id(meaning.name)) return "commit " + meaning.name;
  return fmt::format("{} ({})", meaning.name, meaning.commit.substr(0, kShownOfId));
}

[[noreturn]] void refuse(const std::string& name, const std::vector<Meaning>& meanings) {
  std::string list;
  for (size_t i = 0; i < meanings.size(); ++i)
    list += (i == 0 ? "" : i + 1 == meanings.size() ? " or " : ", ") + described(meanings[i]);
  throw GitError(fmt::format("The name '{}' is ambiguous: it may be {}; write in full which of them it is, as '{}'.",
                             name, list, meanings[0].name));
}

/// Shortest unambiguous name of a reference.
std::string shown_name(const std::string& root, const std::string& typed, const std::string& base,
                       const std::string& reference) {
  if (reference == "refs/tags/" + base) return "tags/" + typed;
  for (const char* folder : {"refs/heads/", "refs/remotes/", "refs/"})
    if (base == reference && base.starts_with(folder)) {
      const std::string shorter = base.substr(std::string_view(folder).size());
      const Meanings meanings(root, shorter);
      if (meanings.references() == std::vector<std::string>{reference} && digits_of(shorter).empty())
        return shorter + typed.substr(base.size());
    }
  return typed;
}

}  // namespace

std::optional<std::string> commit_of(const std::string& root, const std::string& revision) {
  GitOutput found = run_git(root, {"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"});
  if (found.exit_code != 0) return std::nullopt;
  return first_line(found.out);
}

bool is_whole_id(const std::string& text) { return (text.size() == 40 || text.size() == 64) && is_hex(text); }

bool is_shallow(const std::string& root) {
  return first_line(run_git(root, {"rev-parse", "--is-shallow-repository"}).out) == "true";
}

std::optional<NamedCommit> named_commit(const std::string& root, const std::string& revision) {
  const std::optional<std::string> commit = commit_of(root, revision);
  const std::string base = base_of(revision);
  // git itself takes a whole id only for the commit.
  if (is_whole_id(base)) return commit ? std::optional(NamedCommit{*commit, "", revision}) : std::nullopt;
  const Meanings meanings(root, base);
  if (base.starts_with("refs/")) {
    if (!commit || !meanings.has(base)) return std::nullopt;  // a branch may be called "refs/heads/main"
    return NamedCommit{*commit, base == revision ? base : "", shown_name(root, revision, base, base)};
  }
  const std::vector<Meaning> all = meanings.all(base == revision ? commit : commit_of(root, base));
  if (all.size() > 1) refuse(base, all);
  if (!commit) return std::nullopt;
  if (meanings.references().empty()) return NamedCommit{*commit, "", revision};
  const std::string& reference = meanings.references().front();
  if (meanings.may_lack_commit())
    throw GitError(
        fmt::format("The name '{0}' is ambiguous: {1} has it, and the id of a commit that this shallow clone lacks may "
                    "begin so; write '{1}', or the whole id.",
                    base, reference));
  return NamedCommit{*commit, base == revision ? reference : "", shown_name(root, revision, base, reference)};
}

}  // namespace qd::report
