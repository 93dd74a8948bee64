// Strings and numbers of Python's JSON.
#include "report/formats/machine/python_json.h"

#include <charconv>
#include <cmath>

#include "runtime/syntax/utf8.h"

namespace qd::report {

namespace {

void append_escape(std::string& out, uint32_t code) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[code >> shift & 15];
}

void append_escaped(std::string& out, const char*& at, const char* end) {
  const char* start = at;
  char32_t code = syntax::decode_utf8(at, end);
  bool invalid = code == 0xFFFD && at == start + 1;
  if (invalid) {
    append_escape(out, 0xDC00 + static_cast<unsigned char>(*start));
  } else if (code >= 0x10000) {
    append_escape(out, 0xD800 + ((code - 0x10000) >> 10));
    append_escape(out, 0xDC00 + ((code - 0x10000) & 0x3FF));
  } else {
    append_escape(out, code);
  }
}

}  // namespace

std::string python_json_string(std::string_view text) {
  std::string out = "\"";
  const char* end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    char c = *at;
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '\f': out += "\\f"; break;
      case '\b': out += "\\b"; break;
      default:
        if (c >= ' ' && c <= '~') {
          out += c;
          break;
        }
        append_escaped(out, at, end);
        continue;
    }
    ++at;
  }
  return out + '"';
}

std::string python_float(double value) {
  char digits[32];
  double size = std::fabs(value);
  bool fixed = value == 0 || (size >= 1e-4 && size < 1e16);
  auto end = std::to_chars(digits, digits + sizeof digits, value,
                           fixed ? std::chars_format::fixed : std::chars_format::scientific)
                 .ptr;
  std::string text(digits, end);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace qd::report
