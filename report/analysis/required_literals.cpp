// Finds text that every match of a pattern contains, so that most texts need not be searched at all.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "report/analysis/python_regex.h"

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
    if (c == '\\') ++i;
    else if (c == '[') i = end_of_class(pattern, i);
    else if (c == '(') ++depth;
    else if (c == ')' && --depth == 0) break;
  }
  return i;
}

/// "(one|two)" to its alternatives; empty when they are not plain text.
Literals plain_alternatives(const std::string& content) {
  Literals result(1);
  for (char c : content) {
    if (c == '|') result.emplace_back();
    else if (std::strchr("\\[](){}.*+?^$#", c)) return {};
    else result.back() += c;
  }
  return result;
}

}  // namespace

std::vector<std::string> required_literals(const std::string& pattern) {
  Literals best;
  std::string run;
  auto consider = [&](const Literals& candidate) {
    if (shortest(candidate) > shortest(best)) best = candidate;
  };
  auto end_run = [&] {
    if (!run.empty()) consider({run});
    run.clear();
  };
  auto drop_last = [&] {
    while (!run.empty() && (run.back() & 0xC0) == 0x80) run.pop_back();
    if (!run.empty()) run.pop_back();
  };
  for (size_t i = 0; i < pattern.size(); ++i) {
    char c = pattern[i];
    switch (c) {
      case '|':
      case ')':
        return {};
      case '.':
      case '^':
      case '$':
      case '+':
        end_run();
        break;
      case '*':
      case '?':
      case '{':
        drop_last();
        end_run();
        if (c == '{') i = std::min(pattern.find('}', i), pattern.size());
        break;
      case '[':
        end_run();
        i = end_of_class(pattern, i);
        break;
      case '\\': {
        char escaped = ++i < pattern.size() ? pattern[i] : 'x';
        if (std::strchr("dDwWsSbBAZntrfv", escaped)) end_run();
        else if (std::isalnum(static_cast<unsigned char>(escaped))) return {};
        else run += escaped;
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
        if (!special && !optional && end > content) consider(plain_alternatives(pattern.substr(content, end - content)));
        i = end;
        break;
      }
      default:
        run += c;
    }
  }
  end_run();
  return best;
}

}  // namespace qd::report
