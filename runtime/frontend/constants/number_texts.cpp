// Python's float() and int() of a text.
#include "runtime/frontend/constants/number_arithmetic.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <string>

#include "runtime/syntax/parse.h"

namespace qd::frontend {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r\x1c\x1d\x1e\x1f";

std::string_view without_blanks(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes digits, with single underscores between them, from the front of a text. False when there are none.
bool take_digits(std::string_view& rest, std::string& plain) {
  if (rest.empty() || !is_digit(rest[0])) return false;
  while (!rest.empty()) {
    if (rest[0] == '_' && rest.size() > 1 && is_digit(rest[1])) rest.remove_prefix(1);
    if (!is_digit(rest[0])) break;
    plain += rest[0];
    rest.remove_prefix(1);
  }
  return true;
}

void take_sign(std::string_view& rest, std::string& plain) {
  if (rest.empty() || (rest[0] != '+' && rest[0] != '-')) return;
  if (rest[0] == '-') plain += '-';
  rest.remove_prefix(1);
}

/// A decimal number as decimal_value reads it; nothing when the text is none.
std::optional<std::string> decimal(std::string_view rest) {
  std::string plain;
  take_sign(rest, plain);
  bool digits = take_digits(rest, plain);
  if (!rest.empty() && rest[0] == '.') {
    plain += '.';
    rest.remove_prefix(1);
    digits |= take_digits(rest, plain);
  }
  if (digits && !rest.empty() && (rest[0] == 'e' || rest[0] == 'E')) {
    plain += 'e';
    rest.remove_prefix(1);
    take_sign(rest, plain);
    if (!take_digits(rest, plain)) return std::nullopt;
  }
  return digits && rest.empty() ? std::optional(plain) : std::nullopt;
}

std::optional<double> named(std::string_view rest) {
  std::string sign, name;
  take_sign(rest, sign);
  for (const char c : rest) name += c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  const double factor = sign.empty() ? 1.0 : -1.0;
  if (name == "inf" || name == "infinity") return factor * std::numeric_limits<double>::infinity();
  if (name == "nan") return factor * std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

}  // namespace

Outcome float_of_text(std::string_view text) {
  const std::string_view number = without_blanks(text);
  if (auto known = named(number)) return Value(*known);
  if (auto plain = decimal(number)) return Value(syntax::decimal_value(*plain));
  return Outcome::failed(fmt::format("could not convert string to float: {}", representation(std::string(text))));
}

Outcome integer_of_text(std::string_view text) {
  std::string_view rest = without_blanks(text);
  std::string plain;
  take_sign(rest, plain);
  const bool good = take_digits(rest, plain) && rest.empty();
  auto number = good ? BigInteger::parse(plain) : std::nullopt;
  if (number) return whole_number(*std::move(number));
  return Outcome::failed(fmt::format("invalid literal for int() with base 10: {}", representation(std::string(text))));
}

}  // namespace qd::frontend
