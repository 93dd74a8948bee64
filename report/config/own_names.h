// Names of our sections in each kind of file, and misspelt names: ours, and coverage.py's threshold.
#pragma once

#include <string>

#include "report/config/config_file.h"

namespace qd::report {

/// A configuration file of our own. Its sections need no prefix, and it is looked for first.
inline constexpr const char* kOwnFile = "qd-cov.toml";

struct OwnNames {
  std::string own, diff, check;  // "tool.qd-cov", "tool.qd-cov.diff", ...; `own` is empty in kOwnFile

  OwnNames(const ConfigFile& file, const std::string& path);
};

/// Throws ConfigError for a section (or a value in the place of one) that is not read and was meant to be one of ours:
/// another case, another separator, the form of another kind of file, a typing mistake, a list of tables. `ours_alone`:
/// every section of the file has to be one of ours.
void refuse_stray_sections(const ConfigFile& file, const std::string& path, bool ours_alone);

/// Throws ConfigError for an unknown option of ours. `part` is the section: "", "diff".
[[noreturn]] void refuse_option(const OwnNames& names, const std::string& part, const std::string& section,
                                const std::string& option, const ConfigValue& value, const std::string& path);

/// Letters and digits in lower case: "qdcov" for "QD_Cov".
std::string letters_of(const std::string& name);
/// Whether one of two names is at most one typing mistake away from the other.
bool is_near(const std::string& name, const std::string& other);
/// Parts of a section's name, such as "tool.qd-cov.diff" or "coverage:run".
StringList parts_of(const std::string& section);
/// Whether a value is a list with tables in it: [[section]].
bool is_list_of_tables(const ConfigValue& value);

/// Setting of an INI file that is a part of the value above it, because its line is indented.
struct SwallowedSetting {
  std::string section, name;  // `section` is the one above it, which may be swallowed itself
  std::string value_of;       // "[report] exclude_also"

  /// Sentence that it is not read.
  std::string error(const std::string& path) const;
};

/// Returns all lines of values that look like settings.
std::vector<SwallowedSetting> swallowed_settings(const ConfigFile& file);

// Misplaced gates: coverage.py's threshold, [report] fail_under, in places that coverage.py does not read.

/// Returns a sentence for each setting of a file that looks like [report] fail_under, and is not read because its name,
/// or that of its section, is another: "fail-under", "[Report]", "[tool.coverage]"; or because it is swallowed.
StringList misplaced_gates(const ConfigFile& file, const std::string& path);

}  // namespace qd::report
