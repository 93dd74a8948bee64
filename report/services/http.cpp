// Addresses of services, and headers of answers.
#include "report/services/http.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace qd::report {

std::string HttpResponse::header(const std::string& name) const {
  auto found = headers.find(name);
  return found == headers.end() ? "" : found->second;
}

bool HttpOrigin::is_loopback() const {
  // Loopback addresses: "127.0.0.1.example.com" is a name, not a number.
  bool numbers = host.find_first_not_of("0123456789.") == std::string::npos;
  return host == "localhost" || host == "[::1]" || (numbers && host.starts_with("127."));
}

bool HttpOrigin::is_private() const { return scheme == "https" || is_loopback(); }

HttpOrigin origin_of(const std::string& url) {
  const std::runtime_error wrong(fmt::format("'{}' is no address of http or https", url));
  // Programs differ in what they make of these characters, so none of them may decide who gets the token.
  if (std::any_of(url.begin(), url.end(), [](unsigned char c) { return c <= ' ' || c > '~' || c == '\\'; }))
    throw wrong;
  auto lower = [](std::string text) {
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    return text;
  };
  const size_t colon = url.find("://");
  if (colon == std::string::npos) throw wrong;
  HttpOrigin origin;
  origin.scheme = lower(url.substr(0, colon));
  if (origin.scheme != "http" && origin.scheme != "https") throw wrong;
  const size_t begin = colon + 3;
  std::string authority = url.substr(begin, std::min(url.find_first_of("/?#", begin), url.size()) - begin);
  if (const size_t at = authority.rfind('@'); at != std::string::npos) {
    origin.has_user = true;
    authority.erase(0, at + 1);
  }
  size_t end = std::min(authority.find(':'), authority.size());
  if (authority.starts_with('[')) {
    end = authority.find(']');
    if (end == std::string::npos || authority.find_first_not_of("0123456789abcdefABCDEF:.", 1) != end) throw wrong;
    ++end;
  } else if (authority.substr(0, end).find_first_not_of(
                 "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._") != std::string::npos) {
    throw wrong;
  }
  origin.host = lower(authority.substr(0, end));
  std::string port = authority.substr(end);
  if (port.starts_with(':')) port.erase(0, 1);
  uint16_t number = origin.scheme == "https" ? 443 : 80;
  if (!port.empty()) {
    const auto [rest, error] = std::from_chars(port.data(), port.data() + port.size(), number);
    if (error != std::errc() || rest != port.data() + port.size() || number == 0) throw wrong;
  }
  origin.port = std::to_string(number);
  if (origin.host.empty()) throw wrong;
  return origin;
}

}  // namespace qd::report
