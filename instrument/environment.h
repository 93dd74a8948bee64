// What the environment asks of kernel coverage: the one place that knows its variables, for C++ programs and the Python
// package.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace qd::instrument {

class Session;

/// QD_KERNEL_COVERAGE and the variables that begin with it. No value: it says nothing, and the default or a
/// configuration file does.
struct CoverageSettings {
  bool on = false;                 // QD_KERNEL_COVERAGE: unless empty or 0
  std::string folder;              // _DIR: for `_qd_kcov.<pid>` and the journal; empty: the program's own
  std::string file;                // _FILE: a host's data file, beside which data goes instead
  std::optional<bool> branch;      // _BRANCH: arcs, unless 0; else lines
  std::optional<bool> conditions;  // _CONDITIONS: what the conditions of each decision were, unless 0
};

/// The value of a variable; empty when there is none.
using Variables = std::function<std::string(const std::string& name)>;

/// Of this process, as it is now.
std::string environment_variable(const std::string& name);

CoverageSettings coverage_settings(const Variables& variables = environment_variable);

/// QD_COVERAGE_MAX_PROBES: how many places may be measured. Unset or empty: no limit; what is no number is said on
/// stderr, and is no limit either.
std::optional<size_t> max_probes_of_environment();

/// The session that QD_KERNEL_COVERAGE asks for, or null. It writes `_qd_kcov.<pid>` when the process ends, into the
/// settings' folder or the one where the process started; branches and no conditions where they say nothing. For C++
/// programs: `Program program(config, instrument::environment_session());`
Session* environment_session();

}  // namespace qd::instrument
