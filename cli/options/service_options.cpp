// Service options: options, files and messages of `qd-cov github` and `qd-cov gitlab`.
#include "cli/options/service_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ext/stdio_filebuf.h>
#include <fstream>
#include <iostream>
#include <iterator>

#include "cli/commands.h"
#include "cli/python/python_request.h"
#include "cli/standard_streams.h"
#include "report/data/file_content.h"
#include "report/formats/common/text.h"

namespace qd::cli {

namespace {

constexpr double kDefaultWait = 120;
constexpr size_t kMaxText = size_t{16} << 20;

}  // namespace

void add_wait_option(CommandLine& line) {
  line.add("max-wait",
           "Wait at most so long, all in all, for rate limits to end and failing servers to recover. Default: 120.",
           kText, "SECONDS");
}

double max_wait(const CommandLine& line) {
  double seconds = line.number("max-wait").value_or(kDefaultWait);
  if (!(seconds >= 0) || std::isinf(seconds)) throw UsageError("option --max-wait: seconds are never less than 0");
  return seconds;
}

void add_github_options(CommandLine& line) {
  line.add("repository", "The repository. [env: GITHUB_REPOSITORY]", kText, "OWNER/NAME");
  add_wait_option(line);
}

void add_artifact_options(CommandLine& line) {
  line.add("artifact",
           "When the token may only read, as in a job of a pull request from a fork, keep the post in this folder, for "
           "'qd-cov github post'.",
           kText, "DIR");
  line.add("on-forbidden", "Whether that is a 'pass' (status 0) or a 'fail' (status 1). Default: pass.", kText, "WHAT");
  line.choices("on-forbidden", {"pass", "fail"});
}

report::GithubJob github_job(const CommandLine& line) {
  report::GithubJob job = report::github_job();
  if (auto repository = line.text("repository")) job.repository = *repository;
  report::check_repository(job.repository);
  return job;
}

report::ServiceClient github_client(const report::GithubJob& job, const CommandLine& line) {
  return report::ServiceClient(report::github_access(job), send_by_python, max_wait(line), service_notice);
}

int keep_post(const CommandLine& line, const report::KeptPost& post, const std::string& why) {
  std::string outcome = line.text("on-forbidden").value_or("pass");
  if (outcome != "pass" && outcome != "fail")
    throw UsageError(fmt::format("option --on-forbidden: '{}' is neither pass nor fail", outcome));
  std::optional<std::string> folder = line.text("artifact");
  if (!folder || folder->empty())
    throw std::runtime_error(
        fmt::format("{}.\nThe token of a job of a pull request from a fork may only read, others need 'permissions: "
                    "pull-requests: write, checks: write'. For forks, keep "
                    "the post with --artifact DIR, upload the folder, and run 'qd-cov github post' in a workflow on "
                    "'workflow_run'.",
                    why));
  std::string file = report::keep_post(*folder, post);
  fmt::print("Not posted: {}.\nKept in {} for 'qd-cov github post', which a workflow on 'workflow_run' may run.\n", why,
             report::visible(file));
  return outcome == "pass" ? kOk : kError;
}

std::string text_argument(const CommandLine& line, const std::string& what) {
  if (line.arguments().size() > 1) throw UsageError(fmt::format("One file with {}, please", what));
  std::string path = line.arguments().empty() ? "-" : line.arguments()[0];
  std::string text;
  auto read = [&](std::istream& in) {
    char buffer[65536];
    while (in.read(buffer, sizeof buffer) || in.gcount() > 0) {
      text.append(buffer, static_cast<size_t>(in.gcount()));
      if (text.size() > kMaxText)
        throw std::runtime_error(fmt::format("'{}' is larger than {} MiB", report::visible(path), kMaxText >> 20));
    }
  };
  if (path == "-") {
    if (isatty(STDIN_FILENO))
      throw UsageError(fmt::format("No file with {}: name one, or '-' for standard input", what));
    read(std::cin);
  } else {
    const int file = report::open_to_read(path);
    __gnu_cxx::stdio_filebuf<char> buffer(file, std::ios::in | std::ios::binary);
    std::istream in(&buffer);
    if (file >= 0) read(in);
    if (!in.eof()) throw std::runtime_error(fmt::format("Couldn't read '{}'", report::visible(path)));
  }
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw std::runtime_error(fmt::format("'{}' is empty: no {} in it", report::visible(path), what));
  return text;
}

void append_to_runner_file(const std::string& variable, const std::string& text) {
  const char* path = std::getenv(variable.c_str());
  if (!path || !*path)
    throw std::runtime_error(fmt::format("{} is not set: this is no step of a GitHub workflow", variable));
  std::ofstream out(path, std::ios::binary | std::ios::app);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(fmt::format("Couldn't write '{}' ({})", report::visible(path), variable));
}

void service_notice(const std::string& text) { tell("qd-cov: " + report::visible(text)); }

}  // namespace qd::cli
