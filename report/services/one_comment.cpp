// One comment: finds the comment, then changes or makes it.
#include "report/services/one_comment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "report/services/service_client.h"

namespace qd::report {

namespace {

/// Normalised text: services may change line ends, and drop blanks at the end.
std::string plain(const std::string& text) {
  std::string result;
  for (char c : text)
    if (c != '\r') result += c;
  while (!result.empty() && std::isspace(static_cast<unsigned char>(result.back()))) result.pop_back();
  return result;
}

/// Finds our comment. A person may write the marker too; our text is not put into a comment that the person can change.
std::optional<ServiceComment> find_ours(const CommentThread& thread, const std::string& marker) {
  std::optional<ServiceComment> ours;
  std::optional<std::string> own_name;
  thread.each([&](const ServiceComment& comment) {
    if (!comment.body.starts_with(marker)) return true;
    if (comment.by_person) {
      if (!own_name) own_name = thread.own_name();
      if (own_name->empty() || *own_name != comment.author) return true;
    }
    ours = comment;
    return false;
  });
  return ours;
}

PostedComment update(const CommentThread& thread, const ServiceComment& comment, const std::string& body) {
  if (plain(comment.body) == plain(body)) return {CommentOutcome::Unchanged, ""};
  return {CommentOutcome::Updated, thread.update(comment.id, body)};
}

}  // namespace

std::string comment_marker(const std::string& name) { return fmt::format("<!-- qd-cov: {} -->", name); }

bool is_comment_name(const std::string& name) {
  bool fits = !name.empty() && name.size() <= 64 && name.find("--") == std::string::npos;
  return fits && std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::isalnum(c) ||
                  (c != '\0' && std::string_view(" ._/+-").find(static_cast<char>(c)) != std::string_view::npos);
         });
}

PostedComment post_comment(const CommentThread& thread, const std::string& name, const std::string& text,
                           Patience& patience) {
  const std::string marker = comment_marker(name);
  const std::string body = marker + "\n" + text;
  std::optional<int64_t> gone;
  for (int tries = 0;; ++tries) {
    const std::optional<ServiceComment> ours = find_ours(thread, marker);
    try {
      if (ours) return update(thread, *ours, body);
      return {CommentOutcome::Created, thread.create(body)};
    } catch (const ServiceError& error) {
      if (!ours || error.status != 404 || gone == ours->id) throw;
      gone = ours->id;  // deleted since it was found
    } catch (const HttpError& error) {
      if (!error.maybe_done ||
          !patience.back_off(tries, fmt::format("{}: the comment may be there or not", error.what())))
        throw;
    }
  }
}

}  // namespace qd::report
