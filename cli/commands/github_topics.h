// Parts of `qd-cov github`.
#pragma once

#include "cli/commands.h"

namespace qd::cli {

int github_check_run(const Arguments& arguments);
int github_comment(const Arguments& arguments);
int github_outputs(const Arguments& arguments);
int github_post(const Arguments& arguments);
int github_summary(const Arguments& arguments);

}  // namespace qd::cli
