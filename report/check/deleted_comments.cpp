// Check deleted-comments. A comment counts as deleted when its lines changed, no new comment is like it, and the line
// of code that it belongs to is still there. A docstring counts as deleted when the definition is still there.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "report/check/check.h"
#include "report/check/code_alignment.h"
#include "report/check/source_comments.h"
#include "report/data/in_order.h"
#include "report/data/utf8.h"
#include "report/diff/git.h"
#include "report/formats/common/text.h"
#include "runtime/syntax/parse.h"

namespace qd::report {
namespace {

constexpr const char* kDeletedComments = "deleted-comments";
constexpr size_t kShownSize = 100;  // largest size of an old text in a message, in bytes

/// Whether the text between the spans is the same in both. It differs when git has ignored white space, or when Python
/// sees more lines than git does.
bool are_true(const std::vector<ChangedSpan>& spans, const std::string& old_text, const std::string& new_text) {
  std::vector<std::string_view> old_lines = split_lines(old_text), new_lines = split_lines(new_text);
  size_t a = 0, b = 0;
  auto same_until = [&](size_t a_end, size_t b_end) {
    if (a_end < a || b_end < b || a_end > old_lines.size() || b_end > new_lines.size() || a_end - a != b_end - b)
      return false;
    for (; a < a_end; ++a, ++b)
      if (old_lines[a] != new_lines[b]) return false;
    return true;
  };
  for (const ChangedSpan& span : spans) {
    if (!same_until(static_cast<size_t>(span.old_first) - 1, static_cast<size_t>(span.new_first) - 1)) return false;
    a += static_cast<size_t>(span.n_old);
    b += static_cast<size_t>(span.n_new);
  }
  return same_until(old_lines.size(), new_lines.size());
}

class Comparison {
 public:
  Comparison(const ChangedFile& file, const std::string& old_text, const std::string& new_text, const Threshold& least)
      : path_(file.path),
        old_(find_source_comments(old_text)),
        new_(find_source_comments(new_text)),
        spans_(file.spans),
        least_(least) {
    bool true_spans = are_true(spans_, old_text, new_text);
    if (!true_spans) spans_ = {{1, old_.n_lines, 1, new_.n_lines}};
    lines_ = align_code(old_, new_, spans_);
    if (true_spans) std::erase_if(spans_, [&](const ChangedSpan& span) { return !is_part(span, file); });
  }

  std::vector<CheckFinding> run() {
    std::vector<CheckFinding> findings;
    if (!new_.is_python) {
      std::string message =
          fmt::format("Deleted comments can't be found: this is no Python ({}).", visible(new_.error));
      findings.push_back({kDeletedComments, Severity::Warning, path_, new_.error_line, new_.error_line,
                          std::move(message), "unknown"});
      return findings;
    }
    std::vector<const SourceComment*> come;
    for (const SourceComment* comment : deleted(come)) {
      std::optional<SourceComments::Position> position = position_of(*comment);
      if (!position) continue;
      findings.push_back({kDeletedComments, Severity::Warning, path_, position->line, position->first_line,
                          message(*comment, is_replaced(*comment, *position, come)), comment->text});
    }
    return findings;
  }

 private:
  static std::string message(const SourceComment& comment, bool replaced) {
    std::string text = visible(comment.text);
    if (text.size() > kShownSize) text = text.substr(0, character_start(text, kShownSize)) + "…";
    std::string what = "comment";
    if (comment.is_docstring)
      what = fmt::format("docstring of {}", comment.owner.empty() ? "the module" : "'" + visible(comment.owner) + "'");
    std::string lines = comment.first == comment.last ? fmt::format("line {}", comment.first)
                                                      : fmt::format("lines {}-{}", comment.first, comment.last);
    return fmt::format("The {} was {} ({} of the old file): {}", what, replaced ? "replaced by another" : "deleted",
                       lines, text);
  }

  /// Whether the span is still part of the change, after staged or unstaged lines were taken out.
  static bool is_part(const ChangedSpan& span, const ChangedFile& file) {
    if (span.n_new == 0)
      return std::binary_search(file.removed_after.begin(), file.removed_after.end(), span.new_first - 1);
    auto line = std::lower_bound(file.added.begin(), file.added.end(), span.new_first);
    return line != file.added.end() && *line < span.new_first + span.n_new;
  }

  /// Whether one of `come`, the new comments that are like no old one, is at the same position.
  bool is_replaced(const SourceComment& comment, const SourceComments::Position& position,
                   const std::vector<const SourceComment*>& come) const {
    return std::any_of(come.begin(), come.end(), [&](const SourceComment* one) {
      return one->is_docstring == comment.is_docstring &&
             (comment.is_docstring ? one->owner == comment.owner : one->anchor == position.line);
    });
  }

