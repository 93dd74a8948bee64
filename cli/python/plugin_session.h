// Plugin session: the one process with the plugins of this run's configuration.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report/config/config.h"

namespace qd::cli {

/// Returns the answer to a question of ask_plugins.py, from the process of configure_by_plugins(), or from a new one
/// like it. The answer may be an error.
nlohmann::json ask_plugins(const report::Config& config, const nlohmann::json& question);

/// Throws the error in an answer, if there is one: report::PluginFailure for an exception of a plugin,
/// std::runtime_error for an error with a text of its own.
void throw_failure_in(const nlohmann::json& answer);

}  // namespace qd::cli
