// HTTP: one request and its answer.
#pragma once

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace qd::report {

struct HttpRequest {
  std::string method = "GET";
  std::string url;
  std::vector<std::string> headers;  // "Accept: text/plain"
  std::string body;
};

struct HttpResponse {
  int status = 0;
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;

  /// Value of a header; empty when the answer has none of that name.
  std::string header(const std::string& name) const;
};

/// Error of a request without an answer. The text holds no header of the request.
struct HttpError : std::runtime_error {
  HttpError(const std::string& text, bool maybe_done) : std::runtime_error(text), maybe_done(maybe_done) {}

  bool maybe_done;  // the service may have received and handled the request
};

/// Address of a service, in the parts that identify the receiver of a request.
struct HttpOrigin {
  std::string scheme, host, port;
  bool has_user = false;  // "https://user@host/"

  bool operator==(const HttpOrigin&) const = default;
  /// Whether no one on the way can read the request: https, or this machine itself.
  bool is_private() const;
  bool is_loopback() const;
};

/// Parses an address. Throws std::runtime_error unless it is one of http or https.
HttpOrigin origin_of(const std::string& url);

/// Sends a request and waits for the answer. Does not follow redirections. Reads at most 64 MiB, for at most a minute.
/// Throws HttpError, and std::runtime_error when this machine cannot send requests.
using HttpSender = std::function<HttpResponse(const HttpRequest& request)>;

}  // namespace qd::report
