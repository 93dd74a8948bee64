// Translation of groups in parentheses, and of references to groups.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "report/regex/python_text.h"
#include "report/regex/regex_translator.h"

namespace qd::report {
namespace {

bool is_identifier(std::u32string_view name) {
  return !name.empty() && !is_digit(name[0]) && std::all_of(name.begin(), name.end(), [](char32_t c) {
    return is_letter(c) || is_digit(c) || c == '_' || c >= 0x80;
  });
}

}  // namespace

std::optional<Width> Translator::group(Flags& flags, bool may_have_global_flags) {
  size_t start = in_.at++;
  if (!in_.match('?')) return capture(start, flags, {});
  in_.check_escape_at_end();
  char32_t c = in_.next();
  if (c == in_.kEnd) in_.fail("unexpected end of pattern", in_.at);
  if (c == '\\') in_.fail("unknown extension ?" + in_.slice(in_.at, in_.at + 2), in_.at - 1);
  ++in_.at;
  switch (c) {
    case 'P': return python_extension(start, flags);
    case ':': return rest(start, "(?:", flags);
    case '>': return rest(start, "(?>", flags);
    case '#':
      while (in_.next() != ')') {
        in_.check_escape_at_end();
        if (in_.next() == in_.kEnd) in_.fail("missing ), unterminated comment", start);
        in_.at += in_.token_length();
      }
      ++in_.at;
      return std::nullopt;
    case '=':
    case '!': rest(start, c == '=' ? "(?=" : "(?!", flags); return Width{};
    case '<': return lookbehind(start, flags);
    case '(': return conditional(start, flags);
    default:
      if (is_flag(c) || c == '-') return flag_group(start, c, flags, may_have_global_flags);
      in_.fail("unknown extension ?" + in_.slice(in_.at - 1, in_.at), in_.at - 2);
  }
}

void Translator::enter() {
  if (++depth_ > kMaxDepth) throw std::runtime_error("the expression is nested too deeply");
}

void Translator::leave(size_t start) {
  if (!in_.match(')')) in_.fail("missing ), unterminated subpattern", start);
  out_ += ')';
  --depth_;
}

/// Translates the content of a group that is opened with `opening`, and its end.
Width Translator::rest(size_t start, std::string_view opening, Flags flags) {
  enter();
  out_ += opening;
  Width width = alternatives(flags, false);
  leave(start);
  return width;
}

Width Translator::capture(size_t start, Flags flags, const std::string& name) {
  groups_.push_back({});
  size_t number = groups_.size();
  if (!name.empty()) {
    auto [known, added] = names_.try_emplace(name, number);
    if (!added && !options_.lenient)
      in_.fail(fmt::format("redefinition of group name {} as group {}; was group {}", python_repr(name), number,
                           known->second),
               name_start_);
  }
  Width width = rest(start, "(", flags);
  groups_[number - 1] = {false, width};
  return width;
}

Width Translator::python_extension(size_t start, const Flags& flags) {
  if (in_.match('<')) {
    std::string name = name_until('>');
    check_name(name);
    return capture(start, flags, name);
  }
  if (in_.match('=')) {
    std::string name = name_until(')');
    check_name(name);
    return reference(named_group(name), name_start_);
  }
  in_.check_escape_at_end();
  if (in_.next() == in_.kEnd) in_.fail("unexpected end of pattern", in_.at);
  in_.fail("unknown extension ?P" + in_.slice(in_.at, in_.at + in_.token_length()), in_.at - 2);
}

Width Translator::lookbehind(size_t start, const Flags& flags) {
  in_.check_escape_at_end();
  char32_t c = in_.next();
  if (c == in_.kEnd) in_.fail("unexpected end of pattern", in_.at);
  if (c != '=' && c != '!')
    in_.fail("unknown extension ?<" + in_.slice(in_.at, in_.at + in_.token_length()), in_.at - 2);
  ++in_.at;
  std::optional<size_t> outer = lookbehind_groups_;
  if (!outer) lookbehind_groups_ = groups_.size();
  Width width = rest(start, c == '=' ? "(?<=" : "(?<!", flags);
  lookbehind_groups_ = outer;
  if (width.low != width.high) variable_lookbehind_ = true;
  return {};
}

/// Translates (?(1)a|b).
Width Translator::conditional(size_t start, Flags& flags) {
  std::string name = name_until(')');
  size_t group = 0;
  if (is_identifier(decode_utf8(name))) {
    group = named_group(name);
  } else {
    if (!std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }) || name.size() > 9)
      in_.fail("bad character in group name " + python_repr(name), name_start_);
    group = std::stoul(name);
    if (group == 0) in_.fail("bad group number", name_start_);
    conditions_.try_emplace(group, name_start_);
  }
  check_lookbehind(group);
  out_ += fmt::format("(?({})", group);
  enter();
  Width width = sequence(flags, false);
  Width other;
  if (in_.match('|')) {
    out_ += '|';
    other = sequence(flags, false);
    if (in_.next() == '|') in_.fail("conditional backref with more than two branches", in_.at);
  }
  leave(start);
  return {std::min(width.low, other.low), std::max(width.high, other.high)};
}

/// Translates (?i) and (?i:...).
std::optional<Width> Translator::flag_group(size_t start, char32_t first, Flags& flags, bool may_be_global) {
  FlagGroup group = read_flags(in_, first);
  if (group.whole) {
    if (!may_be_global && !options_.lenient) in_.fail("global flags not at the start of the expression", start);
    group.apply(flags);
    std::string switched = group.in_pcre();
    if (!switched.empty()) out_ += "(?" + switched + ")";
    return std::nullopt;
  }
  Flags inner = flags;
  group.apply(inner);
  return rest(start, "(?" + group.in_pcre() + ":", inner);
}

void Translator::check_name(const std::string& name) const {
  if (!is_identifier(decode_utf8(name))) in_.fail("bad character in group name " + python_repr(name), name_start_);
}

size_t Translator::named_group(const std::string& name) const {
  auto found = names_.find(name);
  if (found == names_.end()) in_.fail("unknown group name " + python_repr(name), name_start_);
  return found->second;
}

void Translator::check_lookbehind(size_t group) const {
  if (!lookbehind_groups_) return;
  if (group > groups_.size() || groups_[group - 1].open) in_.fail("cannot refer to an open group", in_.at);
  if (group > *lookbehind_groups_) in_.fail("cannot refer to group defined in the same lookbehind subpattern", in_.at);
}

Width Translator::reference(size_t group, size_t position) {
  if (groups_[group - 1].open) in_.fail("cannot refer to an open group", position);
  check_lookbehind(group);
  out_ += fmt::format("\\g{{{}}}", group);
  return groups_[group - 1].width;
}

}  // namespace qd::report
