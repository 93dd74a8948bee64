// HTTP requests by way of the user's Python: starts send_request.py, which sends one request.
#include "cli/python/python_request.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/python/python_version.h"
#include "report/data/program_output.h"

namespace qd::cli {

namespace {

constexpr const char* kSendRequest =
#include "send_request.inc"
    ;

}  // namespace

report::HttpResponse send_by_python(const report::HttpRequest& request) {
  const report::HttpOrigin origin = report::origin_of(request.url);
  const auto python = python_program();
  if (!python)
    throw std::runtime_error("Requests are sent with Python, and there is none on the PATH: install Python 3");
  nlohmann::json question = {{"method", request.method},
                             {"url", request.url},
                             {"headers", request.headers},
                             {"body", request.body},
                             {"proxies", !origin.is_loopback()}};  // requests to this machine use no proxy
  report::ProgramOutput output;
  try {
    // The token is in the input: other users see the words and the environment of a process.
    output = report::program_output({python->program, "-IS", "-c", kSendRequest},
                                    question.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace),
                                    report::own_environment());
  } catch (const report::StartError& error) {
    throw std::runtime_error(fmt::format("'{}' does not run: {}", python->program, error.what()));
  }
  // A line of JSON, then the body.
  const size_t end = std::min(output.out.find('\n'), output.out.size());
  const nlohmann::json answer = nlohmann::json::parse(output.out.substr(0, end), nullptr, false);
  if (!answer.is_object())
    throw std::runtime_error(fmt::format("'{}' cannot send requests: exit code {}, {}", python->program,
                                         output.exit_code, output.err.substr(0, output.err.find('\n'))));
  if (answer.contains("cannot"))
    throw std::runtime_error(
        fmt::format("'{}' cannot send requests: {}", python->program, answer["cannot"].get<std::string>()));
  if (answer.contains("error"))
    throw report::HttpError(fmt::format("no answer from {}: {}", origin.host, answer["error"].get<std::string>()),
                            answer["maybe_done"].get<bool>());
  report::HttpResponse response;
  response.status = answer["status"].get<int>();
  for (const auto& [name, value] : answer["headers"].items()) response.headers[name] = value.get<std::string>();
  response.body = output.out.substr(std::min(end + 1, output.out.size()));
  return response;
}

}  // namespace qd::cli
