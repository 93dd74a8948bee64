// Required literals: text that every match of a pattern contains, so that most texts need not be searched at all.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/regex/python_regex.h"

namespace qd::report {

namespace {

using Literals = std::vector<std::string>;

size_t shortest(const Literals& literals) {
  size_t length = SIZE_MAX;
  for (const std::string& literal : literals) length = std::min(length, literal.size());
  return literals.empty() ? 0 : length;
}

size_t end_of_class(const std::string& pattern, size_t i) {
  ++i;
  if (i < pattern.size() && pattern[i] == '^') ++i;
  if (i < pattern.size() && pattern[i] == ']') ++i;
  for (; i < pattern.size() && pattern[i] != ']'; ++i)
    if (pattern[i] == '\\') ++i;
  return i;
}

size_t end_of_group(const std::string& pattern, size_t i) {
  int depth = 0;
  for (; i < pattern.size(); ++i) {
    char c = pattern[i];
    if (c == '\\')
      ++i;
    else if (c == '[')
      i = end_of_class(pattern, i);
    else if (c == '(')
      ++depth;
    else if (c == ')' && --depth == 0)
      break;
  }
  return i;
}

/// Alternatives of "(one|two)"; empty when they are not plain text.
Literals plain_alternatives(const std::string& content) {
  Literals result(1);
  for (char c : content) {
    if (c == '|')
      result.emplace_back();
    else if (std::strchr("\\[](){}.*+?^$#", c))
      return {};
    else
      result.back() += c;
  }
  return result;
}

/// End of the numbers of a repetition, "{2,3}", that begins at `i`; npos: this brace is a literal.
size_t end_of_repetition(const std::string& pattern, size_t i) {
  const size_t end = pattern.find_first_not_of("0123456789,", i + 1);
  return end != std::string::npos && pattern[end] == '}' ? end : std::string::npos;
}

/// Line ends that an escape can match: none, those within white space, or any.
enum class Span { kInLine, kBlank, kAny };

Span span_of_escape(char escaped) {
  if (escaped == 's') return Span::kBlank;
  bool in_line = std::strchr("dwSbBAZtrfv", escaped) || !std::isalnum(static_cast<unsigned char>(escaped));
  return in_line && escaped != '\n' ? Span::kInLine : Span::kAny;
}

/// Span of a class of characters, given without its brackets.
Span span_of_class(std::string_view content) {
  Span span = content.starts_with('^') ? Span::kAny : Span::kInLine;
  for (size_t i = 0; i < content.size(); ++i) {
    if (static_cast<unsigned char>(content[i]) < ' ') span = Span::kAny;
    if (content[i] != '\\' || ++i == content.size()) continue;
    bool bound_of_range =
        std::strchr("dwsS", content[i]) == nullptr && std::isalnum(static_cast<unsigned char>(content[i]));
    span = std::max(span, content[i] == 'S' || bound_of_range ? Span::kAny : span_of_escape(content[i]));
  }
  return span;
}

/// RequiredText::blank_runs of a pattern.
std::optional<int> blank_runs(const std::string& pattern) {
  int total = 0;
  for (size_t i = 0; i < pattern.size(); ++i) {
    int runs = 0;
    bool plain_blank = false;  // white space and nothing else: any number of it is still one run
    if (pattern[i] == '\\') {
      if (++i == pattern.size()) return std::nullopt;
      Span span = span_of_escape(pattern[i]);
      if (span == Span::kAny) return std::nullopt;
      plain_blank = span == Span::kBlank;
      runs = plain_blank;
    } else if (pattern[i] == '[') {
      size_t end = end_of_class(pattern, i);
      Span span = span_of_class(std::string_view(pattern).substr(i + 1, end - i - 1));
      if (span == Span::kAny) return std::nullopt;
      runs = span == Span::kBlank;
      i = end;
    } else if (pattern[i] == '(') {
      size_t end = end_of_group(pattern, i), content = i + 1;
      if (pattern.compare(content, 2, "?:") == 0)
        content += 2;
      else if (pattern.compare(content, 1, "?") == 0)
        return std::nullopt;
      std::optional<int> inside = end > content ? blank_runs(pattern.substr(content, end - content)) : 0;
      if (!inside) return std::nullopt;
      runs = *inside;
      i = end;
    } else if (static_cast<unsigned char>(pattern[i]) < ' ') {
      return std::nullopt;
    }
    bool repeated = i + 1 < pattern.size() && std::strchr("*+{", pattern[i + 1]);
    if (repeated && runs > 0 && !plain_blank) return std::nullopt;
    total += runs;
  }
  return total;
}

}  // namespace

RequiredText required_text(const std::string& pattern) {
  if (pattern.find("(?#") != std::string::npos) return {};  // its brackets are text
  Literals best;
  size_t place = 0;  // of the best
  std::string run;
  size_t run_start = 0;
  auto consider = [&](const Literals& candidate, size_t start) {
    if (shortest(candidate) <= shortest(best)) return;
    best = candidate;
    place = start;
  };
  auto end_run = [&] {
    if (!run.empty()) consider({run}, run_start);
    run.clear();
  };
  auto add = [&](char c, size_t at) {
    if (run.empty()) run_start = at;
    run += c;
  };
  auto drop_last = [&] {
    while (!run.empty() && (run.back() & 0xC0) == 0x80) run.pop_back();
    if (!run.empty()) run.pop_back();
  };
  for (size_t i = 0; i < pattern.size(); ++i) {
    char c = pattern[i];
    switch (c) {
      case '|':
      case ')': return {};
      case '.':
      case '^':
      case '$':
      case '+': end_run(); break;
      case '*':
      case '?':
      case '{':
        drop_last();
        end_run();
        if (c == '{') i = end_of_repetition(pattern, i);
        if (i == std::string::npos) return {};
        break;
      case '[':
        end_run();
        i = end_of_class(pattern, i);
        break;
      case '\\': {
        char escaped = ++i < pattern.size() ? pattern[i] : 'x';
        if (std::strchr("dDwWsSbBAZntrfv", escaped))
          end_run();
        else if (std::isalnum(static_cast<unsigned char>(escaped)))
          return {};
        else
          add(escaped, i - 1);
        break;
      }
      case '(': {
        end_run();
        size_t end = end_of_group(pattern, i);
        size_t content = i + 1;
        bool special = content < end && pattern[content] == '?';
        if (special && pattern.compare(content, 2, "?:") == 0) content += 2, special = false;
        if (special && std::strchr("aiLmsux-", pattern[content + 1])) return {};
        bool optional = end + 1 < pattern.size() && std::strchr("?*{", pattern[end + 1]);
        if (!special && !optional && end > content)
          consider(plain_alternatives(pattern.substr(content, end - content)), i);
        i = end;
        break;
      }
      default: add(c, i);
    }
  }
  end_run();
  return {best, blank_runs(pattern.substr(0, place))};
}

}  // namespace qd::report
