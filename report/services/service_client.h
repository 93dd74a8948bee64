// Service client: sends requests in JSON to a service with a token, and keeps the token to that service.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/services/retry.h"

namespace qd::report {

using ServiceJson = nlohmann::json;

/// Error answer of the service. The text has its reason, made safe for a terminal.
struct ServiceError : std::runtime_error {
  ServiceError(const std::string& text, int status) : std::runtime_error(text), status(status) {}

  int status;
};

struct ServiceAccess {
  std::string name;     // "GitHub"
  std::string api_url;  // "https://api.github.com"
  std::string token;
  std::string token_header;          // "Authorization: Bearer "
  std::vector<std::string> headers;  // sent with each request
};

class ServiceClient {
 public:
  /// Throws std::runtime_error when the token could be read on its way, or is invalid.
  ServiceClient(ServiceAccess access, HttpSender send, double max_wait, Patience::Notice notice);

  ServiceJson get(const std::string& path);
  /// Calls `visit` for all items of a list, in pages of 100, until it returns false.
  void each(const std::string& path, const std::function<bool(const ServiceJson& item)>& visit);
  /// Changes an object to `body`. `repeatable`: the request is idempotent; if it is not, errors are those of create().
  ServiceJson change(const std::string& method, const std::string& path, const ServiceJson& body,
                     bool repeatable = true);
  /// Makes a new object. Throws HttpError with maybe_done when it is not known whether it was made.
  ServiceJson create(const std::string& path, const ServiceJson& body);
  Patience& patience() { return patience_; }
  const std::string& name() const { return access_.name; }

 private:
  HttpResponse answer(const std::string& method, const std::string& url, const std::string& body, bool repeatable);
  ServiceJson parse(const HttpResponse& response) const;

  ServiceAccess access_;
  HttpSender send_;
  HttpOrigin origin_;
  Patience patience_;
};

/// Variable of the environment of a job; empty when it is not set.
std::string job_variable(const char* name);

/// Address of the next page in a Link header; empty when there is none.
std::string next_page(const std::string& link_header);

}  // namespace qd::report
