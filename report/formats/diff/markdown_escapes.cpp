// Markdown escapes of CommonMark 0.31, with GitHub's tables and links.
#include "report/formats/diff/markdown_escapes.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/formats/common/text.h"

namespace qd::report {

std::string markdown_code(std::string_view text) {
  std::string shown = displayed(text);
  size_t longest = 0, run = 0;
  for (char c : shown) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  std::string fence(longest + 1, '`');
  bool blanks =
      shown.empty() || shown.front() == '`' || shown.back() == '`' || (shown.front() == ' ' && shown.back() == ' ');
  return blanks ? fmt::format("{} {} {}", fence, shown, fence) : fence + shown + fence;
}

std::string markdown_cell_code(std::string_view text) {
  std::string code = markdown_code(text);
  // GitHub splits the cells of a table before it parses code.
  for (size_t at = 0; (at = code.find('|', at)) != std::string::npos; at += 2) code.insert(at, 1, '\\');
  return code;
}

std::string markdown_text(std::string_view text) {
  constexpr std::string_view kSpecial = "\\`*_[]|~";
  std::string result;
  const std::string shown = displayed(text);
  for (size_t i = 0; i < shown.size(); ++i) {
    char c = shown[i];
    if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '&')
      result += "&amp;";
    else if (c == '@')
      result += "@\xE2\x80\x8B";  // a zero-width space
    else if ((c == '.' && result.ends_with("www")) || (c == ':' && shown.compare(i, 3, "://") == 0))
      (result += '\\') += c;  // breaks an automatic link
    else if (kSpecial.find(c) != std::string_view::npos)
      (result += '\\') += c;
    else
      result += c;
  }
  return result;
}

std::string markdown_address(std::string_view address) {
  std::string result;
  for (char c : address) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte == 0x7f || std::string_view("()<>[]|\\`*_\"'@").find(c) != std::string_view::npos)
      result += fmt::format("%{:02X}", byte);
    else
      result += c;
  }
  return result;
}

std::string html_code(std::string_view text) { return fmt::format("<code>{}</code>", html_text(text)); }

}  // namespace qd::report
