// Service options, shared by the commands for services.
#pragma once

#include <string>

#include "cli/command_line.h"
#include "report/services/github.h"
#include "report/services/kept_posts.h"

namespace qd::cli {

/// Adds --max-wait.
void add_wait_option(CommandLine& line);
double max_wait(const CommandLine& line);

/// Adds --repository and --max-wait.
void add_github_options(CommandLine& line);
/// Adds --artifact and --on-forbidden: the handling of a post that the token does not allow.
void add_artifact_options(CommandLine& line);

/// Reads the runner's facts about the job; --repository has priority.
report::GithubJob github_job(const CommandLine& line);
report::ServiceClient github_client(const report::GithubJob& job, const CommandLine& line);

/// Keeps `post` in the folder of --artifact and reports it; returns an exit code. Without such a folder that is an
/// error, with `why`.
int keep_post(const CommandLine& line, const report::KeptPost& post, const std::string& why);

/// Text of the only argument: a file, or "-" for standard input, which is also the default. `what` is for messages.
/// Throws std::runtime_error when there is no text.
std::string text_argument(const CommandLine& line, const std::string& what);

/// Appends to the file that an environment variable of the runner names. Throws std::runtime_error.
void append_to_runner_file(const std::string& variable, const std::string& text);

/// Prints the progress of a service on stderr.
void service_notice(const std::string& text);

}  // namespace qd::cli
