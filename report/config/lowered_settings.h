// Lowered settings: those by which one configuration asks for less than another.
#pragma once

#include "report/config/config.h"

namespace qd::report {

/// Returns the settings that `now` lowers against `before`, each as the end of a sentence that begins with "This
/// change": "lowers fail_under from 90 to 80", "adds 'raise' to exclude_lines". They are gates, patterns and checks
/// that are removed or weaker, and files and lines that are left out.
StringList lowered_settings(const Config& before, const Config& now);

/// Whether a configuration has a gate of `qd-cov diff`.
bool has_diff_gate(const Config& config);

/// Gives `config` the gates of `base`, and all settings that select lines and files for them.
void take_gates(Config& config, const Config& base);

}  // namespace qd::report
