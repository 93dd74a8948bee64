// Joins patterns, leaving out those that cannot match in a text.
#include "report/analysis/line_patterns.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace qd::report {

namespace {

/// Does the pattern refer to groups by number or name? Then its place among the joined patterns matters.
bool refers_to_groups(const std::string& pattern) {
  if (pattern.find("(?P") != std::string::npos || pattern.find("(?(") != std::string::npos) return true;
  for (size_t i = 0; i + 1 < pattern.size(); ++i)
    if (pattern[i] == '\\' && std::isdigit(static_cast<unsigned char>(pattern[++i]))) return true;
  return false;
}

}  // namespace

LinePatterns::LinePatterns(std::vector<std::string> patterns) : patterns_(std::move(patterns)), required_(patterns_.size()) {
  if (std::none_of(patterns_.begin(), patterns_.end(), refers_to_groups))
    std::transform(patterns_.begin(), patterns_.end(), required_.begin(), required_literals);
  joined(std::vector<bool>(patterns_.size(), true));
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
    regex = std::make_shared<PythonRegex>(text, RegexMode::kMultiline);
  }
  return regex;
}

void LinePatterns::find_lines(std::string_view text, const std::function<void(int32_t first, int32_t last)>& found) const {
  std::vector<bool> chosen(patterns_.size());
  bool any = patterns_.empty();  // no pattern at all: the empty expression, which matches everywhere
  for (size_t i = 0; i < patterns_.size(); ++i) {
    chosen[i] = required_[i].empty() || std::any_of(required_[i].begin(), required_[i].end(), [&](const std::string& literal) {
                  return memmem(text.data(), text.size(), literal.data(), literal.size()) != nullptr;
                });
    any = any || chosen[i];
  }
  if (!any) return;
  size_t position = 0;
  int32_t line = 1;
  auto line_at = [&](size_t from, size_t to) { return static_cast<int32_t>(std::count(text.begin() + from, text.begin() + to, '\n')); };
  joined(chosen)->find_all(text, [&](size_t start, size_t end) {
    line += line_at(position, start);
    position = start;
    found(line, line + line_at(start, end));
  });
}

std::shared_ptr<const LinePatterns> LinePatterns::get(const std::vector<std::string>& patterns) {
  static std::mutex mutex;
  static std::map<std::vector<std::string>, std::shared_ptr<const LinePatterns>> known;
  std::lock_guard lock(mutex);
  std::shared_ptr<const LinePatterns>& result = known[patterns];
  if (!result) result = std::make_shared<LinePatterns>(patterns);
  return result;
}

}  // namespace qd::report
