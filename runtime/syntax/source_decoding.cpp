// Turns the bytes of a source file into UTF-8 text: byte-order mark, PEP 263 declaration, line ends.
#include <iconv.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "runtime/syntax/parse.h"
#include "runtime/syntax/source_encoding.h"
#include "runtime/syntax/utf8.h"

namespace qd::syntax {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// The encoding that a comment on this line declares, PEP 263's `^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)`, or
/// nothing.
std::string_view declared_encoding(std::string_view line) {
  const size_t comment = line.find_first_not_of(" \t\f");
  if (comment == std::string_view::npos || line[comment] != '#') return {};
  for (size_t at = line.find("coding", comment); at != std::string_view::npos; at = line.find("coding", at + 1)) {
    size_t begin = at + std::strlen("coding");
    if (begin >= line.size() || (line[begin] != ':' && line[begin] != '=')) continue;
    begin = line.find_first_not_of(" \t", begin + 1);
    if (begin == std::string_view::npos) continue;
    size_t end = begin;
    const auto is_letter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    };
    while (end < line.size() && (is_letter(line[end]) || line[end] == '-' || line[end] == '_' || line[end] == '.'))
      ++end;
    if (end > begin) return line.substr(begin, end - begin);
  }
  return {};
}

std::string find_encoding(std::string_view bytes) {
  for (int i = 0; i < 2; ++i) {
    const size_t end = std::min(bytes.find_first_of("\r\n"), bytes.size());
    const std::string_view line = bytes.substr(0, end);
    if (const std::string_view name = declared_encoding(line); !name.empty()) return std::string(name);
    // The second line counts only when the first holds nothing but a comment.
    const size_t first = line.find_first_not_of(" \t\f");
    if (first != std::string_view::npos && line[first] != '#') break;
    const size_t skipped = bytes.substr(end).starts_with("\r\n") ? end + 2 : end + 1;
    if (skipped >= bytes.size()) break;
    bytes.remove_prefix(skipped);
  }
  return {};
}

bool is_utf8_name(std::string name) {
  for (char& c : name) c = c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return name.empty() || name == "utf-8" || name == "utf8" || name == "utf-8-sig" || name == "ascii" ||
         name == "us-ascii" || name.starts_with("utf-8-");
}

/// Python's names of encodings that iconv knows under another name.
std::string iconv_name(std::string name) {
  for (char& c : name) c = c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  if (name.starts_with("windows-")) return "cp" + name.substr(std::strlen("windows-"));
  if (name == "euckr") return "euc-kr";
  return name;
}

/// Whether an encoding has the line ends of ASCII at the same bytes, and nowhere else: a byte for each of them, which
/// is a part of no other character. By Python's names, in any case, with '-' or '_'.
bool keeps_lines(std::string name) {
  for (char& c : name) c = c == '-' || c == '.' ? '_' : c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  constexpr std::array<std::string_view, 25> kFamilies = {
      "latin", "iso8859", "iso_8859", "iso_latin", "iso_ir_1", "koi8_",  "mac",     "euc",       "shift",
      "sjis",  "s_jis",   "big5",     "gb2312",    "gb18030",  "gbk",    "tis",     "ks_c_5601", "ksc5601",
      "ks_x",  "ksx",     "ansi_x3",  "utf8_ucs",  "csiso8",   "csisol", "cyrillic"};
  constexpr std::array<std::string_view, 40> kNames = {
      "u8",     "utf",    "us",      "iso646_us", "iso_ir_6", "iso_ir_58", "iso_ir_226", "iso_celtic",
      "l1",     "l2",     "l3",      "l4",        "l5",       "l6",        "l7",         "l8",
      "l9",     "l10",    "r8",      "roman8",    "thai",     "greek",     "greek8",     "hebrew",
      "arabic", "korean", "chinese", "hkscs",     "ujis",     "u_jis",     "mskanji",    "ms_kanji",
      "uhc",    "johab",  "palmos",  "hp_roman8", "kz1048",   "kz_1048",   "rk1048",     "pt154"};
  constexpr std::array<std::string_view, 44> kPages = {
      // of IBM and of Windows
      "154",  "367",  "437",  "646",  "720",  "737",  "775",  "819",  "850",  "852",   "855",
      "856",  "857",  "858",  "860",  "861",  "862",  "863",  "864",  "865",  "866",   "866u",
      "869",  "874",  "932",  "936",  "949",  "950",  "1006", "1051", "1125", "1250",  "1251",
      "1252", "1253", "1254", "1255", "1256", "1257", "1258", "1361", "8859", "65001", "tcp154"};
  std::string_view page = name;
  for (std::string_view maker : {"cp", "ibm", "ms", "windows_", "p"})
    if (page.starts_with(maker)) page.remove_prefix(maker.size());
  auto holds = [](const auto& list, std::string_view one) {
    return std::find(list.begin(), list.end(), one) != list.end();
  };
  return holds(kNames, name) || holds(kPages, page) ||
         std::any_of(kFamilies.begin(), kFamilies.end(), [&](std::string_view one) { return name.starts_with(one); });
}

