// Matching with PCRE2's just-in-time compiler.
#define PCRE2_CODE_UNIT_WIDTH 8
#include "report/regex/python_regex.h"

#include <fmt/core.h>
#include <pcre2.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <stdexcept>

#include "report/regex/python_text.h"
#include "report/regex/regex_parser.h"

namespace qd::report {

namespace {

template <auto Free>
struct Freed {
  template <typename T>
  void operator()(T* p) const {
    Free(p);
  }
};

/// Match state of a thread, for any pattern: room for the result, and a stack that is large enough for patterns that
/// backtrack much.
struct Matcher {
  std::unique_ptr<pcre2_match_data, Freed<pcre2_match_data_free>> result{pcre2_match_data_create(1, nullptr)};
  std::unique_ptr<pcre2_jit_stack, Freed<pcre2_jit_stack_free>> stack{
      pcre2_jit_stack_create(32 << 10, 64 << 20, nullptr)};
  std::unique_ptr<pcre2_match_context, Freed<pcre2_match_context_free>> context{pcre2_match_context_create(nullptr)};

  Matcher() {
    pcre2_jit_stack_assign(context.get(), nullptr, stack.get());
    pcre2_set_heap_limit(context.get(), 1 << 20);  // KiB, of the interpreter
  }
};

/// PCRE2's match limit for a search of `size` bytes, which bounds backtracking. Python has no limit.
uint32_t match_limit(size_t size) {
  constexpr uint64_t kAlways = 100'000'000, kForByte = 1000;
  return static_cast<uint32_t>(std::min<uint64_t>(kAlways + kForByte * size, UINT32_MAX));
}

Matcher& this_threads_matcher() {
  thread_local Matcher matcher;
  return matcher;
}

}  // namespace

struct PythonRegex::Code {
  std::unique_ptr<pcre2_code, Freed<pcre2_code_free>> code;

  /// Searches for a match from `from` on; false when there is none. The offsets are then in the thread's result.
  bool match(std::string_view text, size_t from, uint32_t options, size_t last_start = PCRE2_UNSET) const {
    Matcher& matcher = this_threads_matcher();
    pcre2_set_offset_limit(matcher.context.get(), last_start);
    pcre2_set_match_limit(matcher.context.get(), match_limit(text.size() - from));
    auto subject = reinterpret_cast<PCRE2_SPTR>(text.data());
    int rc = pcre2_match(code.get(), subject, text.size(), from, options, matcher.result.get(), matcher.context.get());
    if (rc == PCRE2_ERROR_JIT_STACKLIMIT)
      rc = pcre2_match(code.get(), subject, text.size(), from, options | PCRE2_NO_JIT, matcher.result.get(),
                       matcher.context.get());
    if (rc < 0 && rc != PCRE2_ERROR_NOMATCH) throw RegexLimit("the search takes too long");
    return rc >= 0;
  }
};

namespace {

auto compiled(const std::string& translated, RegexMode mode) {
  uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_USE_OFFSET_LIMIT;
  if (mode == RegexMode::kMultiline || mode == RegexMode::kJoined) options |= PCRE2_MULTILINE | PCRE2_ALT_CIRCUMFLEX;
  std::unique_ptr<pcre2_compile_context, Freed<pcre2_compile_context_free>> context{
      pcre2_compile_context_create(nullptr)};
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  int error = 0;
  PCRE2_SIZE offset = 0;
  std::unique_ptr<pcre2_code, Freed<pcre2_code_free>> code;
  code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated.data()), translated.size(), options, &error, &offset,
                           context.get()));
  if (!code) {  // one of PCRE2's limits
    char reason[256] = "";
    pcre2_get_error_message(error, reinterpret_cast<PCRE2_UCHAR*>(reason), sizeof reason);
    throw std::runtime_error(fmt::format("Invalid regular expression {}: {}", python_repr(translated), reason));
  }
  pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);  // without it, pcre2_match interprets
  return code;
}

constexpr char kSeparators[] = {0x1c, 0x1d, 0x1e, 0x1f};

bool has_separators(std::string_view text) {
  return std::any_of(std::begin(kSeparators), std::end(kSeparators),
                     [&](char c) { return std::memchr(text.data(), c, text.size()) != nullptr; });
}

}  // namespace

PythonRegex::PythonRegex(const std::string& pattern, RegexMode mode) {
  TranslateOptions options;
  options.lenient = mode == RegexMode::kJoined;
  std::string translated = mode == RegexMode::kPcre ? pattern : to_pcre(pattern, options);
  code_.reset(new Code{compiled(translated, mode)});
  if (mode == RegexMode::kPcre) return;
  options.exact_spaces = true;
  std::string exact = to_pcre(pattern, options);
  if (exact != translated) exact_code_.reset(new Code{compiled(exact, mode)});
}

PythonRegex::~PythonRegex() = default;
PythonRegex::PythonRegex(PythonRegex&&) noexcept = default;
PythonRegex& PythonRegex::operator=(PythonRegex&&) noexcept = default;

const PythonRegex::Code& PythonRegex::code_for(std::string_view text) const {
  return exact_code_ && has_separators(text) ? *exact_code_ : *code_;
}

bool PythonRegex::search(std::string_view text) const { return code_for(text).match(text, 0, 0); }

void check_regex(const std::string& pattern) { to_pcre(pattern); }

std::optional<std::pair<size_t, size_t>> PythonRegex::In::find(size_t from, size_t last_start) const {
  if (!code_.match(text_, from, 0, last_start)) return std::nullopt;
  const PCRE2_SIZE* offsets = pcre2_get_ovector_pointer(this_threads_matcher().result.get());
  return std::pair(offsets[0], offsets[1]);
}

void PythonRegex::find_all(std::string_view text, const std::function<void(size_t start, size_t end)>& found) const {
  const Code& code = code_for(text);
  uint32_t options = 0;
  for (size_t from = 0; from <= text.size() && code.match(text, from, options);) {
    const PCRE2_SIZE* offsets = pcre2_get_ovector_pointer(this_threads_matcher().result.get());
    size_t start = offsets[0], end = offsets[1];
    found(start, end);
    // Python's rule: after an empty match, the next one may start here but must not be empty.
    options = start == end ? PCRE2_NOTEMPTY_ATSTART : 0;
    from = end;
  }
}

}  // namespace qd::report
