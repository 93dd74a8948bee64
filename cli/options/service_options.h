// What the commands that talk to services share.
#pragma once

#include <string>

#include "cli/command_line.h"
#include "report/services/github.h"
#include "report/services/kept_posts.h"

namespace qd::cli {

/// --max-wait
void add_wait_option(CommandLine& line);
double max_wait(const CommandLine& line);

/// --repository, --max-wait
void add_github_options(CommandLine& line);
/// --artifact, --on-forbidden: what becomes of a post that the token does not allow.
void add_artifact_options(CommandLine& line);

/// What the runner says, with --repository over it.
report::GithubJob github_job(const CommandLine& line);
report::ServiceClient github_client(const report::GithubJob& job, const CommandLine& line);

/// Keeps `post` in the folder of --artifact and says so; an exit code. Where there is none, that is an error with
/// `why`.
int keep_post(const CommandLine& line, const report::KeptPost& post, const std::string& why);

/// The one argument, a file or "-" (as when there is none) for standard input: its text. `what` is for messages. Throws
/// std::runtime_error where there is no text.
std::string text_argument(const CommandLine& line, const std::string& what);

/// Appends to the file that an environment variable of the runner names. Throws std::runtime_error.
void append_to_runner_file(const std::string& variable, const std::string& text);

/// Progress of a service, on stderr.
void service_notice(const std::string& text);

}  // namespace qd::cli
