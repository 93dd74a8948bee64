// Recursive descent over code points, emitting as it goes. Every item is emitted as one atom, so that what quantifies it binds as in Python.
#include "report/regex/regex_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "report/regex/python_text.h"

namespace qd::report {

namespace {

constexpr char32_t kEnd = 0xFFFFFFFF;
constexpr uint64_t kWide = 1ULL << 40;  // any number of characters

bool is_one_of(char32_t c, std::string_view set) { return c < 0x80 && set.find(static_cast<char>(c)) != set.npos; }
bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
bool is_octal(char32_t c) { return c >= '0' && c <= '7'; }
bool is_hex(char32_t c) { return is_digit(c) || is_one_of(c, "abcdefABCDEF"); }
bool is_letter(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_surrogate(char32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

bool is_identifier(std::u32string_view name) {
  return !name.empty() && !is_digit(name[0]) && std::all_of(name.begin(), name.end(), [](char32_t c) { return is_letter(c) || is_digit(c) || c == '_' || c >= 0x80; });
}

/// What \d, \s, \w stand for in a set, and their opposites; by re.ASCII or not.
std::string category(char32_t letter, bool ascii, bool exact_spaces) {
  if (!ascii) return letter == 's' && exact_spaces ? R"(\s\x{1c}-\x{1f})" : std::string{'\\', static_cast<char>(letter)};
  switch (letter) {
    case 'd':
      return "0-9";
    case 'D':
      return R"(\x{0}-\/:-\x{10ffff})";
    case 's':
      return R"(\t-\r\x{20})";
    case 'S':
      return R"(\x{0}-\x{8}\x{e}-\x{1f}!-\x{10ffff})";
    case 'w':
      return "A-Za-z0-9_";
    default:
      return R"(\x{0}-\/:-@\[-\^`{-\x{10ffff})";
  }
}

uint64_t product(uint64_t a, uint64_t b) { return a != 0 && b > kWide / a ? kWide : a * b; }

/// How many characters something matches.
struct Width {
  uint64_t low = 0, high = 0;
  void operator+=(Width more) { low = std::min(low + more.low, kWide), high = std::min(high + more.high, kWide); }
};

class Translator {
 public:
  Translator(const std::string& pattern, const TranslateOptions& options) : text_(decode_utf8(pattern)), options_(options) {}

  std::string translate() {
    Flags flags;
    alternatives(flags, true);
    if (next() == ')') fail("unbalanced parenthesis", at_);
    for (auto [group, position] : conditions_)
      if (group > groups_.size()) fail(fmt::format("invalid group reference {}", group), position);
    if (variable_lookbehind_) throw std::runtime_error("look-behind requires fixed-width pattern");
    return std::move(out_);
  }

 private:
  struct Flags {
    bool verbose = false, ascii = false;
  };
  struct Group {
    bool open = true;
    Width width;
  };
  enum class Item { kNone, kAnchor, kRepeat, kOther };

  char32_t next(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : kEnd; }
  bool match(char32_t c) { return next() == c && (++at_, true); }
  std::string slice(size_t start, size_t end) const { return encode_utf8(std::u32string_view(text_).substr(start, end - start)); }

  [[noreturn]] void fail(const std::string& reason, size_t position) const {
    std::string place = fmt::format("{} at position {}", reason, position);
    if (text_.find('\n') != text_.npos) {
      auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(position, text_.size()));
      auto line_start = std::find(std::make_reverse_iterator(end), text_.rend(), U'\n').base();
      place += fmt::format(" (line {}, column {})", std::count(text_.begin(), end, U'\n') + 1, end - line_start + 1);
    }
    throw std::runtime_error(place);
  }
  /// Where Python's tokenizer is, for which a backslash and what follows is one.
  void check_escape_at_end() const {
    if (next() == '\\' && at_ + 1 == text_.size()) fail("bad escape (end of pattern)", at_);
  }

  void emit_char(char32_t c) {
    if (is_surrogate(c)) out_ += "(?!)";
    else if (c < 0x20 || c == 0x7F) out_ += fmt::format("\\x{{{:x}}}", static_cast<uint32_t>(c));
    else if (c < 0x80 && !is_letter(c) && !is_digit(c) && c != '_' && c != ' ') out_ += {'\\', static_cast<char>(c)};
    else out_ += encode_utf8(std::u32string_view(&c, 1));
  }

  // --- a|b|c up to a parenthesis or the end

  Width alternatives(Flags& flags, bool outermost) {
    Width width = sequence(flags, outermost);
    while (match('|')) {
      out_ += '|';
      Width other = sequence(flags, false);
      width = {std::min(width.low, other.low), std::max(width.high, other.high)};
    }
    return width;
  }

  Width sequence(Flags& flags, bool may_have_global_flags) {
    Width width, before, last;  // `before` the last item
    Item item = Item::kNone;
    auto add = [&](Item kind, Width its_width) {
      before = width;
      width += its_width;
      last = its_width;
      item = kind;
    };
    for (;;) {
      check_escape_at_end();
      char32_t c = next();
      if (c == kEnd || c == '|' || c == ')') return width;
      size_t start = at_;
      if (flags.verbose && is_one_of(c, " \t\n\r\v\f")) {
        ++at_;
        continue;
      }
      if (flags.verbose && c == '#') {
        for (; next() != kEnd && next() != '\n'; at_ += next() == '\\' ? 2 : 1) check_escape_at_end();
        match('\n');
        continue;
      }
      if (is_one_of(c, "*+?{")) {
        std::optional<std::pair<uint64_t, uint64_t>> times = repetition();
        if (times) {
          if (item == Item::kNone || item == Item::kAnchor) fail("nothing to repeat", start);
          if (item == Item::kRepeat) fail("multiple repeat", start);
          auto [low, high] = *times;
          if (low == 0 && high == 1) out_ += '?';
          else if (high == kWide) out_ += low == 0 ? "*" : low == 1 ? "+" : fmt::format("{{{},}}", low);
          else out_ += fmt::format("{{{},{}}}", low, high);
          if (match('?')) out_ += '?';
          else if (match('+')) out_ += '+';
          width = before;
          width += {product(last.low, low), product(last.high, high)};
          item = Item::kRepeat;
          continue;
        }
        ++at_;
        emit_char(c);
        add(Item::kOther, {1, 1});
        continue;
      }
      if (c == '(') {
        std::optional<Width> its_width = group(flags, may_have_global_flags && item == Item::kNone);
        if (its_width) add(Item::kOther, *its_width);
      } else if (c == '[') {
        set(flags);
        add(Item::kOther, {1, 1});
      } else if (c == '.') {
        ++at_;
        out_ += '.';
        add(Item::kOther, {1, 1});
      } else if (c == '^' || c == '$') {
        ++at_;
        out_ += static_cast<char>(c);
        add(Item::kAnchor, {});
      } else if (c == '\\') {
        Item kind = Item::kOther;
        Width its_width = escape(flags, kind);
        add(kind, its_width);
      } else {
        ++at_;
        emit_char(c);
        add(Item::kOther, {1, 1});
      }
    }
  }

  /// The numbers of "*", "+", "?" or "{2,3}"; nothing when a brace is only a brace.
  std::optional<std::pair<uint64_t, uint64_t>> repetition() {
    char32_t c = next();
    if (c != '{') {
      ++at_;
      return std::pair<uint64_t, uint64_t>{c == '+' ? 1 : 0, c == '?' ? 1 : kWide};
    }
    size_t start = at_++;
    auto digits = [&] {
      size_t first = at_;
      while (is_digit(next())) ++at_;
      return slice(first, at_);
    };
    std::string low, high;
    bool literal = next() == '}';
    if (!literal) {
      low = digits();
      high = match(',') ? digits() : low;
      literal = !match('}');
    }
    if (literal) {
      at_ = start;
      return std::nullopt;
    }
    auto number = [&](const std::string& text, uint64_t otherwise) {
      if (text.empty()) return otherwise;
      if (text.size() > 9) throw std::runtime_error("the repetition number is too large");
      return static_cast<uint64_t>(std::stoul(text));
    };
    std::pair<uint64_t, uint64_t> result{number(low, 0), number(high, kWide)};
    if (result.second < result.first) fail("min repeat greater than max repeat", start + 1);
    return result;
  }

  // --- (...)

  /// The width of a group; nothing for what is no item: comments and flags of the whole expression.
  std::optional<Width> group(Flags& flags, bool may_have_global_flags) {
    size_t start = at_++;
    if (!match('?')) return capture(start, flags, {});
    check_escape_at_end();
    char32_t c = next();
    if (c == kEnd) fail("unexpected end of pattern", at_);
    if (c == '\\') fail("unknown extension ?" + slice(at_, at_ + 2), at_ - 1);
    ++at_;
    switch (c) {
      case 'P':
        return python_extension(start, flags);
      case ':':
        return rest(start, "(?:", flags);
      case '>':
        return rest(start, "(?>", flags);
      case '#':
        while (next() != ')') {
          check_escape_at_end();
          if (next() == kEnd) fail("missing ), unterminated comment", start);
          at_ += next() == '\\' ? 2 : 1;
        }
        ++at_;
        return std::nullopt;
      case '=':
      case '!':
        rest(start, c == '=' ? "(?=" : "(?!", flags);
        return Width{};
      case '<':
        return lookbehind(start, flags);
      case '(':
        return conditional(start, flags);
      default:
        if (is_one_of(c, "aiLmsux-")) return flag_group(start, c, flags, may_have_global_flags);
        fail("unknown extension ?" + encode_utf8(std::u32string_view(&c, 1)), at_ - 2);
    }
  }

  /// The inside of a group that was opened with `opening`, and its end.
  Width rest(size_t start, std::string_view opening, Flags flags) {
    if (++depth_ > kMaxDepth) throw std::runtime_error("the expression is nested too deeply");
    out_ += opening;
    Width width = alternatives(flags, false);
    check_escape_at_end();
    if (!match(')')) fail("missing ), unterminated subpattern", start);
    out_ += ')';
    --depth_;
    return width;
  }

  Width capture(size_t start, Flags flags, const std::string& name) {
    groups_.push_back({});
    size_t number = groups_.size();
    if (!name.empty()) {
      auto [known, added] = names_.try_emplace(name, number);
      if (!added && !options_.lenient)
        fail(fmt::format("redefinition of group name {} as group {}; was group {}", python_repr(name), number, known->second), name_start_);
    }
    Width width = rest(start, "(", flags);
    groups_[number - 1] = {false, width};
    return width;
  }

  /// What stands before `terminator`, which is passed.
  std::string name_until(char32_t terminator) {
    name_start_ = at_;
    std::u32string name;
    for (;; ++at_) {
      check_escape_at_end();
      if (next() == kEnd) {
        if (name.empty()) fail("missing group name", at_);
        fail(fmt::format("missing {}, unterminated name", static_cast<char>(terminator)), name_start_);
      }
      if (next() == terminator) break;
      name += next();
      if (next() == '\\') name += next(1), ++at_;
    }
    if (name.empty()) fail("missing group name", at_);
    ++at_;
    return encode_utf8(name);
  }

  void check_name(const std::string& name) const {
    if (!is_identifier(decode_utf8(name))) fail("bad character in group name " + python_repr(name), name_start_);
  }

  size_t named_group(const std::string& name) const {
    auto found = names_.find(name);
    if (found == names_.end()) fail("unknown group name " + python_repr(name), name_start_);
    return found->second;
  }

  std::optional<Width> python_extension(size_t start, Flags& flags) {
    if (match('<')) {
      std::string name = name_until('>');
      check_name(name);
      return capture(start, flags, name);
    }
    if (match('=')) {
      std::string name = name_until(')');
      check_name(name);
      return reference(named_group(name), name_start_);
    }
    check_escape_at_end();
    if (next() == kEnd) fail("unexpected end of pattern", at_);
    fail("unknown extension ?P" + slice(at_, at_ + (next() == '\\' ? 2 : 1)), at_ - 2);
  }

  Width reference(size_t group, size_t position) {
    if (groups_[group - 1].open) fail("cannot refer to an open group", position);
    check_lookbehind(group);
    out_ += fmt::format("\\g{{{}}}", group);
    return groups_[group - 1].width;
  }

  void check_lookbehind(size_t group) const {
    if (!lookbehind_groups_) return;
    if (group > groups_.size() || groups_[group - 1].open) fail("cannot refer to an open group", at_);
    if (group > *lookbehind_groups_) fail("cannot refer to group defined in the same lookbehind subpattern", at_);
  }

  std::optional<Width> lookbehind(size_t start, Flags& flags) {
    check_escape_at_end();
    char32_t c = next();
    if (c == kEnd) fail("unexpected end of pattern", at_);
    if (c != '=' && c != '!') fail("unknown extension ?<" + slice(at_, at_ + (c == '\\' ? 2 : 1)), at_ - 2);
    ++at_;
    std::optional<size_t> outer = lookbehind_groups_;
    if (!outer) lookbehind_groups_ = groups_.size();
    Width width = rest(start, c == '=' ? "(?<=" : "(?<!", flags);
    lookbehind_groups_ = outer;
    if (width.low != width.high) variable_lookbehind_ = true;
    return Width{};
  }

  std::optional<Width> conditional(size_t start, Flags& flags) {
    std::string name = name_until(')');
    size_t group = 0;
    if (is_identifier(decode_utf8(name))) {
      group = named_group(name);
    } else {
      if (!std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }) || name.size() > 9)
        fail("bad character in group name " + python_repr(name), name_start_);
      group = std::stoul(name);
      if (group == 0) fail("bad group number", name_start_);
      conditions_.try_emplace(group, name_start_);
    }
    check_lookbehind(group);
    out_ += fmt::format("(?({})", group);
    if (++depth_ > kMaxDepth) throw std::runtime_error("the expression is nested too deeply");
    Width width = sequence(flags, false);
    Width other;
    if (match('|')) {
      out_ += '|';
      other = sequence(flags, false);
      if (next() == '|') fail("conditional backref with more than two branches", at_);
    }
    if (!match(')')) fail("missing ), unterminated subpattern", start);
    out_ += ')';
    --depth_;
    return Width{std::min(width.low, other.low), std::max(width.high, other.high)};
  }

