// JSON for scripts. Runs of plain bytes are copied as they are; few bytes need an escape.
#include "report/formats/html/page_data.h"

#include <array>

namespace qd::report {
namespace {

constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (size_t byte = 0x20; byte < 256; ++byte) plain[byte] = byte != '"' && byte != '\\' && byte != '<';
  return plain;
}();

}  // namespace

void append_script_json(std::string& out, std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && kPlain[static_cast<unsigned char>(text[end])]) ++end;
    out.append(text, at, end - at);
    if (end < text.size()) {
      auto byte = static_cast<unsigned char>(text[end]);
      switch (byte) {
        case '"': out += "\\\""; break;
        case '\\': out += "\\\\"; break;
        case '\n': out += "\\n"; break;
        case '\t': out += "\\t"; break;
        default: out.append("\\u00").append({kHex[byte >> 4], kHex[byte & 15]});
      }
      ++end;
    }
    at = end;
  }
  out += '"';
}

}  // namespace qd::report