bool is_ascii(std::string_view bytes) {
  size_t at = 0;
  uint64_t seen = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    uint64_t eight;
    std::memcpy(&eight, bytes.data() + at, 8);
    seen |= eight;
  }
  for (; at < bytes.size(); ++at) seen |= static_cast<unsigned char>(bytes[at]);
  return (seen & 0x8080808080808080) == 0;
}

std::string valid_utf8(std::string_view bytes) {
  if (is_ascii(bytes)) return std::string(bytes);
  std::string text;
  text.reserve(bytes.size());
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (at < end) {
    const char* const start = at;
    if (static_cast<unsigned char>(*at) < 0x80) {
      while (at < end && static_cast<unsigned char>(*at) < 0x80) ++at;
    } else if (decode_utf8(at, end) == 0xFFFD && at == start + 1) {
      text += kReplacement;
      continue;
    }
    text.append(start, at);
  }
  return text;
}

bool is_latin1_name(std::string name) {
  for (char& c : name) c = c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return name == "latin-1" || name == "latin1" || name == "l1" || name == "iso-8859-1" || name == "iso8859-1" ||
         name.starts_with("latin-1-") || name.starts_with("iso-8859-1-") || name == "iso-latin-1";
}

std::string latin1_to_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const char byte : bytes) {
    const auto point = static_cast<unsigned char>(byte);
    if (point < 0x80) {
      text += byte;
    } else {
      text += static_cast<char>(0xC0 | point >> 6);
      text += static_cast<char>(0x80 | (point & 0x3F));
    }
  }
  return text;
}

SourceDecoder& source_decoder() {
  static SourceDecoder decoder;
  return decoder;
}

/// Converts with iconv; nothing when it does not know the encoding.
std::optional<std::string> converted(std::string_view bytes, const std::string& encoding) {
  const iconv_t conversion = iconv_open("UTF-8", encoding.c_str());
  if (conversion == reinterpret_cast<iconv_t>(-1)) return std::nullopt;
  std::string text(bytes.size() * 2 + 16, '\0');
  char* in = const_cast<char*>(bytes.data());
  size_t in_left = bytes.size();
  size_t used = 0;
  while (in_left > 0) {
    if (text.size() - used < 16) text.resize(text.size() * 2);
    char* out = text.data() + used;
    size_t out_left = text.size() - used;
    const size_t status = iconv(conversion, &in, &in_left, &out, &out_left);
    used = text.size() - out_left;
    if (status != static_cast<size_t>(-1) || errno == E2BIG) continue;
    text.resize(used);
    text += kReplacement;
    used = text.size();
    text.resize(used + in_left * 2 + 16);
    ++in;
    --in_left;
  }
  iconv_close(conversion);
  text.resize(used);
  return text;
}

void normalise_line_ends(std::string& text) {
  size_t out = text.find('\r');
  if (out == std::string::npos) return;
  for (size_t in = out; in < text.size(); ++in) {
    if (text[in] != '\r') {
      text[out++] = text[in];
    } else if (in + 1 == text.size() || text[in + 1] != '\n') {
      text[out++] = '\n';
    }
  }
  text.resize(out);
}

}  // namespace

std::string encoding_of_other_lines(std::string_view bytes) {
  if (bytes.starts_with(kByteOrderMark)) return "";
  std::string encoding = find_encoding(bytes);
  return is_utf8_name(encoding) || keeps_lines(encoding) ? "" : encoding;
}

void set_source_decoder(SourceDecoder decoder) { source_decoder() = std::move(decoder); }

std::string decode_source(std::string_view bytes) {
  const bool has_mark = bytes.starts_with(kByteOrderMark);
  if (has_mark) bytes.remove_prefix(kByteOrderMark.size());
  const std::string encoding = has_mark ? std::string() : find_encoding(bytes);
  std::optional<std::string> text;
  if (is_latin1_name(encoding))
    text = latin1_to_utf8(bytes);
  else if (!is_utf8_name(encoding))
    text = source_decoder() ? source_decoder()(bytes, encoding) : converted(bytes, iconv_name(encoding));
  if (!text) text = valid_utf8(bytes);
  normalise_line_ends(*text);
  if (!text->empty() && text->back() != '\n') text->push_back('\n');
  return std::move(*text);
}

}  // namespace qd::syntax
