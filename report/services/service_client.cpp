// Service client. The token goes to the service's own address and nowhere else. Redirections and further pages are
// followed only there.
#include "report/services/service_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "report/formats/common/text.h"

namespace qd::report {

namespace {

constexpr int kMaxRedirections = 5;
constexpr int kMaxPages = 1000;
constexpr size_t kMaxReason = 500;

bool is_redirection(int status, const std::string& method) {
  return status == 307 || status == 308 || (method == "GET" && (status == 301 || status == 302));
}

/// Message of the service, without the token, in case the token is in it.
std::string reason(const HttpResponse& response, const std::string& token) {
  ServiceJson json = ServiceJson::parse(response.body, nullptr, false);
  std::string text;
  if (json.is_object()) {
    for (const char* key : {"message", "error"})
      if (json.contains(key))
        text += (text.empty() ? "" : ": ") +
                (json[key].is_string() ? json[key].get<std::string>()
                                       : json[key].dump(-1, ' ', false, ServiceJson::error_handler_t::replace));
    if (json.contains("errors"))
      text += ": " + json["errors"].dump(-1, ' ', false, ServiceJson::error_handler_t::replace);
  }
  for (size_t at = 0; !token.empty() && (at = text.find(token, at)) != std::string::npos;)
    text.replace(at, token.size(), "***");
  for (char& c : text)
    if (c == '\n' || c == '\r') c = ' ';
  text = visible(valid_utf8(text));
  if (text.size() > kMaxReason) text = valid_utf8(text.substr(0, kMaxReason)) + "…";
  return text;
}

}  // namespace

std::string job_variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string next_page(const std::string& link_header) {
  for (size_t at = 0; (at = link_header.find('<', at)) != std::string::npos;) {
    size_t end = link_header.find('>', at);
    if (end == std::string::npos) break;
    size_t next = link_header.find('<', end);
    std::string parameters = link_header.substr(end, next == std::string::npos ? next : next - end);
    if (parameters.find("rel=\"next\"") != std::string::npos) return link_header.substr(at + 1, end - at - 1);
    at = end;
  }
  return "";
}

ServiceClient::ServiceClient(ServiceAccess access, HttpSender send, double max_wait, Patience::Notice notice)
    : access_(std::move(access)),
      send_(std::move(send)),
      origin_(origin_of(access_.api_url)),
      patience_(max_wait, std::move(notice)) {
  while (access_.api_url.ends_with('/')) access_.api_url.pop_back();
  if (origin_.has_user)
    throw std::runtime_error(
        fmt::format("the address of {}'s API must not have a user or a password in it", access_.name));
  if (!origin_.is_private())
    throw std::runtime_error(fmt::format(
        "the token is not sent to {}://{}: everybody on the way could read it; the address must begin with https",
        origin_.scheme, origin_.host));
  bool clean =
      std::all_of(access_.token.begin(), access_.token.end(), [](unsigned char c) { return c > ' ' && c < 0x7F; });
  if (!clean || access_.token.empty())
    throw std::runtime_error(fmt::format("{}'s token is no token: it has blanks or control characters", access_.name));
}

HttpResponse ServiceClient::answer(const std::string& method, const std::string& url, const std::string& body,
                                   bool repeatable) {
  HttpRequest request = {method, url, access_.headers, body};
  request.headers.push_back(access_.token_header + access_.token);
  if (!body.empty()) request.headers.push_back("Content-Type: application/json");
  for (int redirections = 0;; ++redirections) {
    if (origin_of(request.url) != origin_)
      throw ServiceError(fmt::format("{} leads to another host, which does not get the token", access_.name), 0);
    HttpResponse response = send_patiently(send_, request, repeatable, patience_);
    std::string location = response.header("location");
    if (!is_redirection(response.status, method) || location.empty() || redirections == kMaxRedirections) {
      if (response.status >= 200 && response.status < 300) return response;
      std::string said = reason(response, access_.token);
      std::string path = request.url.substr(std::min(request.url.size(), access_.api_url.size()));
      path = path.substr(0, path.find('?'));
      throw ServiceError(fmt::format("{} answers {} to {} {}{}{}", access_.name, response.status, method, path,
                                     said.empty() ? "" : ": ", said),
                         response.status);
    }
    if (location.starts_with('/') && !location.starts_with("//")) {
      size_t path = request.url.find('/', request.url.find("://") + 3);
      location = request.url.substr(0, path) + location;
    }
    request.url = location;
  }
}

ServiceJson ServiceClient::parse(const HttpResponse& response) const {
  ServiceJson json = ServiceJson::parse(response.body, nullptr, false);
  if (json.is_discarded())
    throw ServiceError(
        fmt::format("{} answers with no JSON: is '{}' the address of its API?", access_.name, access_.api_url), 0);
  return json;
}

ServiceJson ServiceClient::get(const std::string& path) {
  return parse(answer("GET", access_.api_url + path, "", true));
}

void ServiceClient::each(const std::string& path, const std::function<bool(const ServiceJson& item)>& visit) {
  std::string url =
      fmt::format("{}{}{}per_page=100", access_.api_url, path, path.find('?') == std::string::npos ? '?' : '&');
  for (int page = 0; !url.empty(); ++page) {
    if (page == kMaxPages)
      throw ServiceError(fmt::format("{} has more than {} pages of {}", access_.name, kMaxPages, path), 0);
    HttpResponse response = answer("GET", url, "", true);
    ServiceJson items = parse(response);
    if (items.is_object())  // "check_runs" and the like are lists in an object
      for (auto& [key, value] : items.items())
        if (value.is_array()) {
          ServiceJson list = value;
          items = std::move(list);
          break;
        }
    if (!items.is_array()) throw ServiceError(fmt::format("{} answers no list to GET {}", access_.name, path), 0);
    for (const ServiceJson& item : items)
      if (!visit(item)) return;
    url = next_page(response.header("link"));
  }
}

ServiceJson ServiceClient::change(const std::string& method, const std::string& path, const ServiceJson& body,
                                  bool repeatable) {
  return parse(answer(method, access_.api_url + path, body.dump(-1, ' ', false, ServiceJson::error_handler_t::replace),
                      repeatable));
}

ServiceJson ServiceClient::create(const std::string& path, const ServiceJson& body) {
  return parse(
      answer("POST", access_.api_url + path, body.dump(-1, ' ', false, ServiceJson::error_handler_t::replace), false));
}

}  // namespace qd::report