  // --- (?flags) and (?flags:...)

  std::optional<Width> flag_group(size_t start, char32_t c, Flags& flags, bool may_be_global) {
    std::string on, off;
    auto wants = [&](const char* what) {
      if (next() == kEnd) fail(what, at_);
      check_escape_at_end();
      size_t length = next() == '\\' ? 2 : 1;
      at_ += length;
      return at_ - length;
    };
    auto unknown = [&](size_t position, const char* otherwise) {
      fail(is_letter(text_[position]) || text_[position] >= 0x80 ? "unknown flag" : otherwise, position);
    };
    auto count_types = [](const std::string& set) { return set.find('a') != set.npos && set.find('u') != set.npos; };
    while (c != '-' && c != ')' && c != ':') {
      if (c == 'L') fail("bad inline flags: cannot use 'L' flag with a str pattern", at_);
      on += static_cast<char>(c);
      if (count_types(on)) fail("bad inline flags: flags 'a', 'u' and 'L' are incompatible", at_);
      size_t position = wants("missing -, : or )");
      c = text_[position];
      if (!is_one_of(c, ")-:") && !is_one_of(c, "aiLmsux")) unknown(position, "missing -, : or )");
    }
    if (c == ')') {
      if (!may_be_global && !options_.lenient) fail("global flags not at the start of the expression", start);
      apply(flags, on, "");
      std::string switched = pcre_flags(on);
      if (!switched.empty()) out_ += "(?" + switched + ")";
      return std::nullopt;
    }
    if (c == '-') {
      size_t position = wants("missing flag");
      c = text_[position];
      if (!is_one_of(c, "aiLmsux")) unknown(position, "missing flag");
      while (c != ':') {
        if (is_one_of(c, "aLu")) fail("bad inline flags: cannot turn off flags 'a', 'u' and 'L'", at_);
        off += static_cast<char>(c);
        position = wants("missing :");
        c = text_[position];
        if (c != ':' && !is_one_of(c, "aiLmsux")) unknown(position, "missing :");
      }
    }
    if (on.find_first_of(off) != on.npos) fail("bad inline flags: flag turned on and off", at_ - 1);
    Flags inner = flags;
    apply(inner, on, off);
    std::string switched = pcre_flags(on), switched_off = pcre_flags(off);
    if (!switched_off.empty()) switched += "-" + switched_off;
    return rest(start, "(?" + switched + ":", inner);
  }

