// Tokens of the printed kernel IR.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace qd::ir {

struct Token {
  enum class Kind : uint8_t { Word, Number, Value, String, Symbol, End };
  Kind kind = Kind::End;
  std::string text;  // Value: the number after %; String: the text without quotes; Symbol: one character, or "->"
  int line = 0;
};

/// The tokens of a text; the last one is End. `#` starts a comment. Throws std::runtime_error that names the line.
std::vector<Token> tokenize(std::string_view text);

[[noreturn]] void parse_error(int line, const std::string& message);

/// Reader of the tokens of a text. What is read and is not there is an error.
class TokenReader {
 protected:
  explicit TokenReader(std::string_view text) : tokens_(tokenize(text)) {}

  const std::vector<Token>& tokens() const { return tokens_; }
  const Token& peek(size_t ahead = 0) const { return tokens_[at_ + ahead]; }
  const Token& next() { return tokens_[at_end() ? at_ : at_++]; }
  void back() { at_--; }
  bool is(Token::Kind kind) const { return peek().kind == kind; }
  bool at_end() const { return is(Token::Kind::End); }

  [[noreturn]] void error(const std::string& message) const { parse_error(peek().line, message); }
  [[noreturn]] void unexpected(std::string_view wanted) const;

  bool accept(std::string_view symbol) { return accept(Token::Kind::Symbol, symbol); }
  bool accept_word(std::string_view word) { return accept(Token::Kind::Word, word); }
  void expect(std::string_view symbol);
  void expect_word(std::string_view word);

  const Token& take(Token::Kind kind, std::string_view what);
  std::string word() { return take(Token::Kind::Word, "a word").text; }
  std::string string() { return take(Token::Kind::String, "a string").text; }
  /// A name: a word or a string.
  std::string text() { return take(is(Token::Kind::Word) ? Token::Kind::Word : Token::Kind::String, "a name").text; }
  template <class Number>
  Number number() {
    Number value{};
    if (!is(Token::Kind::Number)) unexpected("a number");
    const std::string& text = peek().text;
    auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc() || end != text.data() + text.size()) unexpected("a number that fits");
    next();
    return value;
  }

 private:
  bool accept(Token::Kind kind, std::string_view text);

  std::vector<Token> tokens_;
  size_t at_ = 0;
};

}  // namespace qd::ir
