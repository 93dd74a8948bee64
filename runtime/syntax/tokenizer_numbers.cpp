// The tokenizer's numbers, with CPython's errors for bad ones.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/syntax/tokenizer.h"

namespace qd::syntax {
namespace {

constexpr std::ptrdiff_t kMostDigits = 4300;  // sys.int_info.default_max_str_digits

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }
bool is_ascii_identifier(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_'; }

bool starts_with(const char* at, std::string_view word) {
  for (const char c : word) {
    if (*at++ != c) return false;
  }
  return true;
}

}  // namespace

// Checks a number's end. `1if x else y` is valid: a keyword that may follow an expression may touch the number before
// it.
bool Tokenizer::check_number_end(const char* at, std::string_view kind) {
  for (const std::string_view keyword : {"and", "else", "for", "if", "in", "is", "or", "not"}) {
    if (starts_with(at, keyword)) return true;
  }
  if (is_ascii_identifier(*at)) return refuse(fmt::format("invalid {} literal", kind), at - 1);
  return true;
}

const char* Tokenizer::read_decimal_digits(const char* at) {
  for (;;) {
    while (is_digit(*at)) ++at;
    if (*at != '_') return at;
    if (!is_digit(*++at)) return fail("invalid decimal literal", at - 1);
  }
}

const char* Tokenizer::read_prefixed_number(const char* start) {
  const char letter = static_cast<char>(start[1] | 0x20);
  const std::string_view kind = letter == 'x' ? "hexadecimal" : letter == 'o' ? "octal" : "binary";
  const auto takes = [&](char c) {
    return letter == 'x' ? is_hex_digit(c) : letter == 'o' ? c >= '0' && c <= '7' : c == '0' || c == '1';
  };
  const char* at = start + 2;
  do {
    if (*at == '_') ++at;
    if (!takes(*at)) {
      if (is_digit(*at)) return fail(fmt::format("invalid digit '{}' in {} literal", *at, kind), at);
      return fail(fmt::format("invalid {} literal", kind), at - 1);
    }
    while (takes(*at)) ++at;
  } while (*at == '_');
  if (is_digit(*at)) return fail(fmt::format("invalid digit '{}' in {} literal", *at, kind), at);
  if (!check_number_end(at, kind)) return nullptr;
  push(TokenKind::Number, Symbol::Number, start, at);
  return at;
}

const char* Tokenizer::read_number(const char* start) {
  const char letter = static_cast<char>(start[1] | 0x20);
  if (*start == '0' && (letter == 'x' || letter == 'o' || letter == 'b')) return read_prefixed_number(start);
  const char* at = start;
  if (is_digit(*at)) {
    at = read_decimal_digits(at);
    if (!at) return nullptr;
  }
  const char* const integer_end = at;
  if (*at == '.') {
    ++at;
    if (is_digit(*at)) {
      at = read_decimal_digits(at);
      if (!at) return nullptr;
    }
  }
  bool is_integer = at == integer_end;
  if ((*at | 0x20) == 'e') {
    const bool has_sign = at[1] == '+' || at[1] == '-';
    if (is_digit(at[has_sign ? 2 : 1])) {
      is_integer = false;
      at = read_decimal_digits(at + (has_sign ? 2 : 1));
      if (!at) return nullptr;
    } else if (has_sign) {
      return fail("invalid decimal literal", at);
    }
  }
  if ((*at | 0x20) == 'j') {
    is_integer = false;
    ++at;
    if (!check_number_end(at, "imaginary")) return nullptr;
  } else if (!check_number_end(at, "decimal")) {
    return nullptr;
  }
  if (is_integer && *start == '0') {
    for (const char* p = start; p < at; ++p) {
      if (*p != '0' && *p != '_') {
        return fail("leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers",
                    start);
      }
    }
  }
  if (is_integer && at - start > kMostDigits) {
    const auto digits = std::count_if(start, at, is_digit);
    if (digits > kMostDigits) {
      return fail(
          fmt::format(
              "Exceeds the limit ({} digits) for integer string conversion: value has {} digits; use "
              "sys.set_int_max_str_digits() to "
              "increase the limit - Consider hexadecimal for huge integer literals to avoid decimal conversion limits.",
              kMostDigits, digits),
          start);
    }
  }
  push(TokenKind::Number, Symbol::Number, start, at);
  return at;
}

}  // namespace qd::syntax