  static void apply(Flags& flags, const std::string& on, const std::string& off) {
    if (on.find('x') != on.npos) flags.verbose = true;
    if (off.find('x') != off.npos) flags.verbose = false;
    if (on.find('a') != on.npos) flags.ascii = true;
    if (on.find('u') != on.npos) flags.ascii = false;
  }

  static std::string pcre_flags(const std::string& flags) {
    std::string result;
    for (char c : flags)
      if (is_one_of(static_cast<char32_t>(c), "ims") && result.find(c) == result.npos) result += c;
    return result;
  }

  // --- escapes

  /// Up to `most` characters for which `is` holds, appended to nothing else.
  template <typename Is>
  std::u32string take(size_t most, Is is) {
    std::u32string result;
    while (result.size() < most && next() != kEnd && is(next())) result += text_[at_++];
    return result;
  }

  /// A character that is written as \x41, \u00e9, \n, \., ...; nothing for another kind of escape. `at_` stands behind the backslash and the letter.
  std::optional<char32_t> escaped_char(size_t start, char32_t c, bool in_set) {
    static const std::map<char32_t, char32_t> kSimple = {{'a', 7}, {'f', 12}, {'n', 10}, {'r', 13}, {'t', 9}, {'v', 11}, {'\\', '\\'}};
    if (auto simple = kSimple.find(c); simple != kSimple.end()) return simple->second;
    if (in_set && c == 'b') return 8;
    if (size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0) {
      std::u32string number = take(digits, is_hex);
      if (number.size() != digits) fail("incomplete escape " + slice(start, at_), start);
      char32_t value = static_cast<char32_t>(std::stoul(encode_utf8(number), nullptr, 16));
      if (value > 0x10FFFF) fail("bad escape " + slice(start, at_), start);
      return value;
    }
    if (c == 'N') throw std::runtime_error("names of characters (\\N{...}) cannot be read");
    if (is_octal(c) && (in_set || c == '0')) return octal(start, static_cast<char32_t>(c - '0'), take(2, is_octal), in_set);
    if (is_digit(c)) {
      if (in_set) fail("bad escape " + slice(start, at_), start);
      return std::nullopt;
    }
    if (is_letter(c)) return std::nullopt;
    return c;
  }

