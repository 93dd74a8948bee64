// Tokens of the printed kernel IR.
#include "runtime/ir/lexer.h"

#include <fmt/format.h>

#include <cctype>
#include <stdexcept>

namespace qd::ir {
namespace {

bool word_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }
bool in_word(char c) { return word_start(c) || digit(c); }
bool in_number(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '+' || c == '-'; }

int hex_digit(char c) {
  if (digit(c)) return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::string read_string(std::string_view text, size_t& at, int line) {
  std::string out;
  for (at++;; at++) {
    if (at >= text.size() || text[at] == '\n') parse_error(line, "string without an end");
    if (text[at] == '"') break;
    if (text[at] != '\\') {
      out += text[at];
      continue;
    }
    at++;
    if (at + 2 < text.size() && text[at] == 'x' && hex_digit(text[at + 1]) >= 0 && hex_digit(text[at + 2]) >= 0) {
      out += static_cast<char>(hex_digit(text[at + 1]) * 16 + hex_digit(text[at + 2]));
      at += 2;
    } else if (at < text.size() && (text[at] == '"' || text[at] == '\\')) {
      out += text[at];
    } else {
      parse_error(line, "unknown escape in a string");
    }
  }
  at++;
  return out;
}

}  // namespace

void parse_error(int line, const std::string& message) {
  throw std::runtime_error(fmt::format("kernel IR, line {}: {}", line, message));
}

std::vector<Token> tokenize(std::string_view text) {
  std::vector<Token> tokens;
  int line = 1;
  size_t at = 0;
  auto take = [&](auto&& accept) {
    size_t begin = at;
    while (at < text.size() && accept(text[at])) at++;
    return std::string(text.substr(begin, at - begin));
  };
  while (at < text.size()) {
    char c = text[at];
    if (c == '\n') line++;
    if (std::isspace(static_cast<unsigned char>(c))) {
      at++;
    } else if (c == '#') {
      take([](char c) { return c != '\n'; });
    } else if (c == '"') {
      tokens.push_back({Token::Kind::String, read_string(text, at, line), line});
    } else if (c == '%') {
      at++;
      std::string digits = take(digit);
      if (digits.empty() || digits.size() > 8) parse_error(line, "% needs the number of a value");
      tokens.push_back({Token::Kind::Value, digits, line});
    } else if (text.substr(at, 2) == "->") {
      at += 2;
      tokens.push_back({Token::Kind::Symbol, "->", line});
    } else if (word_start(c)) {
      tokens.push_back({Token::Kind::Word, take(in_word), line});
    } else if (digit(c) || c == '-') {
      tokens.push_back({Token::Kind::Number, take(in_number), line});
    } else if (std::string_view("[](){}=,@:").find(c) != std::string_view::npos) {
      at++;
      tokens.push_back({Token::Kind::Symbol, std::string(1, c), line});
    } else {
      parse_error(line, fmt::format("unexpected character '{}'", c));
    }
  }
  tokens.push_back({Token::Kind::End, "", line});
  return tokens;
}

void TokenReader::unexpected(std::string_view wanted) const {
  error(at_end() ? fmt::format("expected {}, but the text ends", wanted)
                 : fmt::format("expected {}, got '{}'", wanted, peek().text));
}

bool TokenReader::accept(Token::Kind kind, std::string_view text) {
  if (!is(kind) || peek().text != text) return false;
  next();
  return true;
}

void TokenReader::expect(std::string_view symbol) {
  if (!accept(symbol)) unexpected(fmt::format("'{}'", symbol));
}

void TokenReader::expect_word(std::string_view word) {
  if (!accept_word(word)) unexpected(fmt::format("'{}'", word));
}

const Token& TokenReader::take(Token::Kind kind, std::string_view what) {
  if (!is(kind)) unexpected(what);
  return next();
}

}  // namespace qd::ir
