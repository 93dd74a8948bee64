// Code scanner: one pass over the text, which skips comments, literals and preprocessor lines. The text before a '{'
// tells the kind of the block.
#include "report/diff/function_bodies.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace qd::report {

namespace {

using namespace std::string_view_literals;

/// Rules of a language with braces, where they are not those of C.
struct Rules {
  bool is_script = false;      // everything runs, but declarations
  bool single_quotes = false;  // 'text' is a string
  bool raw_backquotes = false;
  bool raw_hashes = false;     // r#"text"#
  bool triple_quotes = false;  // """text"""
  bool verbatim = false;       // @"text"
  bool directives = false;     // '#' begins a directive
  bool hash_comments = false;  // '#' begins a comment
  bool blocks_run = false;     // a block runs if it is no type: "int p {" of C#, "val x by lazy {" of Kotlin
  bool line_ends = false;      // a statement may end with its line
  bool initializers = true;    // reports have the lines of initializers outside of functions
  std::vector<std::string_view> types = {"class", "enum", "interface", "namespace", "record", "struct", "union"};
};

Rules rules_of(std::string_view language) {
  auto is = [&](std::initializer_list<std::string_view> some) {
    return std::ranges::find(some, language) != some.end();
  };
  Rules rules;
  rules.is_script = is({".cjs", ".cts", ".js", ".jsx", ".mjs", ".mts", ".php", ".svelte", ".ts", ".tsx", ".vue"});
  rules.single_quotes = rules.is_script || is({".dart", ".groovy", ".sol"});
  rules.raw_backquotes = is({".go"});
  rules.raw_hashes = is({".rs"});
  rules.triple_quotes = is({".cs", ".dart", ".groovy", ".java", ".kt", ".kts", ".scala", ".swift"});
  rules.verbatim = is({".cs"});
  rules.directives = is({".c", ".cs", ".d", ".swift"});
  rules.hash_comments = is({".php"});
  rules.blocks_run = is({".cs", ".dart", ".groovy", ".kt", ".kts", ".scala", ".swift"});
  rules.line_ends = is({".groovy", ".kt", ".kts", ".scala", ".swift"});
  rules.initializers = !is({".go", ".rs", ".zig"});
  if (language == ".rs") rules.types = {"enum", "impl", "struct", "trait"};
  if (is({".kt", ".kts", ".scala"})) rules.types = {"class", "enum", "interface", "object", "package", "trait"};
  if (language == ".swift") rules.types = {"class", "enum", "extension", "protocol", "struct"};
  if (language == ".dart") rules.types = {"class", "enum", "extension", "mixin"};
  return rules;
}

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

class Scanner {
 public:
  Scanner(std::string_view text, std::string_view language)
      : text_(text), is_c_(language == ".c"), rules_(rules_of(language)) {
    code_.tokens.resize(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
  }

  ScannedCode run() {
    bool line_start = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        if (rules_.line_ends) end_statement();
        if (rules_.is_script || (rules_.line_ends && ends_with_line())) head_.clear();
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
      const bool is_hash = c == '#' && line_start;
      line_start = false;
      if (!(is_hash && skip_hash()) && !skip_comment() && !skip_literal()) take(c);
    }
    end_statement();
    code_.is_clear = code_.is_clear && open_.empty();
    return std::move(code_);
  }

 private:
  enum class Kind : uint8_t { Function, Type, Data };
  struct Open {
    Kind kind;
    size_t body;       // index of a function
    std::string head;  // before it
    int32_t head_line;
    int32_t declared_at;  // its line, of a script's declaration; 0: it is another block
  };

  char next(size_t offset) const { return at_ + offset < text_.size() ? text_[at_ + offset] : '\0'; }

  void advance_to(size_t end) {
    end = std::min(end, text_.size());
    line_ += static_cast<int32_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                             text_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    at_ = end;
  }

  void mark_tokens(int32_t last) {
    for (int32_t line = line_; line <= last; ++line) code_.tokens[static_cast<size_t>(line) - 1] = true;
  }

  /// Skips a line that begins with '#': a directive with its continuation lines, a comment, or an attribute such as
  /// "#[test]".
  bool skip_hash() {
    const bool is_attribute = !is_c_ && (next(1) == '[' || (next(1) == '!' && next(2) == '['));
    if (is_attribute) {
      int depth = 0;
      while (at_ < text_.size()) {
        depth += text_[at_] == '[' ? 1 : text_[at_] == ']' ? -1 : 0;
        const bool is_end = text_[at_] == ']' && depth == 0;
        advance_to(at_ + 1);
        if (is_end) break;
      }
      return true;
    }
    if (!rules_.directives && !rules_.hash_comments && !(at_ == 0 && next(1) == '!')) return false;
    while (at_ < text_.size() && text_[at_] != '\n')
      if (!rules_.directives || text_[at_] != '/' || next(1) != '*' || !skip_comment())
        advance_to(at_ + (text_[at_] == '\\' && rules_.directives ? 2 : 1));
    return true;
  }