  char32_t octal(size_t start, char32_t value, const std::u32string& more, bool limited) const {
    for (char32_t digit : more) value = value * 8 + (digit - '0');
    if (limited && value > 0377) fail(fmt::format("octal escape value {} outside of range 0-0o377", slice(start, at_)), start);
    return value;
  }

  Width escape(const Flags& flags, Item& kind) {
    size_t start = at_;
    char32_t c = next(1);
    at_ += 2;
    switch (c) {
      case 'A':
      case 'Z':
        kind = Item::kAnchor;
        out_ += c == 'A' ? "\\A" : "\\z";
        return {};
      case 'b':
      case 'B':
        kind = Item::kAnchor;
        if (!flags.ascii) out_ += {'\\', static_cast<char>(c)};
        else if (c == 'b') out_ += "(?:(?<=[A-Za-z0-9_])(?![A-Za-z0-9_])|(?<![A-Za-z0-9_])(?=[A-Za-z0-9_]))";
        else out_ += "(?:(?<=[A-Za-z0-9_])(?=[A-Za-z0-9_])|(?<![A-Za-z0-9_])(?![A-Za-z0-9_]))";
        return {};
      case 'd':
      case 'D':
      case 's':
      case 'S':
      case 'w':
      case 'W':
        if (flags.ascii) out_ += "[" + category(c, true, false) + "]";
        else if (options_.exact_spaces && (c == 's' || c == 'S')) out_ += c == 's' ? R"([\s\x{1c}-\x{1f}])" : R"([^\s\x{1c}-\x{1f}])";
        else out_ += {'\\', static_cast<char>(c)};
        return {1, 1};
    }
    if (std::optional<char32_t> character = escaped_char(start, c, false)) {
      emit_char(*character);
      return {1, 1};
    }
    if (!is_digit(c)) fail("bad escape " + slice(start, at_), start);
    if (is_digit(next())) {
      ++at_;
      if (is_octal(c) && is_octal(text_[at_ - 1]) && is_octal(next())) {
        ++at_;
        emit_char(octal(start, static_cast<char32_t>(c - '0'), text_.substr(at_ - 2, 2), true));
        return {1, 1};
      }
    }
    size_t group = std::stoul(slice(start + 1, at_));
    if (group > groups_.size()) fail(fmt::format("invalid group reference {}", group), start + 1);
    return reference(group, start);
  }

