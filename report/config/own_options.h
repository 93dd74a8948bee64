// Own settings, which coverage.py does not have: names, kinds of values, and roles as gates.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "report/config/config.h"

namespace qd::report {

/// Kind of a value. Values of every kind are kept as texts.
enum class OwnKind : uint8_t {
  Flag,     // true, false
  Text,     // one text
  Texts,    // a list of texts; a text with commas
  List,     // a list of texts; in INI files a text with commas or lines
  Number,   // a number, or a text that is one
  Numbers,  // a number, a list of numbers and of "PATTERN=NUMBER", a table of numbers by pattern
};

/// Role of a setting in the requirements on a change, for finding a change of the setting itself that lowers them.
enum class OwnRole : uint8_t {
  None,
  Least,      // a gate: more is stricter, and none is the least
  Most,       // a gate: less is stricter, and none is the least strict
  Wanted,     // a gate: true, or with each element of a list, is stricter
  Shares,     // a gate: numbers of which more is stricter, each with its pattern
  NoData,     // fail, warn or pass
  Lines,      // statement or exact; exact counts fewer lines
  Compared,   // defines the compared change: every other value is reported
  Narrowing,  // only files of this list count: fewer elements, or some where there were none, are looser
  Loosening,  // removes lines from the gates: a larger number, true, or a new element of a list is looser
};

/// Base of a relative path in a value.
enum class OwnPath : uint8_t { None, File, NamedFile, Pattern, Format };

struct OwnOption {
  const char* section;  // "" or "diff"
  const char* name;
  OwnKind kind;
  void (*set)(Config& config, const StringList& values);  // one value, except for Texts, List and Numbers
  OwnRole role = OwnRole::None;
  OwnPath path = OwnPath::None;

  bool is_gate() const {
    return role == OwnRole::Least || role == OwnRole::Most || role == OwnRole::Wanted || role == OwnRole::Shares;
  }
  /// Key of the setting in Config::own: "diff.fail_under".
  std::string key() const { return (*section ? std::string(section) + "." : "") + name; }
};

/// Returns all options except those of [tool.qd-cov.check].
std::span<const OwnOption> own_options();

/// Returns the option of a section, or null.
const OwnOption* find_own_option(const std::string& section, const std::string& name);

}  // namespace qd::report
