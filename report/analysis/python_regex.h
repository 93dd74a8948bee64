// Regular expressions with the meaning of Python's `re`, run by PCRE2.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace qd::report {

enum class RegexMode {
  kPlain,      // re.search(pattern, text)
  kMultiline,  // with re.MULTILINE: ^ and $ match at every line
};

/// A compiled pattern. Immutable; may be used by several threads at once.
class PythonRegex {
 public:
  /// Throws std::runtime_error with the reason when `pattern` is no regular expression.
  explicit PythonRegex(const std::string& pattern, RegexMode mode = RegexMode::kPlain);
  ~PythonRegex();
  PythonRegex(PythonRegex&&) noexcept;
  PythonRegex& operator=(PythonRegex&&) noexcept;

  bool search(std::string_view text) const;
  /// re.finditer: calls `found` with the byte offsets of every match.
  void find_all(std::string_view text, const std::function<void(size_t start, size_t end)>& found) const;

 private:
  struct Code;
  std::unique_ptr<const Code> code_;
};

/// The pattern in PCRE2's notation where the two differ (\Z, \v, \uXXXX, {,n}).
std::string to_pcre(const std::string& pattern);

/// Strings of which a text must contain at least one for the pattern to match anywhere in it. Empty: nothing is known.
std::vector<std::string> required_literals(const std::string& pattern);

}  // namespace qd::report
