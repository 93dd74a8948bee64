// Formats values by Python's format specifications. Without one, a number prints as by Python's str().
#include "runtime/launch/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>

#include "runtime/ir/half.h"

namespace qd {
namespace {

/// The number that a text says, in every locale; 0 where it is too large.
double number_of(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// The repr() of a float: the shortest text that reads back to the same number of its type.
template <class Float>
std::string shortest(Float value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  double magnitude = std::fabs(static_cast<double>(value));
  if (magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e16)) {
    for (int digits = 0;; ++digits) {
      std::string text = fmt::format("{:.{}e}", value, digits);
      if (digits == 17 || static_cast<Float>(number_of(text)) == value) return text;
    }
  }
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

/// The text of a float16, as numpy prints it: with the fewest digits that read back to the same number.
std::string shortest_half(uint16_t bits) {
  const double value = ir::double_from_half(bits);
  if (!std::isfinite(value)) return shortest(value);
  for (int digits = 0;; ++digits) {
    const double rounded = number_of(fmt::format("{:.{}e}", value, digits));
    if (digits == 4 || ir::half_from_double(rounded) == bits) return shortest(rounded);
  }
}

int64_t integer(ir::Type type, uint64_t word) {
  if (type == ir::Type::F16) return static_cast<int64_t>(ir::double_from_half(static_cast<uint16_t>(word)));
  if (type == ir::Type::F32) return static_cast<int64_t>(std::bit_cast<float>(static_cast<uint32_t>(word)));
  if (type == ir::Type::F64) return static_cast<int64_t>(std::bit_cast<double>(word));
  return static_cast<int64_t>(word);
}

double real(ir::Type type, uint64_t word) {
  if (type == ir::Type::F16) return ir::double_from_half(static_cast<uint16_t>(word));
  if (type == ir::Type::F32) return std::bit_cast<float>(static_cast<uint32_t>(word));
  if (type == ir::Type::F64) return std::bit_cast<double>(word);
  return ir::is_signed(type) ? static_cast<double>(static_cast<int64_t>(word)) : static_cast<double>(word);
}

std::string plain(ir::Type type, uint64_t word) {
  if (type == ir::Type::U1) return word ? "True" : "False";
  if (type == ir::Type::F16) return shortest_half(static_cast<uint16_t>(word));
  if (type == ir::Type::F32) return shortest(std::bit_cast<float>(static_cast<uint32_t>(word)));
  if (type == ir::Type::F64) return shortest(std::bit_cast<double>(word));
  return ir::is_signed(type) ? fmt::format("{}", static_cast<int64_t>(word)) : fmt::format("{}", word);
}

/// An integer with at least `digits` digits, as C prints it for a precision; Python has none for integers.
std::string with_digits(const std::string& text, std::string_view digits) {
  const size_t sign = text.starts_with('-') ? 1 : 0, most = 100;
  const size_t wanted = std::min<size_t>(std::strtoul(std::string(digits).c_str(), nullptr, 10), most);
  const size_t have = text.size() - sign;
  return text.substr(0, sign) + std::string(wanted > have ? wanted - have : 0, '0') + text.substr(sign);
}

/// The parts of Python's format specification: [[fill]align][sign][#][0][width][grouping][.precision][type].
struct Specification {
  std::string fill = " ";
  char align = 0;  // of '<', '>', '=', '^'
  char sign = '-';
  bool alternate = false;
  size_t width = 0;
  char grouping = 0;
  std::string precision;  // with its point
  char type = 0;          // with C's `u` and `i`

  /// Whether the digits are those of another base than ten.
  bool based() const { return type != 0 && std::string_view("boxX").find(type) != std::string_view::npos; }
};

/// Parses a specification; nothing for another text.
std::optional<Specification> parse(std::string_view spec) {
  Specification parts;
  size_t at = 0;
  auto next_is = [&](std::string_view any) { return at < spec.size() && any.find(spec[at]) != std::string_view::npos; };
  auto digits = [&] {
    const size_t begin = at;
    while (next_is("0123456789")) ++at;
    return spec.substr(begin, at - begin);
  };
  constexpr std::string_view kAligns = "<>=^";
  size_t fill = spec.empty() ? 0 : 1;
  while (fill < spec.size() && (spec[fill] & 0xC0) == 0x80) ++fill;  // the bytes of one character
  const bool filled = fill < spec.size() && kAligns.find(spec[fill]) != std::string_view::npos;
  if (filled) parts.fill = spec.substr(0, at = fill);
  if (next_is(kAligns)) parts.align = spec[at++];
  if (next_is("+- ")) parts.sign = spec[at++];
  if (next_is("#")) parts.alternate = ++at != 0;
  if (next_is("0") && !parts.align) parts.fill = "0", parts.align = '=';
  constexpr size_t kWidest = 10000;
  parts.width = std::min<size_t>(std::strtoul(std::string(digits()).c_str(), nullptr, 10), kWidest);
  if (next_is(",_")) parts.grouping = spec[at++];
  if (next_is(".")) ++at, parts.precision = fmt::format(".{}", digits());
  if (next_is("aAbcdeEfFgGinosuxX%")) parts.type = spec[at++];
  if (!parts.align) parts.align = parts.type == 's' ? '<' : '>';
  return at == spec.size() ? std::optional(parts) : std::nullopt;
}

/// A float with a precision and without a type: significant digits, and at least one behind a point.
std::string significant(double value, std::string_view precision) {
  if (!std::isfinite(value)) return shortest(value);
  const int digits = static_cast<int>(std::clamp(number_of(std::string(precision.substr(1))), 1.0, 1000.0));
  const std::string rounded = fmt::format("{:.{}e}", value, digits - 1);
  const size_t letter = rounded.find('e');
  const int exponent = static_cast<int>(std::strtol(rounded.c_str() + letter + 1, nullptr, 10));
  if (exponent >= -4 && exponent < digits - 1) {
    const std::string text = fmt::format("{:.{}g}", value, digits);
    return text.find('.') == std::string::npos ? text + ".0" : text;
  }
  size_t last = letter;
  if (rounded.find('.') != std::string::npos) last = rounded.find_last_not_of('0', letter - 1) + 1;
  if (rounded[last - 1] == '.') --last;
  return rounded.substr(0, last) + rounded.substr(letter);
}

/// The text of a value by the type and the precision of a specification, with `-` alone for a sign.
std::string body_of(ir::Type type, uint64_t word, const Specification& spec) {
  auto of = [&](const auto& value, char letter, std::string_view precision) {
    const std::string_view alternate = spec.alternate && !spec.based() ? "#" : "";
    return fmt::format(fmt::runtime(fmt::format("{{:{}{}{}}}", alternate, precision, letter)), value);
  };
  auto whole = [&](char letter) {
    if (ir::is_float(type) || spec.precision.empty() || letter == 'c')
      return ir::is_unsigned(type) ? of(word, letter, spec.precision) : of(integer(type, word), letter, spec.precision);
    const std::string digits = ir::is_unsigned(type) ? of(word, letter, "") : of(integer(type, word), letter, "");
    return with_digits(digits, spec.precision.substr(1));
  };
  const bool is_float = ir::is_float(type);
  const double number = real(type, word);
  const double unsigned_nan = std::isnan(number) ? std::fabs(number) : number;  // a NaN has no sign in Python
  switch (spec.type) {
    case 0:
      if (is_float) return spec.precision.empty() ? plain(type, word) : significant(number, spec.precision);
      [[fallthrough]];
    case 'd':
    case 'i':
    case 'u': return whole('d');
    case 'b':
    case 'o':
    case 'x':
    case 'X':
    case 'c': return whole(spec.type);
    case '%': return of(100 * unsigned_nan, 'f', spec.precision) + "%";
    case 'n': return is_float ? of(unsigned_nan, 'g', spec.precision) : whole('d');
    case 's': return plain(type, word);
    default: return of(unsigned_nan, spec.type, spec.precision);
  }
}

/// Digits with a separator between groups, from the right.
std::string grouped(std::string_view digits, size_t group, char separator) {
  std::string text;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % group == 0) text += separator;
    text += digits[i];
  }
  return text;
}

}  // namespace