  /// Returns the old comments in the change that have no new one. The unmatched new comments are put into `come`.
  std::vector<const SourceComment*> deleted(std::vector<const SourceComment*>& come) const {
    std::vector<const SourceComment*> gone;
    std::set<std::pair<int32_t, std::vector<std::string>>> stayed;  // by new lines
    for (const SourceComment& comment : old_.comments) {
      if (touches(comment, &ChangedSpan::old_first, &ChangedSpan::n_old, false))
        gone.push_back(&comment);
      else
        stayed.emplace(lines_[static_cast<size_t>(comment.first)], comment.words);
    }
    for (const SourceComment& comment : new_.comments)
      if (touches(comment, &ChangedSpan::new_first, &ChangedSpan::n_new, true) &&
          !stayed.contains({comment.first, comment.words}))
        come.push_back(&comment);
    // Each new comment replaces one old comment; comments with the same words are matched first.
    for (bool exact : {true, false}) {
      std::erase_if(gone, [&](const SourceComment* comment) {
        auto best = come.end();
        Likeness most;
        for (auto one = come.begin(); one != come.end(); ++one) {
          Likeness like = exact ? Likeness{comment->words == (*one)->words ? 1 : 0, 1} : likeness(*comment, **one);
          if (like.same == 0 || (!exact && like.same * least_.denominator < least_.numerator * like.total)) continue;
          if (best == come.end() || like.same * most.total > most.same * like.total) {
            best = one;
            most = like;
          }
        }
        if (best == come.end()) return false;
        // A new comment that holds all words of an old one may hold those of others too.
        if ((*best)->words.size() <= comment->words.size() || most.same < most.total) come.erase(best);
        return true;
      });
    }
    return gone;
  }

  /// Whether a span touches a comment. A span side without lines touches a comment around it or, when `beside`, one
  /// next to it (the rest of a block).
  bool touches(const SourceComment& comment, int32_t ChangedSpan::* first, int32_t ChangedSpan::* n,
               bool beside) const {
    return std::any_of(spans_.begin(), spans_.end(), [&](const ChangedSpan& span) {
      int32_t begin = span.*first, end = begin + span.*n;
      if (span.*n > 0) return comment.first < end && comment.last >= begin;
      return beside ? comment.first <= begin && comment.last >= begin - 1
                    : comment.first < begin && comment.last >= begin;
    });
  }

  std::optional<SourceComments::Position> position_of(const SourceComment& comment) const {
    if (comment.is_docstring) {
      if (comment.owner.empty()) return SourceComments::Position{1, 1};
      auto found = new_.definitions.find(comment.owner);
      return found == new_.definitions.end() ? std::nullopt : std::optional(found->second);
    }
    if (comment.anchor == 0) return SourceComments::Position{1, 1};
    int32_t line = lines_[static_cast<size_t>(comment.anchor)];
    return line == 0 ? std::nullopt : std::optional(SourceComments::Position{line, line});
  }

  std::string path_;
  SourceComments old_, new_;
  std::vector<ChangedSpan> spans_;  // of the change
  const Threshold& least_;
  std::vector<int32_t> lines_;  // [old line] -> new line
};

bool may_lose_comments(const ChangedFile& file) {
  bool has_old = file.kind == ChangeKind::Modified || file.kind == ChangeKind::Renamed;
  return has_old && file.is_regular && has_python_comments(file.path) &&
         std::any_of(file.spans.begin(), file.spans.end(), [](const ChangedSpan& span) { return span.n_old > 0; });
}

std::vector<CheckFinding> check_file(const CheckInput& input, const ChangedFile& file,
                                     const std::optional<std::string>& old_bytes, const Threshold& least) {
  if (!old_bytes)
    throw GitError(fmt::format("git has no old version of '{}' here: is this a partial clone?", file.path));
  std::optional<std::string> now = input.read(file.path);
  if (!now) throw NoSource(fmt::format("No source for code: '{}'.", file.path));
  return Comparison(file, syntax::decode_source(*old_bytes), syntax::decode_source(*now), least).run();
}

}  // namespace

void deleted_comments(const CheckInput& input, CheckReport& report) {
  const Changes& changes = input.changes();
  if (changes.base_commit.empty())
    throw ConfigError(
        "deleted-comments compares with the old files, which a diff in a file does not have: use --compare-branch or "
        "--base-sha.");
  const Threshold least = input.settings.fraction("deleted-comments-similarity").value();
  std::vector<const ChangedFile*> files;
  for (const ChangedFile& file : changes.files)
    if (may_lose_comments(file)) files.push_back(&file);
  std::vector<std::string> ids;
  for (const ChangedFile* file : files) ids.push_back(file->old_id);
  const std::vector<std::optional<std::string>> old_bytes = read_blobs(changes.root, ids);
  in_order(
      files.size(), [&](size_t i) { return check_file(input, *files[i], old_bytes[i], least); },
      [&](size_t, std::vector<CheckFinding>&& findings) {
        report.findings.insert(report.findings.end(), findings.begin(), findings.end());
      });
}

}  // namespace qd::report
