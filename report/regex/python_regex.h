// Regular expressions with the meaning of Python's `re`, run by PCRE2.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace qd::report {

/// Error of a search that was given up: the pattern backtracks on this text, apparently without end.
struct RegexLimit : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class RegexMode {
  kPlain,      // re.search(pattern, text)
  kMultiline,  // with re.MULTILINE: ^ and $ match at every line
  kJoined,     // kMultiline for patterns that were joined: each was correct alone, and keeps its flags
  kPcre,       // the pattern is in PCRE2's notation
};

/// A compiled pattern. Immutable, and thread-safe. Each search throws RegexLimit when it takes seconds; a pattern whose
/// time grows linearly with the text never does.
class PythonRegex {
  struct Code;

 public:
  /// A text that is searched repeatedly, each time from another place. Refers to the pattern and to the text.
  class In {
   public:
    /// The byte offsets of the first match that begins at `from` or later, and not after `last_start`; none.
    std::optional<std::pair<size_t, size_t>> find(size_t from, size_t last_start) const;

   private:
    friend class PythonRegex;
    In(const Code& code, std::string_view text) : code_(code), text_(text) {}

    const Code& code_;
    std::string_view text_;
  };

  /// Throws std::runtime_error with the reason, in Python's words, when `pattern` is no regular expression.
  explicit PythonRegex(const std::string& pattern, RegexMode mode = RegexMode::kPlain);
  ~PythonRegex();
  PythonRegex(PythonRegex&&) noexcept;
  PythonRegex& operator=(PythonRegex&&) noexcept;

  bool search(std::string_view text) const;
  /// Reads the whole text once: do not call it in a loop.
  In in(std::string_view text) const { return {code_for(text), text}; }
  /// re.finditer: calls `found` with the byte offsets of every match.
  void find_all(std::string_view text, const std::function<void(size_t start, size_t end)>& found) const;

 private:
  const Code& code_for(std::string_view text) const;

  std::unique_ptr<const Code> code_;
  std::unique_ptr<const Code> exact_code_;  // for texts with separators, which \s matches
};

/// Throws std::runtime_error in Python's words, "nothing to repeat at position 0", when `pattern` is no regular
/// expression.
void check_regex(const std::string& pattern);

/// Text that every match of a pattern contains.
struct RequiredText {
  std::vector<std::string> literals;  // at least one of them; none: nothing is known
  /// Largest number of times that a match runs over blank lines, or to the next line, before it gets to the literal;
  /// none: it may run over lines of any kind.
  std::optional<int> blank_runs;
};
RequiredText required_text(const std::string& pattern);

}  // namespace qd::report
