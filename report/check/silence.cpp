// Silencing comments. Each has one target line, and silences a finding when that line is one of the finding's.
#include "report/check/silence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "report/check/source_comments.h"
#include "runtime/syntax/comments.h"
#include "runtime/syntax/parse.h"

namespace qd::report {
namespace {

constexpr std::string_view kMark = "qd-cov:";

std::string_view stripped(std::string_view text) {
  size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

/// Parses the text behind "qd-cov:": "ignore", perhaps with names of checks. False for another text.
bool parse(std::string_view text, std::vector<std::string>& checks) {
  text = stripped(text);
  if (!text.starts_with("ignore")) return false;
  text.remove_prefix(6);
  if (!text.starts_with('['))
    return text.empty() || text[0] == ' ' || text[0] == '\t' || text[0] == '#' || text[0] == '*' || text[0] == '.' ||
           text[0] == ',';
  size_t close = text.find(']');
  if (close == std::string_view::npos) return false;
  for (size_t at = 1; at <= close;) {
    size_t end = std::min(text.find(',', at), close);
    if (std::string_view name = stripped(text.substr(at, end - at)); !name.empty()) checks.emplace_back(name);
    at = end + 1;
  }
  return !checks.empty();
}

/// Appends the silencers of a comment; "# noqa  # qd-cov: ignore" has one too.
void add_silencers(std::string_view comment, int32_t line, int32_t target, std::vector<Silencer>& silencers) {
  for (size_t at = comment.find(kMark); at != std::string_view::npos; at = comment.find(kMark, at + 1)) {
    std::string_view before = stripped(comment.substr(0, at));
    if (!before.ends_with('#') && !before.ends_with("//") && !before.ends_with("/*")) continue;
    Silencer silencer{line, target, {}};
    if (parse(comment.substr(at + kMark.size()), silencer.checks)) silencers.push_back(std::move(silencer));
  }
}

std::vector<Silencer> in_python(const std::string& bytes) {
  std::vector<syntax::Comment> comments = syntax::find_comments(syntax::decode_source(bytes));
  std::vector<Silencer> silencers;
  int32_t target = 0;
  for (auto comment = comments.rbegin(); comment != comments.rend(); ++comment) {
    // Lines with a comment alone are no target: the line behind the last of them is.
    bool followed_by_comment =
        comment != comments.rbegin() && std::prev(comment)->line == comment->line + 1 && std::prev(comment)->alone;
    if (!comment->alone)
      target = comment->line;
    else if (!followed_by_comment)
      target = comment->line + 1;
    add_silencers(comment->text, comment->line, target, silencers);
  }
  return silencers;
}

std::vector<Silencer> in_text(const std::string& bytes) {
  std::vector<Silencer> silencers;
  int32_t number = 0;
  for (size_t at = 0; at < bytes.size();) {
    size_t end = std::min(bytes.find('\n', at), bytes.size());
    std::string_view line = std::string_view(bytes).substr(at, end - at);
    ++number;
    at = end + 1;
    if (line.find(kMark) == std::string_view::npos) continue;
    std::string_view text = stripped(line);
    bool alone = text.starts_with("//") || text.starts_with('#') || text.starts_with("/*");
    add_silencers(line, number, alone ? number + 1 : number, silencers);
  }
  return silencers;
}

class Silence {
 public:
  Silence(const CheckInput& input, const std::vector<std::string>& ran, bool ran_all)
      : input_(input), ran_(ran.begin(), ran.end()), ran_all_(ran_all) {}

  void apply(CheckReport& report) {
    auto is_silenced = [&](const CheckFinding& finding) {
      bool silenced = false;
      for (Known& known : of(finding.path)) {
        const Silencer& silencer = known.silencer;
        bool means_it = silencer.checks.empty() || std::find(silencer.checks.begin(), silencer.checks.end(),
                                                             finding.check) != silencer.checks.end();
        if (!means_it || silencer.target < finding.first_line || silencer.target > finding.line) continue;
        known.used_for.insert(finding.check);
        silenced = true;
      }
      return silenced;
    };
    report.n_silenced += static_cast<int32_t>(std::erase_if(report.findings, is_silenced));
  }

  void add_unused(CheckReport& report) {
    std::map<std::string, std::vector<const Examined*>> examined;
    for (const Examined& one : report.examined) examined[one.path].push_back(&one);
    for (const auto& [path, places] : examined) {
      for (const Known& known : of(path)) {
        std::string message = complaint(known, places);
        if (message.empty()) continue;
        report.findings.push_back(
            {kUnusedIgnore, Severity::Warning, path, known.silencer.line, known.silencer.line, message, message});
      }
    }
  }

 private:
  struct Known {
    Silencer silencer;
    std::set<std::string> used_for;
  };

  std::vector<Known>& of(const std::string& path) {
    auto [found, is_new] = files_.try_emplace(path);
    if (!is_new) return found->second;
    if (std::optional<std::string> bytes = input_.read(path))
      for (Silencer& silencer : find_silencers(path, *bytes)) found->second.push_back({std::move(silencer), {}});
    return found->second;
  }

  std::string complaint(const Known& known, const std::vector<const Examined*>& places) const {
    auto looked = [&](const std::string* check) {
      return std::any_of(places.begin(), places.end(), [&](const Examined* one) {
        return (!check || one->check == *check) && one->first <= known.silencer.target &&
               known.silencer.target <= one->last;
      });
    };
    if (known.silencer.checks.empty())
      return ran_all_ && known.used_for.empty() && looked(nullptr)
                 ? "This comment silences nothing: there is no finding here."
                 : "";
    for (const std::string& check : known.silencer.checks) {
      if (std::none_of(all_checks().begin(), all_checks().end(), [&](const Check& one) { return check == one.name; }))
        return fmt::format("This comment silences '{}', and there is no such check.", check);
      if (ran_.contains(check) && !known.used_for.contains(check) && looked(&check))
        return fmt::format("This comment silences nothing: {} has no finding here.", check);
    }
    return "";
  }

  const CheckInput& input_;
  std::set<std::string> ran_;
  bool ran_all_;
  std::map<std::string, std::vector<Known>> files_;
};

}  // namespace

std::vector<Silencer> find_silencers(const std::string& path, const std::string& bytes) {
  if (bytes.find(kMark) == std::string::npos) return {};
  return has_python_comments(path) ? in_python(bytes) : in_text(bytes);
}

void silence(const CheckInput& input, const std::vector<std::string>& ran, bool ran_all, bool report_unused,
             CheckReport& report) {
  Silence all(input, ran, ran_all);
  all.apply(report);
  if (report_unused) all.add_unused(report);
}

}  // namespace qd::report
