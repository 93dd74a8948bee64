// The tokenizer's loop: lines, indentation, names, operators and brackets.
#include "runtime/syntax/tokenizer.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "runtime/syntax/utf8.h"

namespace qd::syntax {
namespace {

constexpr size_t kMaxIndents = 100;   // CPython's MAXINDENT
constexpr size_t kMaxBrackets = 200;  // CPython's MAXLEVEL

enum class Class : uint8_t { Other, Space, Newline, Letter, Digit, Quote, Dot, Hash, Operator };

constexpr std::array<Class, 256> make_classes() {
  std::array<Class, 256> classes{};
  for (int c = 0; c < 256; ++c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
    if (letter) classes[c] = Class::Letter;
    if (c >= '0' && c <= '9') classes[c] = Class::Digit;
  }
  for (const char c : std::string_view("()[]{},;~:=!+%&|^@-*/><"))
    classes[static_cast<unsigned char>(c)] = Class::Operator;
  for (const char c : std::string_view(" \t\f")) classes[static_cast<unsigned char>(c)] = Class::Space;
  classes['\n'] = Class::Newline;
  classes['\''] = classes['"'] = Class::Quote;
  classes['.'] = Class::Dot;
  classes['#'] = Class::Hash;
  return classes;
}

constexpr std::array<Class, 256> kClasses = make_classes();

Class class_of(char c) { return kClasses[static_cast<unsigned char>(c)]; }

const char* skip_comment(const char* at, const char* end) {
  const void* newline = std::memchr(at, '\n', static_cast<size_t>(end - at));
  return newline ? static_cast<const char*>(newline) : end;
}

}  // namespace

Tokenizer::Tokenizer(std::string_view source, std::vector<Token>& tokens)
    : begin_(source.data()), end_(source.data() + source.size()), tokens_(tokens), line_start_(source.data()) {
  indents_.push_back({0, 0});
}

void Tokenizer::run() {
  tokens_.reserve(static_cast<size_t>(end_ - begin_) / 6 + 16);
  const char* at = start_line(begin_);
  while (at) {
    if (in_fstring_text_) {
      at = read_fstring_text(at);
      continue;
    }
    switch (class_of(*at)) {
      case Class::Space: ++at; break;
      case Class::Letter: at = read_name(at); break;
      case Class::Operator: at = read_operator(at); break;
      case Class::Dot: at = class_of(at[1]) == Class::Digit ? read_number(at) : read_operator(at); break;
      case Class::Quote: at = read_string(at, at); break;
      case Class::Digit: at = read_number(at); break;
      case Class::Newline:
        if (brackets_.empty()) {
          push(TokenKind::Newline, Symbol::Newline, at, at + 1);
          new_line(++at);
          at = start_line(at);
        } else {
          if (!fstrings_.empty()) note_nested(at, at + 1);
          new_line(++at);
        }
        break;
      case Class::Hash:
        if (!fstrings_.empty()) minor_version_ = std::max(minor_version_, 12);
        at = skip_comment(at, end_);
        break;
      case Class::Other: at = read_other(at); break;
    }
  }
  if (error_)
    tokens_.push_back(
        {TokenKind::EndMarker, Symbol::Error, {error_->line, error_->col, error_->line, error_->col}, {}});
}

// Skips blank lines, then reads the indentation of the first line that has something on it.
const char* Tokenizer::start_line(const char* at) {
  for (;;) {
    Indentation to{0, 0};
    int32_t first_part = 0;  // of an indentation that a backslash splits over lines, only the first part counts
    for (;; ++at) {
      if (*at == ' ') {
        ++to.col;
        ++to.col_if_tabs_were_one;
      } else if (*at == '\t') {
        to.col = (to.col / 8 + 1) * 8;
        ++to.col_if_tabs_were_one;
      } else if (*at == '\f') {
        to = {0, 0};
      } else if (*at == '\\') {
        if (at[1] != '\n') return read_other(at);
        if (first_part == 0) first_part = to.col;
        if (at + 2 == end_) return fail_quietly("unexpected EOF while parsing", at + 1);
        new_line(at + 2);
        ++at;
      } else {
        break;
      }
    }
    if (*at == '#') at = skip_comment(at, end_);
    if (*at == '\n') {
      new_line(++at);
      continue;
    }
    if (at == end_) {
      finish(at);
      return nullptr;
    }
    if (first_part != 0) to.col = to.col_if_tabs_were_one = first_part;
    const Indentation& now = indents_.back();
    if (to.col == now.col && to.col_if_tabs_were_one == now.col_if_tabs_were_one) return at;
    return change_indentation(at, to) ? at : nullptr;
  }
}

bool Tokenizer::change_indentation(const char* at, Indentation to) {
  constexpr const char* kInconsistent = "inconsistent use of tabs and spaces in indentation";
  if (to.col > indents_.back().col) {
    if (to.col_if_tabs_were_one <= indents_.back().col_if_tabs_were_one) return refuse_quietly(kInconsistent, at);
    if (indents_.size() >= kMaxIndents) return refuse_quietly("too many levels of indentation", at);
    indents_.push_back(to);
    tokens_.push_back({TokenKind::Indent, Symbol::Indent, {line_, 0, line_, column(at)}, {}});
    return true;
  }
  while (to.col < indents_.back().col) {
    indents_.pop_back();
    if (to.col > indents_.back().col) return refuse_quietly("unindent does not match any outer indentation level", at);
    push(TokenKind::Dedent, Symbol::Dedent, at, at);
  }
  if (to.col_if_tabs_were_one != indents_.back().col_if_tabs_were_one) return refuse_quietly(kInconsistent, at);
  return true;
}

void Tokenizer::finish(const char* at) {
  if (brackets_.empty() && !tokens_.empty()) {
    const TokenKind last = tokens_.back().kind;
    if (last != TokenKind::Newline && last != TokenKind::Dedent) push(TokenKind::Newline, Symbol::Newline, at, at);
  }
  for (; indents_.size() > 1 && brackets_.empty(); indents_.pop_back()) push(TokenKind::Dedent, Symbol::Dedent, at, at);
  push(TokenKind::EndMarker, Symbol::EndMarker, at, at);
}

const char* Tokenizer::read_name(const char* start) {
  const char* at = start;
  bool is_ascii = static_cast<unsigned char>(*at) < 0x80;
  for (++at; class_of(*at) == Class::Letter || class_of(*at) == Class::Digit; ++at)
    is_ascii &= static_cast<unsigned char>(*at) < 0x80;
  const std::string_view text(start, static_cast<size_t>(at - start));
  if ((*at == '"' || *at == '\'') && text.size() <= 2 && is_string_prefix(text)) return read_string(start, at);
  if (is_ascii) {
    const Symbol symbol = keyword_symbol(text);
    push(TokenKind::Name, symbol, start, at);
    return at;
  }
  bool is_start = true;
  for (const char* p = start; p < at; is_start = false) {
    const char* const character = p;
    const char32_t c = decode_utf8(p, at);
    if (is_start ? is_identifier_start(c) : is_identifier_continue(c)) continue;
    const std::string_view bytes(character, static_cast<size_t>(p - character));
    if (is_printable(c))
      return fail(fmt::format("invalid character '{}' (U+{:04X})", bytes, static_cast<uint32_t>(c)), character);
    return fail(fmt::format("invalid non-printable character U+{:04X}", static_cast<uint32_t>(c)), character);
  }
  push(TokenKind::Name, Symbol::Name, start, at);
  return at;
}

const char* Tokenizer::open_bracket(const char* at, bool is_field) {
  if (brackets_.size() >= kMaxBrackets) return fail("too many nested parentheses", at);
  brackets_.push_back({*at, is_field, line_, column(at)});
  return at + 1;
}

bool Tokenizer::close_bracket(const char* at) {
  const char* const label = fstrings_.empty() ? "" : fstrings_.back().is_template ? "t-string: " : "f-string: ";
  const bool in_field = !fstrings_.empty() && !brackets_.empty() && brackets_.back().is_field;
  if (brackets_.empty() || (in_field && *at != '}')) return refuse(fmt::format("{}unmatched '{}'", label, *at), at);
  const Bracket& open = brackets_.back();
  const char expected = open.open == '(' ? ')' : open.open == '[' ? ']' : '}';
  if (*at != expected) {
    std::string message =
        fmt::format("closing parenthesis '{}' does not match opening parenthesis '{}'", *at, open.open);
    if (open.line != line_) message += fmt::format(" on line {}", open.line);
    return refuse(std::move(message), at);
  }
  in_fstring_text_ = open.is_field;
  brackets_.pop_back();
  return true;
}

const char* Tokenizer::read_operator(const char* at) {
  OperatorMatch match = match_operator(at);
  switch (match.symbol) {
    case Symbol::LPar:
    case Symbol::LSqb:
    case Symbol::LBrace:
      if (!open_bracket(at, false)) return nullptr;
      break;
    case Symbol::RPar:
    case Symbol::RSqb:
    case Symbol::RBrace:
      if (!close_bracket(at)) return nullptr;
      break;
    case Symbol::Colon:
    case Symbol::ColonEqual:
      if (!brackets_.empty() && brackets_.back().is_field) {
        match = {Symbol::Colon, 1};  // a format specifier begins, even with '='
        in_fstring_text_ = true;
      }
      break;
    default: break;
  }
  push(TokenKind::Op, match.symbol, at, at + match.length);
  return at + match.length;
}

const char* Tokenizer::read_other(const char* at) {
  if (*at == '\\') {
    if (!fstrings_.empty()) note_nested(at, at + 1);
    if (at[1] != '\n') return fail_quietly("unexpected character after line continuation character", at + 1);
    if (at + 2 == end_) return fail_quietly("unexpected EOF while parsing", at + 1);
    new_line(at + 2);
    return at + 2;
  }
  if (at == end_) {
    finish(at);
    return nullptr;
  }
  if (*at == '\0') return fail("source code cannot contain null bytes", at);
  const auto byte = static_cast<unsigned char>(*at);
  if (is_printable(byte)) {
    push(TokenKind::Op, Symbol::Unknown, at, at + 1);
    return at + 1;
  }
  return fail(fmt::format("invalid non-printable character U+{:04X}", static_cast<uint32_t>(byte)), at);
}

const char* Tokenizer::fail(std::string message, int32_t line, int32_t col) {
  error_ = SyntaxError{std::move(message), line, col};
  return nullptr;
}

}  // namespace qd::syntax
