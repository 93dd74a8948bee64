// Source text to tokens, in one pass; f-strings are cut into their parts as Python 3.12 does.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/syntax/parse.h"
#include "runtime/syntax/symbols.h"

namespace qd::syntax {

class Tokenizer {
 public:
  /// Makes a tokenizer. `source` ends with ' ' (unless empty) and is followed by a NUL. Tokens are appended to
  /// `tokens`, which ends with an EndMarker (symbol Error when the source has an error).
  Tokenizer(std::string_view source, std::vector<Token>& tokens);

  void run();

  struct Bracket {
    char open;
    bool is_field;  // the '{' of a replacement field in an f-string
    int32_t line;
    int32_t col;
  };

  const std::optional<SyntaxError>& error() const { return error_; }
  /// Whether CPython reports the tokenizer's error even when the parser fails before it.
  bool is_error_loud() const { return is_error_loud_; }
  /// The brackets that are still open at the end of the source.
  const std::vector<Bracket>& open_brackets() const { return brackets_; }
  int minor_version() const { return minor_version_; }

 private:
  struct Indentation {
    int32_t col;
    int32_t col_if_tabs_were_one;
  };
  struct FString {
    char quote;
    bool is_triple;
    bool is_raw;
    bool is_template;
    size_t base;  // open brackets around the string; more of them in its text mean a format specifier
    int32_t line;
    int32_t col;
  };

  // Readers of one thing at `at`. They return its end, or null after an error.
  const char* start_line(const char* at);
  const char* read_name(const char* at);
  const char* read_number(const char* at);
  const char* read_prefixed_number(const char* at);
  const char* read_decimal_digits(const char* at);
  static bool is_string_prefix(std::string_view text);
  const char* read_string(const char* start, const char* quote);
  const char* read_fstring_start(const char* start, const char* quote);
  const char* read_fstring_text(const char* at);
  const char* close_fstring(const char* quote);
  const char* read_operator(const char* at);
  const char* read_other(const char* at);
  const char* open_bracket(const char* at, bool is_field);
  bool close_bracket(const char* at);
  bool check_number_end(const char* at, std::string_view kind);
  bool change_indentation(const char* at, Indentation to);
  void finish(const char* at);

  std::string_view string_label(const FString& string) const { return string.is_template ? "t-string" : "f-string"; }
  /// Raises minor_version() if Python 3.11 could not nest `text` in the f-strings around it.
  void note_nested(const char* first, const char* last);

  void push(TokenKind kind, Symbol symbol, const char* first, const char* last) {
    tokens_.push_back(
        {kind, symbol, {line_, column(first), line_, column(last)}, {first, static_cast<size_t>(last - first)}});
  }
  int32_t column(const char* at) const { return static_cast<int32_t>(at - line_start_); }
  const char* fail(std::string message, int32_t line, int32_t col);
  const char* fail(std::string message, const char* at) { return fail(std::move(message), line_, column(at)); }
  const char* fail_quietly(std::string message, const char* at) {
    is_error_loud_ = false;
    return fail(std::move(message), at);
  }
  bool refuse(std::string message, const char* at) { return fail(std::move(message), at) != nullptr; }
  bool refuse_quietly(std::string message, const char* at) { return fail_quietly(std::move(message), at) != nullptr; }
  void new_line(const char* start) {
    ++line_;
    line_start_ = start;
  }

  const char* const begin_;
  const char* const end_;
  std::vector<Token>& tokens_;
  const char* line_start_;
  int32_t line_ = 1;
  bool in_fstring_text_ = false;
  std::vector<Indentation> indents_;
  std::vector<Bracket> brackets_;
  std::vector<FString> fstrings_;
  std::optional<SyntaxError> error_;
  bool is_error_loud_ = true;
  int minor_version_ = 8;
};

/// Whether Python takes this code point at the start of, or later in, an identifier.
bool is_identifier_start(char32_t code_point);
bool is_identifier_continue(char32_t code_point);

}  // namespace qd::syntax
