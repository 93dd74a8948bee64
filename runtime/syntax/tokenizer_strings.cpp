// The tokenizer's strings: plain ones are one token, f-strings and t-strings are start, middles, fields and end.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "runtime/syntax/tokenizer.h"

namespace qd::syntax {
namespace {

constexpr size_t kMaxFStrings = 150;  // CPython's MAXFSTRINGLEVEL
constexpr size_t kMaxFields = 3;      // CPython's MAXEXPRNESTING: fields in format specifiers of fields

bool is_triple_quote(const char* at) { return at[1] == at[0] && at[2] == at[0]; }

}  // namespace

// Whether one or two letters may stand before the quote of a string.
bool Tokenizer::is_string_prefix(std::string_view text) {
  const auto lower = [](char c) { return static_cast<char>(c | 0x20); };
  const char a = lower(text[0]);
  if (text.size() == 1) return a == 'r' || a == 'b' || a == 'u' || a == 'f' || a == 't';
  const char b = lower(text[1]);
  const char other = a == 'r' ? b : b == 'r' ? a : '\0';
  return other == 'b' || other == 'f' || other == 't';
}

const char* Tokenizer::read_string(const char* start, const char* quote) {
  for (const char* p = start; p < quote; ++p) {
    const char letter = static_cast<char>(*p | 0x20);
    if (letter == 'f' || letter == 't') return read_fstring_start(start, quote);
  }
  const char delimiter = *quote;
  const bool is_triple = is_triple_quote(quote);
  const int32_t first_line = line_;
  const int32_t first_col = column(start);
  // An unterminated string whose quotes are those of the f-string around it was to end that one.
  const bool closes_outer =
      !fstrings_.empty() && fstrings_.back().quote == delimiter && fstrings_.back().is_triple == is_triple;
  const auto unclosed_field = [&] { return fmt::format("{}: expecting '}}'", string_label(fstrings_.back())); };
  const char* at = quote + (is_triple ? 3 : 1);
  for (;; ++at) {
    if (*at == delimiter) {
      if (!is_triple) {
        ++at;
        break;
      }
      if (is_triple_quote(at)) {
        at += 3;
        break;
      }
    } else if (*at == '\\') {
      ++at;
      if (*at == '\n' && at != end_) new_line(at + 1);
      if (at == end_) --at;
    } else if (*at == '\n') {
      if (!is_triple) {
        if (closes_outer) return fail(unclosed_field(), first_line, first_col);
        return fail(fmt::format("unterminated string literal (detected at line {})", line_), first_line, first_col);
      }
      new_line(at + 1);
    } else if (*at == '\0' && at == end_) {
      if (!is_triple)
        return fail(fmt::format("unterminated string literal (detected at line {})", line_), first_line, first_col);
      if (closes_outer) return fail(unclosed_field(), first_line, first_col);
      const int32_t last_line = line_start_ == end_ ? line_ - 1 : line_;
      return fail(fmt::format("unterminated triple-quoted string literal (detected at line {})", last_line), first_line,
                  first_col);
    }
  }
  if (!fstrings_.empty()) note_nested(start, at);
  tokens_.push_back({TokenKind::String,
                     Symbol::String,
                     {first_line, first_col, line_, column(at)},
                     {start, static_cast<size_t>(at - start)}});
  return at;
}

const char* Tokenizer::read_fstring_start(const char* start, const char* quote) {
  if (fstrings_.size() >= kMaxFStrings) return fail("too many nested f-strings", start);
  FString string{};
  string.quote = *quote;
  string.is_triple = is_triple_quote(quote);
  for (const char* p = start; p < quote; ++p) {
    string.is_raw |= (*p | 0x20) == 'r';
    string.is_template |= (*p | 0x20) == 't';
  }
  string.base = brackets_.size();
  string.line = line_;
  string.col = column(start);
  const char* const at = quote + (string.is_triple ? 3 : 1);
  push(TokenKind::FStringStart, Symbol::FStringStart, start, at);
  if (!fstrings_.empty()) note_nested(start, at);
  if (string.is_template) minor_version_ = std::max(minor_version_, 14);
  fstrings_.push_back(string);
  in_fstring_text_ = true;
  return at;
}

const char* Tokenizer::read_fstring_text(const char* start) {
  const FString string = fstrings_.back();
  const bool in_format = brackets_.size() > string.base;
  const int32_t first_line = line_;
  const int32_t first_col = column(start);
  const char* at = start;
  const auto push_middle = [&] {
    if (at == start) return;
    tokens_.push_back({TokenKind::FStringMiddle,
                       Symbol::FStringMiddle,
                       {first_line, first_col, line_, column(at)},
                       {start, static_cast<size_t>(at - start)}});
    if (fstrings_.size() > 1) note_nested(start, at);
  };
  for (;; ++at) {
    switch (*at) {
      case '\\':
        if (at[1] == '{' || at[1] == '}') break;
        if (at[1] == 'N' && at[2] == '{' && !string.is_raw) {
          at += 2;
          while (at[1] != '}' && at[1] != '{' && at[1] != string.quote && at[1] != '\n' && at + 1 != end_) ++at;
          if (at[1] == '}') ++at;
          break;
        }
        if (at + 1 == end_) break;
        ++at;
        if (*at == '\n') new_line(at + 1);
        break;
      case '\'':
      case '"':
        if (*at != string.quote || (string.is_triple && !is_triple_quote(at))) break;
        if (in_format) return fail(fmt::format("{}: expecting '}}', or format specs", string_label(string)), at);
        push_middle();
        return close_fstring(at);
      case '{':
        if (!in_format && at[1] == '{') {
          ++at;
          break;
        }
        if (brackets_.size() - string.base >= kMaxFields)
          return fail(fmt::format("{}: expressions nested too deeply", string_label(string)), at);
        if (brackets_.size() - string.base >= 2) minor_version_ = std::max(minor_version_, 12);
        push_middle();
        push(TokenKind::Op, Symbol::LBrace, at, at + 1);
        in_fstring_text_ = false;
        return open_bracket(at, true);
      case '}':
        if (in_format) {
          push_middle();
          push(TokenKind::Op, Symbol::RBrace, at, at + 1);
          brackets_.pop_back();
          return at + 1;
        }
        if (at[1] != '}') return fail(fmt::format("{}: single '}}' is not allowed", string_label(string)), at);
        ++at;
        break;
      case '\n':
        if (string.is_triple) {
          new_line(at + 1);
          break;
        }
        if (in_format) {  // ends the specifier; only the closing brace may follow
          push_middle();
          in_fstring_text_ = false;
          minor_version_ = std::max(minor_version_, 12);
          return at;
        }
        return fail(fmt::format("unterminated {} literal (detected at line {})", string_label(string), line_),
                    string.line, string.col);
      case '\0':
        if (at != end_) break;
        return fail(fmt::format("unterminated triple-quoted {} literal (detected at line {})", string_label(string),
                                line_start_ == end_ ? line_ - 1 : line_),
                    string.line, string.col);
      default: break;
    }
  }
}

const char* Tokenizer::close_fstring(const char* quote) {
  const char* const at = quote + (fstrings_.back().is_triple ? 3 : 1);
  push(TokenKind::FStringEnd, Symbol::FStringEnd, quote, at);
  fstrings_.pop_back();
  in_fstring_text_ = false;
  if (!fstrings_.empty()) note_nested(quote, at);
  return at;
}

void Tokenizer::note_nested(const char* first, const char* last) {
  if (minor_version_ >= 12) return;
  const std::string_view text(first, static_cast<size_t>(last - first));
  bool is_new = text.find('\\') != std::string_view::npos;
  for (const FString& outer : fstrings_) {
    if (outer.is_triple) {
      is_new |= text.find(std::string(3, outer.quote)) != std::string_view::npos;
    } else {
      is_new |= text.find(outer.quote) != std::string_view::npos || text.find('\n') != std::string_view::npos;
    }
  }
  if (is_new) minor_version_ = 12;
}

}  // namespace qd::syntax
