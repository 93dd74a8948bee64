// Translation of sequences: characters, sets, escapes, anchors, and their repetitions.
#include "report/regex/regex_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "report/regex/pattern_reader.h"
#include "report/regex/regex_escapes.h"
#include "report/regex/regex_translator.h"

namespace qd::report {
namespace {

uint64_t product(uint64_t a, uint64_t b) { return a != 0 && b > kAnyNumber / a ? kAnyNumber : a * b; }

}  // namespace

void Width::operator+=(Width more) {
  low = std::min(low + more.low, kAnyNumber), high = std::min(high + more.high, kAnyNumber);
}

std::string Translator::translate() {
  Flags flags;
  alternatives(flags, true);
  if (in_.next() == ')') in_.fail("unbalanced parenthesis", in_.at);
  for (auto [group, position] : conditions_)
    if (group > groups_.size()) in_.fail(fmt::format("invalid group reference {}", group), position);
  if (variable_lookbehind_) throw std::runtime_error("look-behind requires fixed-width pattern");
  return std::move(out_);
}

Width Translator::alternatives(Flags& flags, bool may_have_global_flags) {
  Width width = sequence(flags, may_have_global_flags);
  while (in_.match('|')) {
    out_ += '|';
    Width other = sequence(flags, false);
    width = {std::min(width.low, other.low), std::max(width.high, other.high)};
  }
  return width;
}

Width Translator::sequence(Flags& flags, bool may_have_global_flags) {
  Width width, last;  // of all items before the last one, and of the last one
  Item item = Item::kNone;
  size_t item_start = 0;  // of its translation
  auto add = [&](Item kind, Width its_width) {
    width += last;
    last = its_width;
    item = kind;
  };
  auto add_char = [&](char32_t c) {
    ++in_.at;
    append_char(out_, c);
    add(Item::kOther, {1, 1});
  };
  for (;;) {
    in_.check_escape_at_end();
    char32_t c = in_.next();
    if (c == in_.kEnd || c == '|' || c == ')') break;
    if (pass_blank(flags)) continue;
    if (!is_one_of(c, "*+?{")) item_start = out_.size();
    if (is_one_of(c, "*+?{")) {
      if (repeat(item, item_start, in_.at, last))
        item = Item::kRepeat;
      else
        add_char(c);
    } else if (c == '(') {
      std::optional<Width> its_width = group(flags, may_have_global_flags && item == Item::kNone);
      if (its_width) add(Item::kOther, *its_width);
    } else if (c == '[') {
      append_set(out_, in_, flags.ascii, options_.exact_spaces);
      add(Item::kOther, {1, 1});
    } else if (c == '.') {
      ++in_.at;
      out_ += '.';
      add(Item::kOther, {1, 1});
    } else if (c == '^' || c == '$') {
      ++in_.at;
      out_ += static_cast<char>(c);
      add(Item::kAnchor, {});
    } else if (c == '\\') {
      Item kind = Item::kOther;
      Width its_width = escape(flags, kind);
      add(kind, its_width);
    } else {
      add_char(c);
    }
  }
  width += last;
  return width;
}

/// Takes a blank or a comment, if re.VERBOSE is set.
bool Translator::pass_blank(const Flags& flags) {
  if (!flags.verbose) return false;
  if (is_one_of(in_.next(), " \t\n\r\v\f")) {
    ++in_.at;
    return true;
  }
  if (in_.next() != '#') return false;
  for (; in_.next() != in_.kEnd && in_.next() != '\n'; in_.at += in_.token_length()) in_.check_escape_at_end();
  in_.match('\n');
  return true;
}

/// Translates a quantifier; the item's width becomes that of all its repetitions. False for a literal brace.
bool Translator::repeat(Item item, size_t item_start, size_t start, Width& width) {
  std::optional<std::pair<uint64_t, uint64_t>> times = read_repetition(in_);
  if (!times) return false;
  if (item == Item::kNone || item == Item::kAnchor) in_.fail("nothing to repeat", start);
  if (item == Item::kRepeat) in_.fail("multiple repeat", start);
  auto [low, high] = *times;
  if (lookbehind_groups_ && width.high == 0) {
    repeat_empty(item_start, low);
    return true;
  }
  if (low == 0 && high == 1)
    out_ += '?';
  else if (high == kAnyNumber)
    out_ += low == 0 ? "*" : low == 1 ? "+" : fmt::format("{{{},}}", low);
  else
    out_ += fmt::format("{{{},{}}}", low, high);
  if (in_.match('?'))
    out_ += '?';
  else if (in_.match('+'))
    out_ += '+';
  width = {product(width.low, low), product(width.high, high)};
  return true;
}

/// Translates a quantifier of an item that is always empty, such as `()` or `(?=a)`. In a look-behind PCRE2 takes no
/// such repetition: `(?<=a()*)`.
void Translator::repeat_empty(size_t item_start, uint64_t low) {
  const std::string text = out_.substr(item_start);
  const bool is_lazy = in_.match('?'), is_possessive = !is_lazy && in_.match('+');
  if (low > 0) return;
  out_.resize(item_start);
  out_ += is_lazy ? fmt::format("(?:|{})", text) : fmt::format("{}{}|)", is_possessive ? "(?>" : "(?:", text);
}

Width Translator::escape(const Flags& flags, Item& kind) {
  size_t start = in_.at;
  char32_t c = in_.next(1);
  in_.at += 2;
  switch (c) {
    case 'A':
    case 'Z':
      kind = Item::kAnchor;
      out_ += c == 'A' ? "\\A" : "\\z";
      return {};
    case 'b':
    case 'B':
      kind = Item::kAnchor;
      if (!flags.ascii)
        out_ += {'\\', static_cast<char>(c)};
      else if (c == 'b')
        out_ += "(?:(?<=[A-Za-z0-9_])(?![A-Za-z0-9_])|(?<![A-Za-z0-9_])(?=[A-Za-z0-9_]))";
      else
        out_ += "(?:(?<=[A-Za-z0-9_])(?=[A-Za-z0-9_])|(?<![A-Za-z0-9_])(?![A-Za-z0-9_]))";
      return {};
    case 'd':
    case 'D':
    case 's':
    case 'S':
    case 'w':
    case 'W':
      if (flags.ascii)
        out_ += "[" + category(c, true, false) + "]";
      else if (options_.exact_spaces && (c == 's' || c == 'S'))
        out_ += c == 's' ? R"([\s\x{1c}-\x{1f}])" : R"([^\s\x{1c}-\x{1f}])";
      else
        out_ += {'\\', static_cast<char>(c)};
      return {1, 1};
  }
  if (std::optional<char32_t> character = escaped_char(in_, start, c, false)) {
    append_char(out_, *character);
    return {1, 1};
  }
  if (!is_digit(c)) in_.fail("bad escape " + in_.slice(start, in_.at), start);
  if (is_digit(in_.next())) {
    char32_t second = in_[in_.at++], third = in_.next();
    if (is_octal(c) && is_octal(second) && is_octal(third)) {
      ++in_.at;
      append_char(out_, octal(in_, start, c, std::u32string{second, third}, true));
      return {1, 1};
    }
  }
  size_t group = std::stoul(in_.slice(start + 1, in_.at));
  if (group > groups_.size()) in_.fail(fmt::format("invalid group reference {}", group), start + 1);
  return reference(group, start);
}

std::string to_pcre(const std::string& pattern, const TranslateOptions& options) {
  return Translator(pattern, options).translate();
}

}  // namespace qd::report
