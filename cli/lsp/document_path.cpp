// Document path. An address is a scheme, perhaps the name of a machine, and a path with escapes.
#include "cli/lsp/document_path.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>

#include "report/data/ascii.h"

namespace qd::cli {

namespace {

bool same_word(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, report::same_letter); }

/// Decodes percent escapes, such as "%20" for a blank; invalid ones stay.
std::string unescaped(std::string_view text) {
  std::string result;
  for (size_t at = 0; at < text.size(); ++at) {
    unsigned char value = 0;
    const char* digits = text.data() + at + 1;
    if (text[at] == '%' && at + 2 < text.size() && std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      result += static_cast<char>(value);
      at += 2;
    } else {
      result += text[at];
    }
  }
  return result;
}

}  // namespace

std::string document_path(const std::string& uri) {
  constexpr std::string_view kScheme = "file:";
  std::string_view rest = uri;
  if (!same_word(rest.substr(0, kScheme.size()), kScheme)) return "";
  rest.remove_prefix(kScheme.size());
  rest = rest.substr(0, rest.find_first_of("?#"));
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    const std::string_view machine = rest.substr(0, rest.find('/'));
    if (!machine.empty() && !same_word(machine, "localhost")) return "";
    rest.remove_prefix(machine.size());
  }
  std::string path = unescaped(rest);
  return path.starts_with('/') && path.find('\0') == std::string::npos ? path : "";
}

std::string canonical_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  if (path.empty() || error) return "";
  std::filesystem::path result = std::filesystem::weakly_canonical(absolute, error);
  return error ? path : result.string();
}

}  // namespace qd::cli
