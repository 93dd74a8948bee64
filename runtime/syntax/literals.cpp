// Decodes escapes in string literals, and computes the values of numbers.
#include "runtime/syntax/literals.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "runtime/syntax/parse.h"
#include "runtime/syntax/utf8.h"

namespace qd::syntax {
namespace {

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

/// Decodes one literal from left to right into a buffer at least as long as the text.
class Decoder {
 public:
  Decoder(std::string_view text, LiteralForm form, char* out)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), out_(out), form_(form) {}

  /// The end of the output, or null on a bad escape.
  char* run(std::string& error) {
    while (at_ < end_) {
      const char c = *at_;
      if (c == '\\' && !form_.is_raw) {
        if (!escape(error)) return nullptr;
        continue;
      }
      *out_++ = c;
      at_ += form_.doubles_braces && (c == '{' || c == '}') && at_ + 1 < end_ && at_[1] == c ? 2 : 1;
    }
    return out_;
  }

 private:
  bool escape(std::string& error) {
    const char* const start = at_++;
    if (at_ == end_) {  // only before a replacement field: the backslash stands for itself
      *out_++ = '\\';
      return true;
    }
    const char c = *at_++;
    switch (c) {
      case '\n': return true;
      case '\\':
      case '\'':
      case '"': *out_++ = c; return true;
      case 'a': *out_++ = '\a'; return true;
      case 'b': *out_++ = '\b'; return true;
      case 'f': *out_++ = '\f'; return true;
      case 'n': *out_++ = '\n'; return true;
      case 'r': *out_++ = '\r'; return true;
      case 't': *out_++ = '\t'; return true;
      case 'v': *out_++ = '\v'; return true;
      case 'x': return hexadecimal(start, 2, "\\xXX", error);
      case 'u':
        if (!form_.is_bytes) return hexadecimal(start, 4, "\\uXXXX", error);
        break;
      case 'U':
        if (!form_.is_bytes) return hexadecimal(start, 8, "\\UXXXXXXXX", error);
        break;
      case 'N':
        if (!form_.is_bytes) return named(start, error);
        break;
      default:
        if (c >= '0' && c <= '7') {
          uint32_t value = static_cast<uint32_t>(c - '0');
          for (int i = 0; i < 2 && at_ < end_ && *at_ >= '0' && *at_ <= '7'; ++i)
            value = value * 8 + static_cast<uint32_t>(*at_++ - '0');
          put(value);
          return true;
        }
        break;
    }
    // An unknown escape stays as it is; the text behind the backslash is read again, as it may be a doubled brace.
    *out_++ = '\\';
    --at_;
    if (*at_ != '{' && *at_ != '}') *out_++ = *at_++;
    return true;
  }

  bool hexadecimal(const char* start, int digits, const char* name, std::string& error) {
    uint32_t value = 0;
    for (int i = 0; i < digits; ++i, ++at_) {
      if (at_ < end_ && digit_value(*at_) < 16) {
        value = value * 16 + static_cast<uint32_t>(digit_value(*at_));
        continue;
      }
      if (form_.is_bytes) {
        error = fmt::format("(value error) invalid \\x escape at position {}", start - begin_);
        return false;
      }
      return refuse(start, fmt::format("truncated {} escape", name), error);
    }
    if (value > 0x10FFFF) return refuse(start, "illegal Unicode character", error);
    put(value);
    return true;
  }

  // A table of the names of characters would take a megabyte. The value is not needed here, so any name gives U+FFFD.
  bool named(const char* start, std::string& error) {
    if (at_ == end_ || *at_ != '{') return refuse(start, "malformed \\N character escape", error);
    const void* close = std::memchr(at_, '}', static_cast<size_t>(end_ - at_));
    if (!close || close == at_ + 1) {
      at_ = end_;
      return refuse(start, "malformed \\N character escape", error);
    }
    at_ = static_cast<const char*>(close) + 1;
    put(0xFFFD);
    return true;
  }

  bool refuse(const char* start, std::string_view what, std::string& error) {
    // CPython counts in the escaped form that it gives the codec, where a non-ASCII character takes ten places.
    error = fmt::format("(unicode error) 'unicodeescape' codec can't decode bytes in position {}-{}: {}", place(start),
                        place(at_) - 1, what);
    return false;
  }

  size_t place(const char* where) const {
    size_t count = 0;
    for (const char* p = begin_; p < where;) {
      const char32_t c = decode_utf8(p, end_);
      count += c < 0x80 ? 1 : 10;
    }
    return count;
  }

  void put(uint32_t value) {
    if (form_.is_bytes) {
      *out_++ = static_cast<char>(value & 0xFF);
    } else {
      out_ = encode_utf8(value, out_);
    }
  }

  const char* const begin_;
  const char* at_;
  const char* const end_;
  char* out_;
  const LiteralForm form_;
};

std::string without_underscores(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c != '_') digits += c;
  }
  return digits;
}

}  // namespace

std::string_view decode_literal(std::string_view text, LiteralForm form, Arena& arena, std::string& error) {
  const bool has_escapes = !form.is_raw && text.find('\\') != std::string_view::npos;
  const bool has_braces = form.doubles_braces && text.find_first_of("{}") != std::string_view::npos;
  if (!has_escapes && !has_braces) return text;
  // Every escape is at least as long as its character, except \N{X}, whose U+FFFD takes three of its five bytes.
  char* const place = arena.characters(text.size());
  char* const end = Decoder(text, form, place).run(error);
  return end ? std::string_view(place, static_cast<size_t>(end - place)) : std::string_view{};
}

std::optional<int64_t> int_value(const Constant& constant) {
  const std::string digits = without_underscores(constant.text);
  std::string_view text = digits;
  int radix = 10;
  if (text.size() > 2 && text[0] == '0') {
    const char letter = static_cast<char>(text[1] | 0x20);
    radix = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 10;
    if (radix != 10) text.remove_prefix(2);
  }
  int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, radix);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

double float_value(const Constant& constant) {
  std::string digits = without_underscores(constant.text);
  if (!digits.empty() && (digits.back() | 0x20) == 'j') digits.pop_back();
  return decimal_value(digits);
}

double decimal_value(const std::string& digits) {
  // A program in Python may set a locale in which strtod ends a number at its point.
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(digits.c_str(), nullptr, plain);
}

}  // namespace qd::syntax
