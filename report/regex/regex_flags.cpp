// Flags of a regular expression, at the places where Python allows them. Flags that change how an expression is written
// (a, u, x) are not passed on to PCRE2.
#include "report/regex/regex_flags.h"

namespace qd::report {
namespace {

bool has(const std::string& flags, char flag) { return flags.find(flag) != flags.npos; }

std::string known_to_pcre(const std::string& flags) {
  std::string result;
  for (char c : flags)
    if (is_one_of(static_cast<char32_t>(c), "ims") && !has(result, c)) result += c;
  return result;
}

}  // namespace

bool is_flag(char32_t c) { return is_one_of(c, "aiLmsux"); }

FlagGroup read_flags(PatternReader& in, char32_t first) {
  char32_t c = first;
  FlagGroup group;
  // Reads the next character, which is one of `expected`, or a flag.
  auto read = [&](std::string_view expected, const char* missing) {
    if (in.next() == in.kEnd) in.fail(missing, in.at);
    in.check_escape_at_end();
    size_t position = in.at;
    c = in.next();
    in.at += in.token_length();
    if (!is_one_of(c, expected) && !is_flag(c)) in.fail(is_letter(c) || c >= 0x80 ? "unknown flag" : missing, position);
  };
  while (c != '-' && c != ')' && c != ':') {
    if (c == 'L') in.fail("bad inline flags: cannot use 'L' flag with a str pattern", in.at);
    group.on += static_cast<char>(c);
    if (has(group.on, 'a') && has(group.on, 'u'))
      in.fail("bad inline flags: flags 'a', 'u' and 'L' are incompatible", in.at);
    read(")-:", "missing -, : or )");
  }
  if (c == ')') {
    group.whole = true;
    return group;
  }
  if (c == '-') {
    read("", "missing flag");
    while (c != ':') {
      if (is_one_of(c, "aLu")) in.fail("bad inline flags: cannot turn off flags 'a', 'u' and 'L'", in.at);
      group.off += static_cast<char>(c);
      read(":", "missing :");
    }
  }
  if (group.on.find_first_of(group.off) != group.on.npos)
    in.fail("bad inline flags: flag turned on and off", in.at - 1);
  return group;
}

void FlagGroup::apply(Flags& flags) const {
  if (has(on, 'x')) flags.verbose = true;
  if (has(off, 'x')) flags.verbose = false;
  if (has(on, 'a')) flags.ascii = true;
  if (has(on, 'u')) flags.ascii = false;
}

std::string FlagGroup::in_pcre() const {
  std::string result = known_to_pcre(on), without = known_to_pcre(off);
  if (!without.empty()) result += "-" + without;
  return result;
}

}  // namespace qd::report
