// Comments, found between the tokens, and docstrings, found in the syntax tree.
#include "report/check/source_comments.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <variant>

#include "report/analysis/source/logical_lines.h"
#include "report/analysis/source/tree_walk.h"
#include "report/data/ascii.h"
#include "runtime/syntax/comments.h"
#include "runtime/syntax/parse.h"
#include "runtime/syntax/tokenizer.h"

namespace qd::report {
namespace {

constexpr size_t kShort = 40;  // letters: a shorter comment is compared by letters, too

// Directives: the text behind '#' and blanks, in lower case.
constexpr std::array<std::string_view, 23> kDirectives = {
    "noqa",      "nopep8",  "nosec",   "nolint", "type:",   "pragma:", "pragma ", "pylint:",
    "pyright:",  "mypy:",   "pyre-",   "ruff:",  "flake8:", "isort:",  "fmt:",    "yapf:",
    "autopep8:", "qd-cov:", "cython:", "-*-",    "vim:",    "coding:", "coding=",
};

bool is_word(char c) { return is_in_name(c) && c != '_'; }

std::vector<std::string> words_of(std::string_view text) {
  std::string letters = lower_case(text);
  std::vector<std::string> words;
  for (size_t at = 0; at < letters.size();) {
    size_t end = at;
    while (end < letters.size() && is_word(letters[end])) ++end;
    if (end > at) words.push_back(letters.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return words;
}

/// Replaces each run of white space by one blank.
std::string in_one_line(std::string_view text) {
  std::string result;
  for (char c : text) {
    bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\f';
    if (!blank)
      result += c;
    else if (!result.empty() && result.back() != ' ')
      result += ' ';
  }
  if (result.ends_with(' ')) result.pop_back();
  return result;
}

class CommentFinder {
 public:
  explicit CommentFinder(const std::string& text) : text_(text) {}

  SourceComments run() && {
    result_.n_lines = static_cast<int32_t>(std::count(text_.begin(), text_.end(), '\n'));
    syntax::ParseResult parsed = syntax::parse(text_);
    result_.is_python = parsed.module != nullptr;
    if (parsed.module) {
      take_tokens(parsed.module->tokens);
      docstring(parsed.module->body, "");
      definitions(parsed.module->body, "");
    } else {
      result_.error = parsed.error->message;
      result_.error_line = std::max(1, parsed.error->line);
      std::vector<syntax::Token> tokens;
      syntax::Tokenizer tokenizer(text_, tokens);
      tokenizer.run();
      take_tokens(tokens);
    }
    take_comments();
    std::sort(result_.comments.begin(), result_.comments.end(),
              [](const SourceComment& a, const SourceComment& b) { return a.first < b.first; });
    return std::move(result_);
  }

 private:
  void take_tokens(const std::vector<syntax::Token>& tokens) {
    for (const syntax::Token& token : tokens) {
      if (!is_visible(token)) continue;
      if (result_.code.empty() || result_.code.back().line != token.range.line) {
        result_.code.push_back({token.range.line, ""});
        columns_.push_back(token.range.col);
      }
      result_.code.back().key += token.text;
      result_.code.back().key += '\n';
    }
  }

  void take_comments() {
    std::vector<syntax::Comment> comments = syntax::find_comments(text_);
    std::erase_if(comments, [](const syntax::Comment& comment) { return is_directive(comment.text); });
    for (size_t i = 0; i < comments.size();) {
      size_t end = i + 1;
      auto follows = [&] {
        return comments[end].alone && comments[end].line == comments[end - 1].line + 1 &&
               comments[end].col == comments[i].col;
      };
      while (comments[i].alone && end < comments.size() && follows()) ++end;
      SourceComment comment;
      comment.first = comments[i].line;
      comment.last = comments[end - 1].line;
      for (size_t k = i; k < end; ++k) comment.text += (k > i ? " " : "") + in_one_line(comments[k].text);
      comment.anchor = comments[i].alone ? anchor(comment.last, comments[i].col) : code_behind(comment.first);
      add(std::move(comment));
      i = end;
    }
  }

  /// First line of the last token before a comment behind code: a string may have begun on an earlier line.
  int32_t code_behind(int32_t line) const {
    auto next = std::upper_bound(result_.code.begin(), result_.code.end(), line,
                                 [](int32_t wanted, const CodeLine& code) { return wanted < code.line; });
    return next == result_.code.begin() ? 0 : std::prev(next)->line;
  }

  /// Line of the code after a comment, or before it where the comment ends its block.
  int32_t anchor(int32_t line, int32_t col) const {
    auto next = std::lower_bound(result_.code.begin(), result_.code.end(), line,
                                 [](const CodeLine& code, int32_t wanted) { return code.line < wanted; });
    bool ends_block = next == result_.code.end() || columns_[static_cast<size_t>(next - result_.code.begin())] < col;
    if (!ends_block) return next->line;
    if (next != result_.code.begin()) return std::prev(next)->line;
    return next == result_.code.end() ? 0 : next->line;
  }

  void docstring(syntax::List<syntax::StmtPtr> body, const std::string& owner) {
    if (body.empty()) return;
    auto* statement = std::get_if<syntax::ExprStmt>(&body[0]->node);
    auto* constant = statement ? std::get_if<syntax::Constant>(&statement->value->node) : nullptr;
    if (!constant || constant->kind != syntax::ConstantKind::Str) return;
    SourceComment comment;
    comment.first = body[0]->range.line;
    comment.last = body[0]->range.end_line;
    comment.text = in_one_line(constant->text);
    comment.is_docstring = true;
    comment.owner = owner;
    add(std::move(comment));
  }

  void definitions(syntax::List<syntax::StmtPtr> body, const std::string& prefix) {
    for (const syntax::Stmt* stmt : body) {
      std::string name;
      if (auto* function = std::get_if<syntax::FunctionDef>(&stmt->node)) name = prefix + std::string(function->name);
      if (auto* klass = std::get_if<syntax::ClassDef>(&stmt->node)) name = prefix + std::string(klass->name);
      if (!name.empty())
        result_.definitions.try_emplace(name, SourceComments::Position{stmt->range.line, start_line(*stmt)});
      syntax::for_each_suite(*stmt, [&](syntax::List<syntax::StmtPtr> suite) {
        if (!name.empty()) docstring(suite, name);
        definitions(suite, name.empty() ? prefix : name + ".");
      });
    }
  }

  void add(SourceComment comment) {
    comment.words = words_of(comment.text);
    if (!comment.words.empty()) result_.comments.push_back(std::move(comment));
  }

  const std::string& text_;
  SourceComments result_;
  std::vector<int32_t> columns_;  // of the first tokens of result_.code
};

/// Dice coefficient: twice the number of common elements, of the number of elements of both.
template <typename T>
Likeness dice(std::vector<T> a, std::vector<T> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::vector<T> both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return {2 * static_cast<int64_t>(both.size()), std::max<int64_t>(1, static_cast<int64_t>(a.size() + b.size()))};
}

std::vector<std::string> letter_pairs(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += " " + word;
  text += " ";
  std::vector<std::string> pairs;
  for (size_t i = 0; i + 1 < text.size(); ++i) pairs.push_back(text.substr(i, 2));
  return pairs;
}

}  // namespace

bool has_python_comments(const std::string& path) {
  return path.ends_with(".py") || path.ends_with(".pyw") || path.ends_with(".pyi");
}

SourceComments find_source_comments(const std::string& text) { return CommentFinder(text).run(); }

bool is_directive(std::string_view comment) {
  if (comment.starts_with("#!")) return true;
  size_t at = comment.find_first_not_of("# \t");
  if (at == std::string_view::npos) return false;
  std::string text = lower_case(comment.substr(at));
  return std::any_of(kDirectives.begin(), kDirectives.end(), [&](std::string_view directive) {
    if (!text.starts_with(directive)) return false;
    bool whole = !is_word(directive.back()) || text.size() == directive.size() || !is_word(text[directive.size()]);
    return whole;
  });
}

Likeness likeness(const SourceComment& a, const SourceComment& b) {
  Likeness words = dice(a.words, b.words);
  // The whole old comment within the new one: two comments that became one.
  bool within = std::search(b.words.begin(), b.words.end(), a.words.begin(), a.words.end()) != b.words.end();
  if (within && a.words.size() > 1) return {1, 1};
  if (a.text.size() >= kShort || b.text.size() >= kShort) return words;
  Likeness letters = dice(letter_pairs(a.words), letter_pairs(b.words));
  return letters.same * words.total > words.same * letters.total ? letters : words;
}

}  // namespace qd::report
