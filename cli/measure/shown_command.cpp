// The measured command as reports show it.
#include <algorithm>
#include <string_view>

#include "cli/measure/measured_command.h"

namespace qd::cli {

namespace {

bool is_plain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("_-./=:,@%+").find(c) != std::string_view::npos || static_cast<unsigned char>(c) >= 0x80;
}

std::string quoted(const std::string& word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string result = "'";
  for (char c : word) {
    if (c == '\'')
      result += "'\\''";
    else
      result += c == '\n' ? ' ' : c;
  }
  return result + "'";
}

/// Whether a word is an option that is named for a secret: "--token", "--db-password=x".
bool names_secret(std::string word) {
  if (!word.starts_with('-')) return false;
  word.erase(std::min(word.find('='), word.size()));
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const char* name : {"token", "password", "passwd", "secret", "api-key", "apikey", "api_key", "credential"})
    if (word.find(name) != std::string::npos) return true;
  return false;
}

}  // namespace

std::string shown_command(const std::vector<std::string>& words, bool as_module) {
  std::string result = as_module ? "-m" : "";
  bool secret = false;  // the word before was the name of one
  for (const std::string& word : words) {
    result += result.empty() ? "" : " ";
    const size_t equals = word.find('=');
    if (secret && !word.starts_with('-'))
      result += "…";
    else if (names_secret(word) && equals != std::string::npos)
      result += quoted(word.substr(0, equals)) + "=…";
    else
      result += quoted(word);
    secret = names_secret(word) && equals == std::string::npos;
  }
  return result;
}

}  // namespace qd::cli