  // --- [...]

  struct Member {
    std::optional<char32_t> character;
    std::string category;
  };

  Member set_member(const Flags& flags) {
    check_escape_at_end();
    if (next() != '\\') return {text_[at_++], {}};
    size_t start = at_;
    char32_t c = next(1);
    at_ += 2;
    if (is_one_of(c, "dDsSwW")) return {std::nullopt, category(c, flags.ascii, options_.exact_spaces)};
    std::optional<char32_t> character = escaped_char(start, c, true);
    if (!character) fail("bad escape " + slice(start, at_), start);
    return {character, {}};
  }

  /// What Python's tokenizer takes as one: a character, or a backslash with the next one.
  std::u32string token() const { return text_.substr(at_, next() == '\\' ? 2 : 1); }

  void emit_member(const Member& member) {
    if (!member.character) out_ += member.category;
    else if (!is_surrogate(*member.character)) emit_char(*member.character);
  }

  void set(const Flags& flags) {
    size_t start = at_++, opening = out_.size();
    out_ += '[';
    bool negated = match('^');
    if (negated) out_ += '^';
    auto unterminated = [&] {
      check_escape_at_end();
      if (next() == kEnd) fail("unterminated character set", start);
    };
    size_t first = at_, content = out_.size();
    for (;;) {
      unterminated();
      if (next() == ']' && at_ != first) break;
      std::u32string low_text = token();
      Member low = set_member(flags);
      unterminated();
      if (next() != '-') {
        emit_member(low);
        continue;
      }
      ++at_;
      unterminated();
      if (next() == ']') {
        emit_member(low);
        out_ += "\\-";
        break;
      }
      std::u32string high_text = token();
      Member high = set_member(flags);
      if (!low.character || !high.character || *high.character < *low.character) {
        fail(fmt::format("bad character range {}-{}", encode_utf8(low_text), encode_utf8(high_text)), at_ - low_text.size() - 1 - high_text.size());
      }
      char32_t from = *low.character, to = *high.character;
      if (is_surrogate(from)) from = 0xE000;
      if (is_surrogate(to)) to = 0xD7FF;
      if (from <= to) emit_char(from), out_ += '-', emit_char(to);
    }
    ++at_;
    if (out_.size() == content) {  // nothing but surrogates, which no text has
      out_.replace(opening, std::string::npos, negated ? "(?s:.)" : "(?!)");
      return;
    }
    out_ += ']';
  }

  static constexpr int kMaxDepth = 200;  // PCRE2 has a limit, too

  const std::u32string text_;
  const TranslateOptions options_;
  size_t at_ = 0, name_start_ = 0;
  int depth_ = 0;
  std::string out_;
  std::vector<Group> groups_;
  std::map<std::string, size_t> names_;
  std::map<size_t, size_t> conditions_;  // [group] -> where it was first asked for
  std::optional<size_t> lookbehind_groups_;  // how many groups there were before the outermost open look-behind
  bool variable_lookbehind_ = false;
};

}  // namespace

std::string to_pcre(const std::string& pattern, const TranslateOptions& options) { return Translator(pattern, options).translate(); }

}  // namespace qd::report
