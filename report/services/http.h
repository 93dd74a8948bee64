// One request over HTTP and its answer.
#pragma once

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

  /// Empty when the answer has no such header.
  std::string header(const std::string& name) const;
};

/// There was no answer. The text holds no header of the request.
struct HttpError : std::runtime_error {
  HttpError(const std::string& text, bool maybe_done) : std::runtime_error(text), maybe_done(maybe_done) {}

  bool maybe_done;  // the service may have got the request all the same, and done what it asks
};

/// The address of a service, as the parts that say who gets a request.
struct HttpOrigin {
  std::string scheme, host, port;
  bool has_user = false;  // "https://user@host/"

  bool operator==(const HttpOrigin&) const = default;
  /// Whether nobody on the way can read what is sent: https, or this very machine.
  bool is_private() const;
  bool is_loopback() const;
};

/// Throws std::runtime_error for what is no address of http or https.
HttpOrigin origin_of(const std::string& url);

/// Sends a request and waits for the answer. Does not follow redirections. Reads at most 64 MiB, for at most a minute.
/// Throws HttpError, and std::runtime_error where there is no libcurl.
HttpResponse send_request(const HttpRequest& request);

}  // namespace qd::report