std::string format_value(ir::Type type, uint64_t word, std::string_view text) try {
  const std::optional<Specification> parts = parse(text);
  if (text.empty() || !parts) return plain(type, word);
  const Specification& spec = *parts;
  std::string body = body_of(type, word, spec);
  const bool negative = body.starts_with('-');
  body.erase(0, negative);
  std::string front(negative ? "-" : spec.sign == '-' || spec.type == 's' ? "" : std::string(1, spec.sign));
  if (spec.based() && spec.alternate) front += {'0', spec.type};
  const size_t whole = spec.based() ? body.size() : std::min(body.find_first_not_of("0123456789"), body.size());
  if (spec.grouping && whole > 0) {
    std::string digits = body.substr(0, whole);
    const std::string rest = body.substr(whole);
    const bool zeros = spec.align == '=' && spec.fill == "0";  // they are in groups, too
    auto put = [&] { body = grouped(digits, spec.based() ? 4 : 3, spec.grouping) + rest; };
    for (put(); zeros && front.size() + body.size() < spec.width; put()) digits.insert(0, "0");
  }
  const size_t have = front.size() + body.size(), missing = spec.width > have ? spec.width - have : 0;
  const size_t left = spec.align == '<' ? 0 : spec.align == '^' ? missing / 2 : missing;
  auto padding = [&](size_t n) {
    std::string pad;
    while (n-- > 0) pad += spec.fill;
    return pad;
  };
  if (spec.align == '=') return front + padding(missing) + body;
  return padding(left) + front + body + padding(missing - left);
} catch (const fmt::format_error&) {
  return plain(type, word);
}

std::string format_text(const ir::Format& format, const uint64_t* words) {
  std::string text;
  if (!format.pieces.empty()) text = format.pieces[0];
  for (size_t i = 0; i < format.types.size(); ++i) {
    text += format_value(format.types[i], words[i], i < format.specs.size() ? format.specs[i] : "");
    if (i + 1 < format.pieces.size()) text += format.pieces[i + 1];
  }
  return text;
}

}  // namespace qd
