// Comments in the gaps between tokens. A string is a token, so a '#' between two tokens always begins a comment.
#include "runtime/syntax/comments.h"

#include "runtime/syntax/tokenizer.h"

namespace qd::syntax {

namespace {

/// Goes through the gaps between tokens, in order.
class Gaps {
 public:
  explicit Gaps(std::string_view text) : text_(text) {}

  void take(size_t begin, size_t end) {
    for (size_t at = begin; at < end; ++at) {
      if (text_[at] != '#') continue;
      size_t stop = std::min(text_.find('\n', at), text_.size());
      go_to(at);
      std::string_view before = text_.substr(line_start_, at - line_start_);
      comments_.push_back({line_, static_cast<int32_t>(at - line_start_),
                           before.find_first_not_of(" \t\f") == std::string_view::npos,
                           std::string(text_.substr(at, stop - at))});
      at = stop;
    }
  }

  std::vector<Comment> comments() && { return std::move(comments_); }

 private:
  void go_to(size_t offset) {
    for (; at_ < offset; ++at_) {
      if (text_[at_] != '\n') continue;
      ++line_;
      line_start_ = at_ + 1;
    }
  }

  std::string_view text_;
  size_t at_ = 0, line_start_ = 0;
  int32_t line_ = 1;
  std::vector<Comment> comments_;
};

}  // namespace

std::vector<Comment> find_comments(std::string_view source) {
  std::string text(source);
  if (!text.empty() && text.back() != '\n') text += '\n';
  std::vector<Token> tokens;
  Tokenizer tokenizer(text, tokens);
  tokenizer.run();
  Gaps gaps(text);
  size_t end = 0;
  for (const Token& token : tokens) {
    if (token.text.empty() || token.kind == TokenKind::Newline) continue;
    auto begin = static_cast<size_t>(token.text.data() - text.data());
    gaps.take(end, begin);
    end = begin + token.text.size();
  }
  if (!tokenizer.error()) gaps.take(end, text.size());
  return std::move(gaps).comments();
}

}  // namespace qd::syntax
