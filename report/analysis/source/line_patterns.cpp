// Exclusion patterns, joined into one, without those that cannot match in a text.
#include "report/analysis/source/line_patterns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

namespace qd::report {

namespace {

/// True for a pattern that refers to groups by number or name. Then its place among the joined patterns matters.
bool refers_to_groups(const std::string& pattern) {
  if (pattern.find("(?P") != std::string::npos || pattern.find("(?(") != std::string::npos) return true;
  for (size_t i = 0; i + 1 < pattern.size(); ++i)
    if (pattern[i] == '\\' && std::isdigit(static_cast<unsigned char>(pattern[++i]))) return true;
  return false;
}

/// Start of the search for a match whose literal is at `place`: no such match begins earlier than this, or before
/// `first`. Going too far back only costs time, so characters that might be blank are taken for blank.
size_t start_of_match(std::string_view text, size_t first, size_t place, int blank_runs) {
  auto line_start = [&](size_t at) {
    size_t before = text.substr(first, at - first).rfind('\n');
    return before == std::string_view::npos ? first : first + before + 1;
  };
  auto may_be_blank = [&](size_t start) {
    for (size_t i = start; text[i] != '\n'; ++i)
      if (static_cast<unsigned char>(text[i]) > ' ' && static_cast<unsigned char>(text[i]) < 0x7f) return false;
    return true;
  };
  size_t start = line_start(place);
  for (int run = 0; run < blank_runs && start > first; ++run) {
    start = line_start(start - 1);
    while (start > first && may_be_blank(start)) start = line_start(start - 1);
  }
  return start;
}

}  // namespace

LinePatterns::LinePatterns(std::vector<std::string> patterns, bool by_line)
    : patterns_(std::move(patterns)), by_line_(by_line), required_(patterns_.size()) {
  if (std::none_of(patterns_.begin(), patterns_.end(), refers_to_groups))
    std::transform(patterns_.begin(), patterns_.end(), required_.begin(), required_text);
  joined(std::vector<bool>(patterns_.size(), true));
  std::vector<std::string> literals;
  for (const RequiredText& required : required_) {
    if (required.literals.empty() || !required.blank_runs) return;
    literals.insert(literals.end(), required.literals.begin(), required.literals.end());
    blank_runs_ = std::max(blank_runs_, *required.blank_runs);
  }
  if (!literals.empty() && !by_line_) scan_.emplace(std::move(literals));
}

std::shared_ptr<const PythonRegex> LinePatterns::joined(const std::vector<bool>& chosen) const {
  std::lock_guard lock(mutex_);
  std::shared_ptr<const PythonRegex>& regex = joined_[chosen];
  if (!regex) {
    std::vector<std::string> parts;
    for (size_t i = 0; i < patterns_.size(); ++i)
      if (chosen[i]) parts.push_back(patterns_[i]);
    std::string text = parts.size() == 1 ? parts[0] : "";
    if (parts.size() > 1)
      for (const std::string& part : parts) text += (text.empty() ? "(?:" : "|(?:") + part + ")";
    regex = std::make_shared<PythonRegex>(text, parts.size() > 1 ? RegexMode::kJoined : RegexMode::kMultiline);
  }
  return regex;
}

void LinePatterns::find_near_literals(std::string_view text,
                                      const std::function<void(size_t start, size_t end)>& found) const {
  std::shared_ptr<const PythonRegex> regex;
  std::optional<PythonRegex::In> in;
  size_t first = 0;  // start of the next search
  for (size_t place = scan_->find(text, 0); place != std::string_view::npos;
       place = scan_->find(text, std::max(place + 1, first))) {
    if (!regex) {
      regex = joined(std::vector<bool>(patterns_.size(), true));
      in.emplace(regex->in(text));
    }
    size_t start = start_of_match(text, first, place, blank_runs_);
    while (auto match = start <= place ? in->find(start, place) : std::nullopt) {
      found(match->first, match->second);
      start = match->second;
    }
    first = std::max(start, place + 1);
  }
}

void LinePatterns::find_lines(std::string_view text,
                              const std::function<void(int32_t first, int32_t last)>& found) const {
  try {
    search(text, found);
  } catch (const RegexLimit&) {
    tell_which_pattern(text);
  }
}

/// Searches each line for each pattern alone, and throws RegexLimit for the first one that takes too long.
void LinePatterns::tell_which_pattern(std::string_view text) const {
  std::vector<PythonRegex> alone;
  for (const std::string& pattern : patterns_) alone.emplace_back(pattern, RegexMode::kMultiline);
  int32_t line = 1;
  for (size_t start = 0; start < text.size(); ++line) {
    const size_t end = std::min(text.find('\n', start), text.size());
    for (size_t i = 0; i < alone.size(); ++i) {
      try {
        alone[i].search(text.substr(start, end - start));
      } catch (const RegexLimit&) {
        throw RegexLimit(fmt::format("line {}: the pattern '{}' backtracks without end", line, patterns_[i]));
      }
    }
    start = end + 1;
  }
  // The limit is reached only over several lines, or only by all patterns together.
  throw RegexLimit(fmt::format("the pattern '{}' backtracks without end", fmt::join(patterns_, "' or '")));
}

void LinePatterns::search(std::string_view text, const std::function<void(int32_t first, int32_t last)>& found) const {
  size_t position = 0;
  int32_t line = 1;
  auto line_at = [&](size_t from, size_t to) {
    return static_cast<int32_t>(std::count(text.begin() + from, text.begin() + to, '\n'));
  };
  auto found_text = [&](size_t start, size_t end) {
    line += line_at(position, start);
    position = start;
    found(line, line + line_at(start, end));
  };
  if (scan_) return find_near_literals(text, found_text);
  std::vector<bool> chosen(patterns_.size());
  bool any = patterns_.empty();  // no pattern at all: the empty expression, which matches everywhere
  for (size_t i = 0; i < patterns_.size(); ++i) {
    chosen[i] =
        required_[i].literals.empty() ||
        std::any_of(required_[i].literals.begin(), required_[i].literals.end(), [&](const std::string& literal) {
          return memmem(text.data(), text.size(), literal.data(), literal.size()) != nullptr;
        });
    any = any || chosen[i];
  }
  if (!any) return;
  std::shared_ptr<const PythonRegex> regex = joined(chosen);
  if (!by_line_) return regex->find_all(text, found_text);
  for (size_t start = 0; start <= text.size(); ++line) {
    size_t end = std::min(text.find('\n', start), text.size());
    if (regex->search(text.substr(start, end - start))) found(line, line);
    start = end + 1;
  }
}

std::shared_ptr<const LinePatterns> LinePatterns::get(const std::vector<std::string>& patterns, bool by_line) {
  static std::mutex mutex;
  static std::map<std::pair<bool, std::vector<std::string>>, std::shared_ptr<const LinePatterns>> known;
  std::lock_guard lock(mutex);
  std::shared_ptr<const LinePatterns>& result = known[{by_line, patterns}];
  if (!result) result = std::make_shared<LinePatterns>(patterns, by_line);
  return result;
}

}  // namespace qd::report