  bool skip_comment() {
    if (text_[at_] != '/' || (next(1) != '/' && next(1) != '*')) return false;
    // Regular expressions, such as /\/*$/, are no comments.
    if (rules_.single_quotes && at_ > 0 &&
        std::string_view(" \t\n\r(,;{}").find(text_[at_ - 1]) == std::string_view::npos)
      return false;
    if (next(1) == '/') {
      advance_to(text_.find('\n', at_));
      return true;
    }
    const size_t end = text_.find("*/", at_ + 2);
    code_.is_clear = code_.is_clear && end != std::string_view::npos;
    advance_to(end == std::string_view::npos ? end : end + 2);
    return true;
  }

  /// End of a literal that begins with a quotation mark here, without regard to escapes; 0: it is of another kind.
  size_t raw_end() const {
    const std::string_view before = text_.substr(0, at_);
    auto after = [&](std::string_view end, size_t from) {
      const size_t found = text_.find(end, from);
      return found == std::string_view::npos ? text_.size() : found + end.size();
    };
    if (is_c_ && before.ends_with('R')) {
      const size_t bracket = text_.find('(', at_);
      if (bracket == std::string_view::npos || bracket - at_ > 17) return 0;
      return after(")" + std::string(text_.substr(at_ + 1, bracket - at_ - 1)) + "\"", bracket);
    }
    if (rules_.raw_hashes) {
      const size_t hashes = before.size() - (before.find_last_not_of('#') + 1);
      if (before.substr(0, before.size() - hashes).ends_with('r'))
        return after("\"" + std::string(hashes, '#'), at_ + 1);
    }
    if (rules_.verbatim && (before.ends_with('@') || before.ends_with("@$"))) {
      size_t end = after("\"", at_ + 1);
      while (end < text_.size() && text_[end] == '"') end = after("\"", end + 1);
      return end;
    }
    if (rules_.triple_quotes && text_.substr(at_).starts_with(R"(""")")) return after(R"(""")", at_ + 3);
    return 0;
  }

  bool skip_literal() {
    const char c = text_[at_];
    size_t end = at_ + 1;
    if (c == '"' && raw_end() > 0) {
      end = raw_end();
    } else if (c == '"' || c == '`' || (c == '\'' && rules_.single_quotes)) {
      const bool escapes = c != '`' || !rules_.raw_backquotes;
      while (end < text_.size() && text_[end] != c && (c == '`' || text_[end] != '\n'))
        end += text_[end] == '\\' && escapes ? 2 : 1;
      ++end;
    } else if (c == '\'') {
      // Digit separators and lifetimes have no second quote one character on.
      if (next(1) == '\\')
        end = std::min(text_.find('\'', at_ + 3), text_.size()) + 1;
      else if (next(2) == '\'')
        end = at_ + 3;
      else
        return false;
    } else {
      return false;
    }
    end = std::min(end, text_.size());
    mark_tokens(line_ + static_cast<int32_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                        text_.begin() + static_cast<std::ptrdiff_t>(end) - 1, '\n')));
    advance_to(end);
    add_to_head('0');
    return true;
  }

  void add_to_head(char c) {
    if (inside_function() || (head_.empty() && c == ' ')) return;
    if (head_.empty()) head_line_ = line_;
    head_ += c;
  }

  bool inside_function() const { return !open_.empty() && open_.back().kind == Kind::Function; }
  bool inside_data() const { return !open_.empty() && open_.back().kind == Kind::Data; }

  void take(char c) {
    mark_tokens(line_);
    ++at_;
    if (c == '{') {
      const bool is_inner = inside_function();
      if (!is_inner) end_statement();
      open_.push_back({is_inner ? Kind::Function : kind_of_block(), code_.functions.size(), head_, head_line_,
                       rules_.is_script && is_declaration(head_) ? line_ : 0});
      if (inside_function() && !is_inner)
        code_.functions.push_back({head_line_ > 0 && !head_.empty() ? head_line_ : line_, line_, 0});
      head_.clear();
    } else if (c == '}') {
      end_statement();
      close();
    } else if (c == ';' && !inside_function()) {
      end_statement();
      head_.clear();
    } else {
      if (c == '(' && inside_data() && rules_.initializers) code_.initializers.push_back({line_, line_, line_});
      add_to_head(c);
    }
  }

  /// Whether a statement ends here, at the end of a line, as far as its last and the next character show.
  bool ends_with_line() const {
    const std::string_view head = std::string_view(head_).substr(0, head_.find_last_not_of(' ') + 1);
    const size_t next = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    size_t end = next;
    while (end < text_.size() && is_word(text_[end])) ++end;
    constexpr std::array<std::string_view, 7> kGoOn = {"async",  "by",    "extends", "implements",
                                                       "throws", "where", "with"};
    const bool is_whole =
        head.empty() || is_word(head.back()) || std::string_view(")]>?!").find(head.back()) != head.npos;
    return is_whole && std::ranges::count(head, '(') == std::ranges::count(head, ')') &&
           (end == next ? next == text_.size() || std::string_view("@/}(").find(text_[next]) != head.npos
                        : std::ranges::find(kGoOn, text_.substr(next, end - next)) == kGoOn.end());
  }

  /// Notes a statement outside of functions, if it runs code.
  void end_statement() {
    const bool is_enum = rules_.directives && !open_.empty() && has_any_word(open_.back().head, std::array{"enum"sv});
    if (inside_function() || is_enum || head_.empty() || !rules_.initializers || !runs(head_)) return;
    code_.initializers.push_back({head_line_, head_line_, line_});
  }

  static bool has_call(std::string_view text) {
    for (size_t at = text.find('('); at != std::string_view::npos; at = text.find('(', at + 1)) {
      size_t begin = at;
      while (begin > 0 && is_word(text[begin - 1])) --begin;
      const std::string_view name = text.substr(begin, at - begin);
      if (name.empty() && begin > 0 && text[begin - 1] == '>') return true;  // "new A<>()"
      if (!name.empty() && name != "sizeof" && name != "alignof" && name != "decltype" && name != "offsetof")
        return true;
    }
    return false;
  }

  /// Whether a statement outside of functions calls anything for a value, or gives a function as an expression.
  bool runs(std::string_view head) const {
    constexpr std::array<std::string_view, 8> kNames = {"friend", "import",    "namespace", "package",
                                                        "type",   "typealias", "typedef",   "using"};
    for (std::string_view label : {"public:", "protected:", "private:"})
      if (head.starts_with(label)) head = head.substr(std::min(head.find_first_not_of(' ', label.size()), head.size()));
    if (std::ranges::find(kNames, first_word(head)) != kNames.end() || has_any_word(head, std::array{"constexpr"sv}))
      return false;
    int depth = 0;
    for (size_t i = 0; i < head.size(); ++i) {
      if (head[i] == '(' || head[i] == '[') ++depth;
      if (head[i] == ')' || head[i] == ']') --depth;
      if (head[i] != '=' || depth > 0) continue;
      const char before = i > 0 ? head[i - 1] : ' ', after = i + 1 < head.size() ? head[i + 1] : ' ';
      if (after == '>' && !is_c_) return true;
      if (after == '=') {
        ++i;
        continue;
      }
      if (std::string_view("!<>").find(before) != std::string_view::npos || head.substr(0, i).ends_with("operator"))
        continue;
      const std::string_view value = head.substr(i + 1);
      if (rules_.line_ends ? value.find_first_not_of(' ') != std::string_view::npos
                           : has_call(value) || value.find("->") != std::string_view::npos)
        return true;
    }
    return false;
  }

  void close() {
    if (open_.empty()) {
      code_.is_clear = false;
      return;
    }
    Open was = std::move(open_.back());
    open_.pop_back();
    if (was.declared_at > 0) code_.declarations.push_back({was.declared_at, was.declared_at, line_});
    if (inside_function()) return;
    head_.clear();
    if (was.kind != Kind::Function) return;
    // Member initialisers: in "A() : a_{1}, b_{2} {" the first braces are of a member.
    const size_t next = text_.find_first_not_of(" \t\r\n", at_);
    if (next != std::string_view::npos && (text_[next] == ',' || text_[next] == '{') &&
        was.head.find(':') != std::string::npos) {
      code_.functions.resize(was.body);
      head_ = std::move(was.head);
      head_line_ = was.head_line;
      return;
    }
    code_.functions[was.body].last = line_;
  }

  static std::string_view first_word(std::string_view text) {
    size_t end = 0;
    while (end < text.size() && is_word(text[end])) ++end;
    return text.substr(0, end);
  }

  static bool has_any_word(std::string_view text, const auto& words) {
    for (size_t end = 0; end < text.size();) {
      size_t begin = end;
      while (begin < text.size() && !is_word(text[begin])) ++begin;
      end = begin;
      while (end < text.size() && is_word(text[end])) ++end;
      if (std::ranges::find(words, text.substr(begin, end - begin)) != std::end(words)) return true;
    }
    return false;
  }

  /// Whether a head, up to its first parenthesis, is that of a type. "void record(" and "class func f(" are none.
  bool declares_type(std::string_view head, bool has_parenthesis) const {
    std::string_view before;
    for (size_t at = 0; at < head.size();) {
      const std::string_view word = first_word(head.substr(at));
      at += std::max<size_t>(word.size(), 1);
      if (word.empty()) continue;
      const bool is_member = word == "func" || word == "var" || word == "subscript";
      if (!is_member && std::ranges::find(rules_.types, before) != rules_.types.end()) return true;
      before = word;
    }
    return !has_parenthesis && std::ranges::find(rules_.types, before) != rules_.types.end();
  }

  /// Kind of the block behind the present head.
  Kind kind_of_block() const {
    std::string_view head = head_;
    head = head.substr(0, head.find_last_not_of(' ') + 1);
    // Old definitions in C have their parameters between the head and the block; Java has initializer blocks.
    if (head.empty()) return inside_data() ? Kind::Data : Kind::Function;
    const std::string_view first = first_word(head), declared = head.substr(0, head.find('('));
    if (is_c_) {
      const bool is_type = first == "class" || first == "enum" || first == "namespace" || first == "using";
      const bool returns_it = first != "namespace" && head.ends_with(')');  // "enum E f()"
      if (is_type && !returns_it) return Kind::Type;
    } else if (declares_type(declared, declared.size() < head.size())) {
      return Kind::Type;
    } else if (rules_.blocks_run) {
      return Kind::Function;
    }
    // A lambda without parameters.
    if (const size_t bracket = head.rfind('['); is_c_ && head.ends_with(']')) {
      const size_t before = head.find_last_not_of(' ', bracket == 0 ? 0 : bracket - 1);
      if (before != std::string_view::npos && std::string_view("=(,").find(head[before]) != std::string_view::npos)
        return Kind::Function;
    }
    if (head == "static" || head == "unittest") return is_c_ ? Kind::Type : Kind::Function;  // of Java, of D
    if (head.find(')') == std::string_view::npos) {
      const bool is_value = is_c_ && head.find(' ') != std::string_view::npos && !has_any_word(head, rules_.types) &&
                            !has_any_word(head, std::array{"extern"sv});
      const bool is_constant = has_any_word(head, std::array{"constexpr"sv});
      return (is_value || head.find('=') != std::string_view::npos) && !is_constant ? Kind::Data : Kind::Type;
    }
    if (head.ends_with('=') || head.ends_with('(') || head.ends_with('[') ||
        (head.ends_with(',') && head.find(':') == std::string_view::npos))
      return Kind::Data;
    return Kind::Function;
  }

  std::string_view text_;
  bool is_c_;
  Rules rules_;
  size_t at_ = 0;
  int32_t line_ = 1;
  std::vector<Open> open_;
  std::string head_;  // since the last ';', '{' or '}' outside of functions
  int32_t head_line_ = 0;
  ScannedCode code_;
};

}  // namespace

ScannedCode scan_code(const std::string& text, const std::string& language) {
  ScannedCode code = Scanner(text, language).run();
  std::erase_if(code.functions, [](const FunctionBody& body) { return body.last == 0; });
  return code;
}

bool is_script(std::string_view language) { return rules_of(language).is_script; }

bool is_declaration(std::string_view line) {
  for (std::string_view start :
       {"<?php", "declare(strict_types", "'use client", "'use server", "'use strict", "\"use strict"})
    if (line.starts_with(start)) return true;
  auto take = [&](std::string_view word) {
    const bool found = line.starts_with(word) && (line.size() == word.size() || !is_word(line[word.size()]));
    if (found) line = line.substr(std::min(line.find_first_not_of(' ', word.size()), line.size()));
    return found;
  };
  if (take("import")) return !line.starts_with('(') && !line.starts_with('.');
  if (take("export") && (line.empty() || line.starts_with('{') || line.starts_with('*'))) return true;
  for (std::string_view word : {"declare", "interface", "namespace", "type", "use"})
    if (take(word)) return !line.empty() && is_word(line.front());
  return false;
}

}  // namespace qd::report
