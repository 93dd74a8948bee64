// GitHub requests, as in the "REST API" at docs.github.com: issue comments, check runs, pull requests.
#include "report/services/github.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <random>

#include "report/data/file_content.h"
#include "report/formats/common/text.h"

namespace qd::report {

namespace {

constexpr size_t kAnnotationsAtOnce = 50;

const ServiceJson* at(const ServiceJson& json, const std::string& path) {
  const ServiceJson* here = &json;
  for (size_t start = 0; start <= path.size();) {
    size_t dot = std::min(path.find('.', start), path.size());
    auto found = here->is_object() ? here->find(path.substr(start, dot - start)) : here->end();
    if (!here->is_object() || found == here->end()) return nullptr;
    here = &*found;
    start = dot + 1;
  }
  return here;
}

std::optional<int64_t> number_at(const ServiceJson& json, const std::string& path) {
  const ServiceJson* value = at(json, path);
  if (!value || !value->is_number_integer() || value->get<int64_t>() <= 0) return std::nullopt;
  return value->get<int64_t>();
}

ServiceJson read_event(const std::string& path) {
  if (path.empty()) return ServiceJson::object();
  FileContent content;
  std::optional<std::string_view> text = content.read(path);
  if (!text) throw std::runtime_error(fmt::format("GITHUB_EVENT_PATH: '{}' can't be read", visible(path)));
  ServiceJson event = ServiceJson::parse(*text, nullptr, false);
  if (!event.is_object())
    throw std::runtime_error(fmt::format("GITHUB_EVENT_PATH: '{}' is no event of GitHub", visible(path)));
  return event;
}

/// Number in a reference such as "refs/pull/12/merge".
std::optional<int64_t> pull_request_of_ref(const std::string& ref) {
  constexpr std::string_view kStart = "refs/pull/";
  if (!ref.starts_with(kStart)) return std::nullopt;
  int64_t number = 0;
  auto [end, error] = std::from_chars(ref.data() + kStart.size(), ref.data() + ref.size(), number);
  if (error != std::errc() || number <= 0 || end == ref.data() + ref.size() || *end != '/') return std::nullopt;
  return number;
}

/// Calls `ask`. Turns an error 403 (the token lacks the permission) into a ForbiddenError.
template <typename Ask>
auto allowed(Ask ask) {
  try {
    return ask();
  } catch (const ServiceError& error) {
    if (error.status == 403) throw ForbiddenError(error.what(), error.status);
    throw;
  }
}

/// Adds the annotations of `output` to the check run at `path`, which then has `wanted` of them. If it is not known
/// whether they arrived, asks the service for their number.
void add_annotations(ServiceClient& client, const std::string& path, const ServiceJson& output, size_t wanted) {
  for (int tries = 0;; ++tries) {
    try {
      client.change("PATCH", path, {{"output", output}}, false);
      return;
    } catch (const HttpError& error) {
      if (!error.maybe_done ||
          !client.patience().back_off(tries, fmt::format("{}: the annotations may be there or not", error.what())))
        throw;
      std::optional<int64_t> there = number_at(client.get(path), "output.annotations_count");
      if (there && static_cast<size_t>(*there) >= wanted) return;
    }
  }
}

std::string random_id() {
  std::random_device device;
  return fmt::format("qd-cov-{:08x}{:08x}", device(), device());
}

}  // namespace

std::string text_at(const ServiceJson& json, const std::string& path) {
  const ServiceJson* value = at(json, path);
  return value && value->is_string() ? value->get<std::string>() : "";
}

bool is_commit(const std::string& text) {
  return (text.size() == 40 || text.size() == 64) && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

void check_repository(const std::string& repository) {
  auto fits = [](std::string_view part) {
    return !part.empty() && part != "." && part != ".." && std::all_of(part.begin(), part.end(), [](unsigned char c) {
      return std::isalnum(c) || c == '-' || c == '_' || c == '.';
    });
  };
  size_t slash = repository.find('/');
  std::string_view view = repository;
  if (slash == std::string::npos || !fits(view.substr(0, slash)) || !fits(view.substr(slash + 1)))
    throw std::runtime_error(fmt::format(
        "'{}' is no repository: 'owner/name' is wanted, of --repository or GITHUB_REPOSITORY", visible(repository)));
}

GithubJob github_job() {
  GithubJob job;
  job.repository = job_variable("GITHUB_REPOSITORY");
  job.api_url = job_variable("GITHUB_API_URL");
  if (job.api_url.empty()) job.api_url = "https://api.github.com";
  job.token = job_variable("GITHUB_TOKEN");
  const ServiceJson event = read_event(job_variable("GITHUB_EVENT_PATH"));
  job.pull_request = number_at(event, "pull_request.number");
  if (!job.pull_request && at(event, "issue.pull_request")) job.pull_request = number_at(event, "issue.number");
  if (!job.pull_request) job.pull_request = pull_request_of_ref(job_variable("GITHUB_REF"));
  job.head_sha = text_at(event, "pull_request.head.sha");
  if (job.head_sha.empty()) job.head_sha = job_variable("GITHUB_SHA");
  job.head_repository = text_at(event, "pull_request.head.repo.full_name");
  if (at(event, "workflow_run"))
    job.run = {text_at(event, "workflow_run.head_sha"), text_at(event, "workflow_run.head_repository.full_name")};
  return job;
}

ServiceAccess github_access(const GithubJob& job) {
  return {"GitHub",
          job.api_url,
          job.token,
          "Authorization: Bearer ",
          {"Accept: application/vnd.github+json", "X-GitHub-Api-Version: 2022-11-28", "User-Agent: qd-cov"}};
}

PostedComment post_github_comment(ServiceClient& client, const std::string& repository, int64_t pull_request,
                                  const std::string& name, const std::string& body) {
  const std::string issue = fmt::format("/repos/{}/issues/{}/comments", repository, pull_request);
  CommentThread thread;
  thread.each = [&](const std::function<bool(const ServiceComment&)>& visit) {
    client.each(issue, [&](const ServiceJson& item) {
      std::optional<int64_t> id = number_at(item, "id");
      return !id ||
             visit({*id, text_at(item, "body"), text_at(item, "user.login"), text_at(item, "user.type") != "Bot"});
    });
  };
  thread.create = [&](const std::string& text) { return text_at(client.create(issue, {{"body", text}}), "html_url"); };
  thread.update = [&](int64_t id, const std::string& text) {
    return text_at(
        client.change("PATCH", fmt::format("/repos/{}/issues/comments/{}", repository, id), {{"body", text}}),
        "html_url");
  };
  thread.own_name = [&] {
    try {
      return text_at(client.get("/user"), "login");
    } catch (const ServiceError&) {
      return std::string();  // a job's token belongs to no user
    }
  };
  return allowed([&] { return post_comment(thread, name, body, client.patience()); });
}

std::string post_check_run(ServiceClient& client, const std::string& repository, ServiceJson payload) {
  ServiceJson annotations = payload["output"].value("annotations", ServiceJson::array());
  auto batch = [&](size_t first) {
    ServiceJson some = ServiceJson::array();
    for (size_t i = first; i < std::min(first + kAnnotationsAtOnce, annotations.size()); ++i)
      some.push_back(annotations[i]);
    return some;
  };
  const std::string runs = fmt::format("/repos/{}/check-runs", repository);
  const std::string id_of_ours = random_id();
  payload["external_id"] = id_of_ours;
  payload["output"]["annotations"] = batch(0);
  ServiceJson run;
  for (int tries = 0; run.is_null(); ++tries) {
    try {
      run = allowed([&] { return client.create(runs, payload); });
    } catch (const HttpError& error) {
      if (!error.maybe_done ||
          !client.patience().back_off(tries, fmt::format("{}: the check run may be there or not", error.what())))
        throw;
      client.each(fmt::format("/repos/{}/commits/{}/check-runs", repository, payload["head_sha"].get<std::string>()),
                  [&](const ServiceJson& item) {
                    if (text_at(item, "external_id") == id_of_ours) run = item;
                    return run.is_null();
                  });
    }
  }
  std::optional<int64_t> id = number_at(run, "id");
  if (!id) throw ServiceError("GitHub made a check run without a number", 0);
  // Each change adds its annotations to the existing ones, and must repeat the title and the summary.
  for (size_t done = kAnnotationsAtOnce; done < annotations.size(); done += kAnnotationsAtOnce) {
    ServiceJson output = {
        {"title", payload["output"]["title"]}, {"summary", payload["output"]["summary"]}, {"annotations", batch(done)}};
    add_annotations(client, fmt::format("{}/{}", runs, *id), output,
                    std::min(done + kAnnotationsAtOnce, annotations.size()));
  }
  return text_at(run, "html_url");
}

PullRequestHead pull_request_head(ServiceClient& client, const std::string& repository, int64_t pull_request) {
  ServiceJson json = client.get(fmt::format("/repos/{}/pulls/{}", repository, pull_request));
  return {text_at(json, "head.sha"), text_at(json, "head.repo.full_name"), text_at(json, "state") == "open"};
}

}  // namespace qd::report
