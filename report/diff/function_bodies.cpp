// Function scanner: one pass over the text, which skips comments, literals and preprocessor lines. The text before a
// '{' tells the kind of the block.
#include "report/diff/function_bodies.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace qd::report {

namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<FunctionBody> run() {
    bool line_start = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++line_;
        ++at_;
        line_start = true;
        continue;
      }
      if (c == ' ' || c == '\t' || c == '\r') {
        add_to_head(' ');
        ++at_;
        continue;
      }
      if (std::exchange(line_start, false) && c == '#')
        skip_directive();
      else if (!skip_comment() && !skip_literal())
        take(c);
    }
    return std::move(bodies_);
  }

 private:
  struct Open {
    bool is_function;
    size_t body;       // in bodies_, of a function
    std::string head;  // before it
    int32_t head_line;
  };

  char next(size_t offset) const { return at_ + offset < text_.size() ? text_[at_ + offset] : '\0'; }

  void advance_to(size_t end) {
    end = std::min(end, text_.size());
    line_ += static_cast<int32_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                             text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
  }

  /// Skips to the end of the line, and of its continuation lines.
  void skip_directive() {
    while (at_ < text_.size() && text_[at_] != '\n') advance_to(at_ + (text_[at_] == '\\' ? 2 : 1));
  }

  bool skip_comment() {
    if (text_[at_] != '/') return false;
    if (next(1) == '/')
      advance_to(std::min(text_.find('\n', at_), text_.size()));
    else if (next(1) == '*')
      advance_to(std::min(text_.find("*/", at_ + 2), text_.size()) + 2);
    else
      return false;
    return true;
  }

  bool skip_literal() {
    const char c = text_[at_];
    if (c == '"' && at_ > 0 && text_[at_ - 1] == 'R') {
      const size_t bracket = text_.find('(', at_);
      if (bracket == std::string_view::npos || bracket - at_ > 17) return false;
      const std::string end = ")" + std::string(text_.substr(at_ + 1, bracket - at_ - 1)) + "\"";
      advance_to(std::min(text_.find(end, bracket), text_.size()) + end.size());
    } else if (c == '"' || c == '`') {
      size_t end = at_ + 1;
      while (end < text_.size() && text_[end] != c && (c == '`' || text_[end] != '\n'))
        end += text_[end] == '\\' ? 2 : 1;
      advance_to(end + 1);
    } else if (c == '\'') {
      // Digit separators and lifetimes have no second quote one character on.
      size_t end = at_ + 1;
      if (next(1) == '\\')
        end = std::min(text_.find('\'', at_ + 3), text_.size());
      else if (next(2) == '\'')
        end = at_ + 2;
      else
        return false;
      advance_to(end + 1);
    } else {
      return false;
    }
    add_to_head('0');
    return true;
  }

  void add_to_head(char c) {
    if (inside_function() || (head_.empty() && c == ' ')) return;
    if (head_.empty()) head_line_ = line_;
    head_ += c;
  }

  bool inside_function() const { return !open_.empty() && open_.back().is_function; }

  void take(char c) {
    ++at_;
    if (c == '{') {
      open_.push_back({inside_function() || opens_function(), bodies_.size(), head_, head_line_});
      if (open_.back().is_function && !(open_.size() > 1 && open_[open_.size() - 2].is_function))
        bodies_.push_back({head_line_ > 0 && !head_.empty() ? head_line_ : line_, line_, 0});
      head_.clear();
    } else if (c == '}') {
      close();
    } else if (c == ';' && !inside_function()) {
      head_.clear();
    } else {
      add_to_head(c);
    }
  }

  void close() {
    if (open_.empty()) return;
    Open was = std::move(open_.back());
    open_.pop_back();
    if (inside_function()) return;
    head_.clear();
    if (!was.is_function) return;
    // Member initialisers: in "A() : a_{1}, b_{2} {" the first braces are of a member.
    const size_t next = text_.find_first_not_of(" \t\r\n", at_);
    if (next != std::string_view::npos && (text_[next] == ',' || text_[next] == '{') &&
        was.head.find(':') != std::string::npos) {
      bodies_.resize(was.body);
      head_ = std::move(was.head);
      head_line_ = was.head_line;
      return;
    }
    bodies_[was.body].last = line_;
  }

  /// Whether the text before the brace is the head of a function.
  bool opens_function() const {
    std::string_view head = head_;
    head = head.substr(0, head.find_last_not_of(' ') + 1);
    if (head.find(')') == std::string_view::npos) return false;
    if (head.ends_with('=') || head.ends_with('(') || head.ends_with('[') ||
        (head.ends_with(',') && head.find(':') == std::string_view::npos))
      return false;
    size_t end = 0;
    while (end < head.size() && is_word(head[end])) ++end;
    constexpr std::array<std::string_view, 9> kTypes = {"class",  "enum",   "impl",  "interface", "namespace",
                                                        "object", "record", "trait", "using"};
    return std::find(kTypes.begin(), kTypes.end(), head.substr(0, end)) == kTypes.end();
  }

  std::string_view text_;
  size_t at_ = 0;
  int32_t line_ = 1;
  std::vector<Open> open_;
  std::string head_;  // since the last ';', '{' or '}' outside of functions
  int32_t head_line_ = 0;
  std::vector<FunctionBody> bodies_;
};

}  // namespace

std::vector<FunctionBody> function_bodies(const std::string& text) {
  std::vector<FunctionBody> bodies = Scanner(text).run();
  std::erase_if(bodies, [](const FunctionBody& body) { return body.last == 0; });
  return bodies;
}

}  // namespace qd::report
