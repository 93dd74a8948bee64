// Formats values by fmt, with nearly Python's format specifications. Without one, a number prints as by Python's str().
#include "runtime/launch/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
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

/// An integer in a format with a precision, as C prints it: with at least that many digits. Python has none for
/// integers.
std::string with_digits(ir::Type type, uint64_t word, std::string_view spec) {
  const size_t point = spec.find('.'), most = 100;
  const size_t wanted = std::min<size_t>(std::strtoul(std::string(spec.substr(point + 1)).c_str(), nullptr, 10), most);
  std::string before(spec.substr(0, point));
  const bool is_negative = ir::is_signed(type) && static_cast<int64_t>(word) < 0;
  std::string text = is_negative ? "-" : "";
  if (const size_t sign = before.find_first_of("+ "); sign != std::string::npos) {
    if (!is_negative) text = before[sign];
    before.erase(sign, 1);
  }
  const bool in_letters = std::string_view("oxX").find(spec.back()) != std::string_view::npos;
  const std::string format = in_letters ? fmt::format("{{:{}}}", spec.back()) : "{}";
  const uint64_t magnitude = is_negative ? 0 - word : word;
  const std::string digits = fmt::vformat(format, fmt::make_format_args(magnitude));
  text += std::string(wanted > digits.size() ? wanted - digits.size() : 0, '0') + digits;
  const bool is_aligned = before.find_first_of("<>^") != std::string::npos;
  return fmt::vformat(fmt::format("{{:{}{}}}", is_aligned ? "" : ">", before), fmt::make_format_args(text));
}

}  // namespace

std::string format_value(ir::Type type, uint64_t word, std::string_view spec) {
  const std::string text = plain(type, word);
  if (spec.empty()) return text;
  std::string format = fmt::format("{{:{}}}", spec);  // its last letter but one is the type
  auto formatted = [&](const auto& value) { return fmt::vformat(format, fmt::make_format_args(value)); };
  const size_t point = spec.find('.');
  const bool integral = std::string_view("diuoxX.0123456789").find(spec.back()) != std::string_view::npos;
  try {
    if (point != std::string_view::npos && integral && !ir::is_float(type) && type != ir::Type::U1)
      return with_digits(type, word, spec);
    switch (spec.back()) {
      case 'd':
      case 'u':
      case 'i': format[format.size() - 2] = 'd'; [[fallthrough]];
      case 'b':
      case 'o':
      case 'x':
      case 'X':
      case 'c': return ir::is_unsigned(type) ? formatted(static_cast<uint64_t>(word)) : formatted(integer(type, word));
      case 'a':
      case 'A':
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G': return formatted(real(type, word));
      case 's': return formatted(text);
      default:
        if (ir::is_float(type)) {
          // A precision without a type means significant digits. A bare width is that of str(value), which fmt would
          // align to the left.
          if (spec.find_first_of(".+ #") != std::string_view::npos || spec.front() == '0')
            return formatted(real(type, word));
          const bool aligned = spec.find_first_of("<>^") != std::string_view::npos;
          return fmt::vformat(fmt::format("{{:{}{}}}", aligned ? "" : ">", spec), fmt::make_format_args(text));
        }
        return ir::is_unsigned(type) ? formatted(static_cast<uint64_t>(word)) : formatted(integer(type, word));
    }
  } catch (const fmt::format_error&) {
    return text;
  }
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
