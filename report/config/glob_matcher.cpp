// File patterns: translated to regular expressions by coverage.py's table of tokens, matched by PCRE2.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "report/config/glob_matcher.h"

#include <fmt/format.h>
#include <pcre2.h>

#include <filesystem>
#include <optional>

#include "report/config/config.h"

namespace qd::report {

namespace {

struct FreeCode {
  void operator()(pcre2_code* code) const { pcre2_code_free(code); }
};
using Code = std::unique_ptr<pcre2_code, FreeCode>;

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-';
}

size_t count_stars(std::string_view text) { return std::min(text.find_first_not_of('*'), text.size()); }

/// First token of `rest`: its length in characters, and its regular expression; nothing for characters that a pattern
/// can't include.
struct Token {
  size_t length;
  std::optional<std::string> regex;
};

// The tests have the order of coverage.py's tokens.
Token next_token(std::string_view rest, bool at_start) {
  size_t stars = count_stars(rest);
  if (stars >= 3) return {stars, std::nullopt};
  if (rest[0] != '/') {  // x**
    size_t slash = std::min(rest.find('/'), rest.size());
    size_t last = rest.substr(0, slash).rfind("**");
    if (last != std::string_view::npos && last > 0) {
      return {last + 2, std::nullopt};
    }
  }
  if (stars == 2 && rest.size() > 2 && rest[2] != '/') {  // **x
    return {std::min(rest.find('/'), rest.size()), std::nullopt};
  }
  if (rest.starts_with("**/**")) return {5, std::nullopt};
  if (at_start && stars > 0 && rest.size() > stars && rest[stars] == '/') return {stars + 1, R"((.*[/\\])?)"};
  if (rest[0] == '/' && rest.size() > 1 && count_stars(rest.substr(1)) == rest.size() - 1)
    return {rest.size(), R"([/\\].*)"};
  if (rest.starts_with("**/")) return {3, R"((.*[/\\])?)"};
  if (rest[0] == '/') return {1, R"([/\\])"};
  if (rest[0] == '*') return {1, R"([^/\\]*)"};
  if (rest[0] == '?') return {1, R"([^/\\])"};
  if (rest[0] == '[') {
    size_t close = rest.find(']');
    size_t newline = rest.find('\n');
    if (close != std::string_view::npos && close < newline) return {close + 1, std::string(rest.substr(0, close + 1))};
    return {1, std::nullopt};
  }
  size_t word = 0;
  while (word < rest.size() && is_word(rest[word])) ++word;
  if (word > 0) return {word, std::string(rest.substr(0, word))};
  if (rest[0] == ']') return {1, std::nullopt};
  // Bytes above 127 are parts of a letter and match themselves.
  if (static_cast<unsigned char>(rest[0]) >= 0x80) return {1, std::string(1, rest[0])};
  return {1, std::string("\\") + rest[0]};
}

std::string glob_to_regex(std::string pattern) {
  for (char& c : pattern)
    if (c == '\\') c = '/';
  if (pattern.find('/') == std::string::npos) pattern.insert(0, "**/");
  std::string regex;
  for (size_t position = 0; position < pattern.size();) {
    Token token = next_token(std::string_view(pattern).substr(position), position == 0);
    if (!token.regex)
      throw ConfigError(fmt::format("File pattern can't include '{}'", pattern.substr(position, token.length)));
    regex += *token.regex;
    position += token.length;
  }
  return regex;
}

}  // namespace

struct GlobMatcher::Patterns {
  Code code;         // null: no patterns
  std::string text;  // for messages
};

GlobMatcher::GlobMatcher(const std::vector<std::string>& patterns, GlobMode mode) {
  std::string regex;
  for (const std::string& pattern : patterns) regex += (regex.empty() ? "(?:" : "|(?:") + glob_to_regex(pattern) + ")";
  auto compiled = std::make_unique<Patterns>();
  compiled->text = fmt::format("{}", fmt::join(patterns, "', '"));
  if (!regex.empty()) {
    if (mode == GlobMode::kWhole) regex = "(?:" + regex + R"()\z)";
    uint32_t flags = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_ANCHORED;
    if (mode == GlobMode::kPrefix) flags |= PCRE2_CASELESS;
    int error = 0;
    size_t offset = 0;
    compiled->code.reset(
        pcre2_compile(reinterpret_cast<PCRE2_SPTR>(regex.data()), regex.size(), flags, &error, &offset, nullptr));
    if (!compiled->code) throw ConfigError(fmt::format("File patterns can't be used: '{}'", compiled->text));
    pcre2_jit_compile(compiled->code.get(), PCRE2_JIT_COMPLETE);
  }
  patterns_ = std::move(compiled);
}

GlobMatcher::~GlobMatcher() = default;
GlobMatcher::GlobMatcher(GlobMatcher&&) noexcept = default;
GlobMatcher& GlobMatcher::operator=(GlobMatcher&&) noexcept = default;

bool GlobMatcher::empty() const { return !patterns_->code; }

size_t GlobMatcher::match_length(std::string_view path) const {
  const pcre2_code* code = patterns_->code.get();
  if (!code) return std::string_view::npos;
  std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> found(
      pcre2_match_data_create_from_pattern(code, nullptr), pcre2_match_data_free);
  auto match = [&](uint32_t options) {
    return pcre2_match(code, reinterpret_cast<PCRE2_SPTR>(path.data()), path.size(), 0, options, found.get(), nullptr);
  };
  int rc = match(0);
  if (rc == PCRE2_ERROR_JIT_STACKLIMIT) rc = match(PCRE2_NO_JIT);
  if (rc == PCRE2_ERROR_NOMATCH) return std::string_view::npos;
  if (rc < 0)  // an error, which must not count as "no match": the file would be left out unnoticed
    throw ConfigError(fmt::format("File patterns '{}' backtrack without end on '{}'", patterns_->text, path));
  return pcre2_get_ovector_pointer(found.get())[1];
}

std::vector<std::string> prepare_patterns(const std::vector<std::string>& patterns) {
  std::vector<std::string> prepared;
  for (const std::string& pattern : patterns) {
    prepared.push_back(pattern);
    if (!pattern.starts_with('*') && !pattern.starts_with('?')) prepared.push_back(absolute_path(pattern));
  }
  return prepared;
}

std::string absolute_path(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (path.empty()) return fs::current_path().string();
  fs::path result = fs::weakly_canonical(fs::absolute(path), error);
  if (error) result = fs::absolute(path).lexically_normal();
  // A dangling link resolves to its target, as in Python's realpath().
  std::error_code no_link;
  for (int links = 0; !error && links < 40; ++links) {
    fs::path target = fs::read_symlink(result, no_link);
    if (no_link) break;
    result = fs::weakly_canonical(result.parent_path() / target, no_link);
  }
  std::string text = result.string();
  if (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

}  // namespace qd::report
