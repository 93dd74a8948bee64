// Diagnostics as text: file, line and column, the source line, a caret, and the calls that led there.
#include "runtime/frontend/constants/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace qd::frontend {
namespace {

// Blanks under the source line up to the caret: tabs stay tabs, a character of several bytes is one blank.
std::string blanks(std::string_view text) {
  std::string result;
  for (char c : text) {
    if ((c & 0xC0) != 0x80) result += c == '\t' ? '\t' : ' ';
  }
  return result;
}

constexpr size_t kLongestLine = 200, kBeforeCaret = 60;

/// A place in a line of reasonable length: of a long one, the part around the place.
struct Excerpt {
  std::string line;
  size_t col, end;
};

Excerpt excerpt(std::string_view line, size_t col, size_t end) {
  if (line.size() <= kLongestLine) return {std::string(line), col, end};
  auto whole = [&](size_t at) {  // not inside of a character of several bytes
    while (at > 0 && at < line.size() && (line[at] & 0xC0) == 0x80) --at;
    return at;
  };
  const size_t from = whole(col > kBeforeCaret ? col - kBeforeCaret : 0),
               to = whole(std::min(from + kLongestLine, line.size()));
  std::string text = from > 0 ? "..." : "";
  const size_t shift = from - text.size();  // wraps, as it is subtracted again
  text += line.substr(from, to - from);
  if (to < line.size()) text += "...";
  return {std::move(text), col - shift, std::min(end, to) - shift};
}

std::string text_of(const Diagnostic& d, bool with_kind) {
  std::string text = fmt::format("{}:{}:{}: {}{}{} (in {})", d.file, d.line, d.col + 1, with_kind ? name(d.kind) : "",
                                 with_kind ? ": " : "", d.message, d.function);
  if (!d.source_line.empty()) {
    const size_t begins = std::min<size_t>(d.col, d.source_line.size());
    const auto [whole_line, col, end] =
        excerpt(d.source_line, begins, std::clamp<size_t>(d.end_col, begins, d.source_line.size()));
    std::string_view line = whole_line;
    size_t width = std::max<size_t>(blanks(line.substr(col, end - col)).size(), 1);
    text += fmt::format("\n    {}\n    {}{}", line, blanks(line.substr(0, col)), std::string(width, '^'));
  }
  for (const std::string& call : d.calls) text += fmt::format("\n  called from {}", call);
  return text;
}

std::string text_of(const std::vector<Diagnostic>& list, std::optional<ErrorKind> known = {}) {
  std::string text;
  for (const Diagnostic& d : list) {
    if (!text.empty()) text += '\n';
    text += text_of(d, d.kind != known);
  }
  return text;
}

/// Whether the other places with this error in its function have the same cause: a name, or None in the place of a
/// value.
bool told_once(const Diagnostic& d) { return d.kind == ErrorKind::Name || d.message.starts_with("None "); }

}  // namespace

std::string source_line(const std::string& source, int32_t line) {
  size_t begin = 0;
  for (int32_t i = 1; i < line; ++i) {
    begin = source.find('\n', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  return source.substr(begin, source.find('\n', begin) - begin);
}

std::string counted(int64_t count, std::string_view what) {
  if (count == 1) return fmt::format("1 {}", what);
  if (what == "axis") return fmt::format("{} axes", count);
  if (what == "index") return fmt::format("{} indices", count);
  return fmt::format("{} {}s", count, what);
}

std::string counted_are(int64_t count, std::string_view what) {
  return fmt::format("{} {}", counted(count, what), count == 1 ? "is" : "are");
}

std::string_view name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Compilation: return "KernelCompilationError";
    case ErrorKind::Syntax: return "KernelSyntaxError";
    case ErrorKind::Type: return "KernelTypeError";
    case ErrorKind::Name: return "KernelNameError";
    case ErrorKind::Index: return "KernelIndexError";
  }
  return {};
}

Diagnostic diagnostic_at(const FunctionSource& source, ErrorKind kind, const syntax::Range& range,
                         std::string message) {
  Diagnostic d;
  d.kind = kind;
  d.message = std::move(message);
  d.file = source.file;
  if (source.def) d.function = source.function().name;
  d.line = range.line + source.line_offset;
  d.col = range.col;
  d.source_line = source_line(source.module->source, range.line);
  d.end_col = range.end_line == range.line ? range.end_col : static_cast<int32_t>(d.source_line.size());
  return d;
}

void Diagnostics::add(Diagnostic diagnostic, const syntax::Range& order) {
  ++seen_;
  bool known = std::ranges::any_of(list_, [&](const Entry& entry) {
    const Diagnostic& d = entry.diagnostic;
    if (d.message != diagnostic.message || d.file != diagnostic.file) return false;
    return (d.line == diagnostic.line && d.col == diagnostic.col) ||
           (told_once(d) && d.function == diagnostic.function);
  });
  if (!known) list_.push_back({std::move(diagnostic), {order.line, order.col, list_.size()}});
}

void Diagnostics::throw_if_any() {
  if (list_.empty()) return;
  std::ranges::sort(list_, {}, &Entry::order);
  std::vector<Diagnostic> sorted;
  for (Entry& entry : list_) sorted.push_back(std::move(entry.diagnostic));
  throw KernelCompilationError(std::move(sorted));
}

KernelCompilationError::KernelCompilationError(std::vector<Diagnostic> list)
    : std::runtime_error(text_of(list)), diagnostics(std::move(list)) {}

std::string meant(const std::string& near) { return near.empty() ? "" : fmt::format("; did you mean `{}`?", near); }

std::string text_behind_kind(const KernelCompilationError& error) {
  return error.diagnostics.empty() ? error.what() : text_of(error.diagnostics, error.diagnostics.front().kind);
}

KernelCompilationError syntax_error(const syntax::SyntaxError& error, const std::string& file) {
  Diagnostic diagnostic;
  diagnostic.kind = ErrorKind::Syntax;
  diagnostic.message = error.message;
  diagnostic.file = file;
  diagnostic.line = error.line;
  diagnostic.col = error.col;
  diagnostic.end_col = error.col + 1;
  return KernelCompilationError({diagnostic});
}

}  // namespace qd::frontend
