// The settings that coverage.py does not have: their names, what a value of each may be, and which of them are gates.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "report/config/config.h"

namespace qd::report {

/// The kind of a value. Every kind is kept as texts.
enum class OwnKind : uint8_t {
  Flag,     // true, false
  Text,     // one text
  Texts,    // a list of texts; a text with commas
  List,     // a list of texts; in INI files a text with commas or lines
  Number,   // a number, or a text that is one
  Numbers,  // a number, a list of numbers and of "PATTERN=NUMBER", a table of numbers by pattern
};

/// The role of a setting in what a change has to reach, as far as a change of the setting itself can lower that.
enum class OwnRole : uint8_t {
  None,
  Least,      // a gate: more is stricter, and none is the least
  Most,       // a gate: less is stricter, and none is the least strict
  Wanted,     // a gate: true, or with each element of a list, is stricter
  Shares,     // a gate: numbers of which more is stricter, each with its pattern
  NoData,     // fail, warn or pass
  Lines,      // statement or exact, which counts less
  Compared,   // says what the change is: every other value is told
  Narrowing,  // files of this list alone count: fewer elements, or some where there were none
  Loosening,  // what it says takes lines out of the gates: a larger number, true, or an element of a list
};

/// The place that a relative path in a value starts from.
enum class OwnPath : uint8_t { None, File, NamedFile, Pattern, Format };

struct OwnOption {
  const char* section;  // "" or "diff"
  const char* name;
  OwnKind kind;
  void (*set)(Config& config, const StringList& values);  // one value but for Texts, List and Numbers
  OwnRole role = OwnRole::None;
  OwnPath path = OwnPath::None;

  bool is_gate() const {
    return role == OwnRole::Least || role == OwnRole::Most || role == OwnRole::Wanted || role == OwnRole::Shares;
  }
  /// "diff.fail_under": the key of Config::own.
  std::string key() const { return (*section ? std::string(section) + "." : "") + name; }
};

/// All of them, but for those of [tool.qd-cov.check].
std::span<const OwnOption> own_options();

/// The option of a section, or null.
const OwnOption* find_own_option(const std::string& section, const std::string& name);

}  // namespace qd::report
