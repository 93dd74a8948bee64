// Sets of characters. No character of a set is copied as it is: PCRE2 sees [:alpha:] and escapes where Python sees
// characters.
#include "report/regex/pattern_reader.h"

#include <fmt/format.h>

#include <optional>

#include "report/regex/regex_escapes.h"

namespace qd::report {
namespace {

struct Member {
  std::optional<char32_t> character;
  std::string category;  // otherwise
};

Member read_member(PatternReader& in, bool ascii, bool exact_spaces) {
  if (in.next() != '\\') return {in[in.at++], {}};
  size_t start = in.at;
  char32_t c = in.next(1);
  in.at += 2;
  if (is_one_of(c, "dDsSwW")) return {std::nullopt, category(c, ascii, exact_spaces)};
  std::optional<char32_t> character = escaped_char(in, start, c, true);
  if (!character) in.fail("bad escape " + in.slice(start, in.at), start);
  return {character, {}};
}

void append_member(std::string& out, const Member& member) {
  if (!member.character)
    out += member.category;
  else if (!is_surrogate(*member.character))
    append_char(out, *member.character);
}

}  // namespace

void append_set(std::string& out, PatternReader& in, bool ascii, bool exact_spaces) {
  size_t start = in.at++, opening = out.size();
  out += '[';
  bool negated = in.match('^');
  if (negated) out += '^';
  auto check_end = [&] {
    in.check_escape_at_end();
    if (in.next() == in.kEnd) in.fail("unterminated character set", start);
  };
  // One token of Python's tokenizer, for an error.
  auto token = [&] { return in.slice(in.at, in.at + in.token_length()); };
  size_t first = in.at, content = out.size();
  for (;;) {
    check_end();
    if (in.next() == ']' && in.at != first) break;
    size_t low_length = in.token_length();
    std::string low_text = token();
    Member low = read_member(in, ascii, exact_spaces);
    check_end();
    if (in.next() != '-') {
      append_member(out, low);
      continue;
    }
    ++in.at;
    check_end();
    if (in.next() == ']') {
      append_member(out, low);
      out += "\\-";
      break;
    }
    size_t high_length = in.token_length();
    std::string high_text = token();
    Member high = read_member(in, ascii, exact_spaces);
    if (!low.character || !high.character || *high.character < *low.character)
      in.fail(fmt::format("bad character range {}-{}", low_text, high_text), in.at - low_length - 1 - high_length);
    char32_t from = *low.character, to = *high.character;
    if (is_surrogate(from)) from = 0xE000;
    if (is_surrogate(to)) to = 0xD7FF;
    if (from <= to) append_char(out, from), out += '-', append_char(out, to);
  }
  ++in.at;
  if (out.size() == content) {  // only surrogates, which no text has
    out.replace(opening, std::string::npos, negated ? "(?s:.)" : kNoCharacter);
    return;
  }
  out += ']';
}

}  // namespace qd::report
