// State of a translation, shared by regex_parser.cpp (sequences) and regex_groups.cpp (parentheses).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/regex/pattern_reader.h"
#include "report/regex/regex_flags.h"
#include "report/regex/regex_parser.h"

namespace qd::report {

/// Smallest and largest number of characters that an item matches.
struct Width {
  uint64_t low = 0, high = 0;
  void operator+=(Width more);
};

/// Recursive descent over code points, emitting as it goes. Every item is emitted as one atom, so that a quantifier
/// binds to it as in Python.
class Translator {
 public:
  Translator(const std::string& pattern, const TranslateOptions& options) : in_(pattern), options_(options) {}

  std::string translate();

 private:
  struct Group {
    bool open = true;
    Width width;
  };
  enum class Item { kNone, kAnchor, kRepeat, kOther };
  static constexpr int kMaxDepth = 200;  // nesting depth of groups; PCRE2 has a limit, too

  // a|b|c up to a parenthesis or the end
  Width alternatives(Flags& flags, bool may_have_global_flags);
  Width sequence(Flags& flags, bool may_have_global_flags);
  bool pass_blank(const Flags& flags);
  bool repeat(Item item, size_t item_start, size_t start, Width& width);
  void repeat_empty(size_t item_start, uint64_t low);
  Width escape(const Flags& flags, Item& kind);

  // (...): the width of a group; nothing for a group that is no item: comments and flags of the whole expression
  std::optional<Width> group(Flags& flags, bool may_have_global_flags);
  void enter();
  void leave(size_t start);
  Width rest(size_t start, std::string_view opening, Flags flags);
  Width capture(size_t start, Flags flags, const std::string& name);
  Width python_extension(size_t start, const Flags& flags);
  Width lookbehind(size_t start, const Flags& flags);
  Width conditional(size_t start, Flags& flags);
  std::optional<Width> flag_group(size_t start, char32_t first, Flags& flags, bool may_be_global);

  // \1 and (?P=name)
  std::string name_until(char32_t terminator) { return in_.name_until(terminator, "group name", name_start_); }
  void check_name(const std::string& name) const;
  size_t named_group(const std::string& name) const;
  void check_lookbehind(size_t group) const;
  Width reference(size_t group, size_t position);

  PatternReader in_;
  const TranslateOptions options_;
  size_t name_start_ = 0;  // of the last name
  int depth_ = 0;
  std::string out_;
  std::vector<Group> groups_;
  std::map<std::string, size_t> names_;
  std::map<size_t, size_t> conditions_;      // [group] -> position of its first condition
  std::optional<size_t> lookbehind_groups_;  // number of groups before the outermost open look-behind
  bool variable_lookbehind_ = false;
};

}  // namespace qd::report
