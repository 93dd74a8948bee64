// Environment variables of kernel coverage, for C++ programs and for the Python package. This is the only place that
// knows these variables.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace qd::instrument {

class Session;

/// QD_KERNEL_COVERAGE and the variables that begin with it. A setting without a value is left to the default, or to a
/// configuration file.
struct CoverageSettings {
  bool on = false;     // QD_KERNEL_COVERAGE: on unless empty or 0
  std::string folder;  // _DIR: folder of `_qd_kcov.*` and the journal; empty: the folder where the program started
  std::string file;    // _FILE: a data file of the host; ours go beside it
  std::optional<bool> branch;      // _BRANCH: arcs are recorded unless 0; else lines
  std::optional<bool> conditions;  // _CONDITIONS: the values of each decision's conditions are recorded, unless 0
  std::optional<bool> gradients;   // _GRADIENTS: the lines whose derivative was computed are recorded, unless 0
};

/// The value of a variable; empty when there is none.
using Variables = std::function<std::string(const std::string& name)>;

/// The value of a variable of this process, as it is now.
std::string environment_variable(const std::string& name);

CoverageSettings coverage_settings(const Variables& variables = environment_variable);

/// QD_COVERAGE_MAX_PROBES: largest number of measured places. There is no limit when the variable is not set or empty.
/// A value that is no number is reported on stderr, and sets no limit.
std::optional<size_t> max_probes_of_environment();

/// Session that QD_KERNEL_COVERAGE asks for, or null. The session writes `_qd_kcov.*` when the process ends, into
/// the folder of the settings, else into the folder where the process started. Without settings, it records branches
/// and gradients, and no conditions. For C++ programs: `Program program(config, instrument::environment_session());`
Session* environment_session();

}  // namespace qd::instrument
