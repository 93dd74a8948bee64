// HTTP by libcurl, which is loaded at run time.
#include "report/services/http.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace qd::report {

namespace {

constexpr size_t kMaxAnswer = size_t{64} << 20;
constexpr long kConnectSeconds = 15;
constexpr long kSeconds = 60;

/// Functions of libcurl that are used: each is a member with the function's name.
#define QD_CURL_FUNCTIONS(X) \
  X(curl_global_init)        \
  X(curl_easy_init)          \
  X(curl_easy_setopt)        \
  X(curl_easy_perform)       \
  X(curl_easy_getinfo)       \
  X(curl_easy_cleanup)       \
  X(curl_easy_strerror)      \
  X(curl_slist_append)       \
  X(curl_slist_free_all)     \
  X(curl_url)                \
  X(curl_url_set)            \
  X(curl_url_get)            \
  X(curl_url_cleanup)        \
  X(curl_free)

// libcurl's headers define macros with these names, for type checks.
#undef curl_easy_setopt
#undef curl_easy_getinfo

struct Curl {
#define QD_CURL_MEMBER(name) decltype(&::name) name = nullptr;
  QD_CURL_FUNCTIONS(QD_CURL_MEMBER)
#undef QD_CURL_MEMBER
};

Curl load_curl() {
  void* library = nullptr;
  for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"})
    if (!library) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw std::runtime_error("libcurl is missing: install it (Debian and Ubuntu: apt-get install libcurl4)");
  Curl curl;
#define QD_CURL_LOAD(name)                                                  \
  curl.name = reinterpret_cast<decltype(curl.name)>(dlsym(library, #name)); \
  if (!curl.name) throw std::runtime_error("libcurl is too old: it has no " #name);
  QD_CURL_FUNCTIONS(QD_CURL_LOAD)
#undef QD_CURL_LOAD
  curl.curl_global_init(CURL_GLOBAL_DEFAULT);
  return curl;
}

const Curl& curl() {
  static const Curl loaded = load_curl();
  return loaded;
}

struct Answer {
  HttpResponse response;
  bool too_long = false;
};

size_t take_body(char* data, size_t size, size_t count, void* to) {
  auto* answer = static_cast<Answer*>(to);
  answer->too_long = answer->response.body.size() + size * count > kMaxAnswer;
  if (answer->too_long) return 0;
  answer->response.body.append(data, size * count);
  return size * count;
}

size_t take_header(char* data, size_t size, size_t count, void* to) {
  std::string line(data, size * count);
  auto& headers = static_cast<Answer*>(to)->response.headers;
  if (line.starts_with("HTTP/")) headers.clear();  // drops the headers of "100 Continue" or of a proxy
  size_t colon = line.find(':');
  if (colon != std::string::npos && headers.size() < 1000) {
    std::string name = line.substr(0, colon);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    size_t first = line.find_first_not_of(" \t", colon + 1);
    size_t last = line.find_last_not_of(" \t\r\n");
    headers[name] = first == std::string::npos || last < first ? "" : line.substr(first, last - first + 1);
  }
  return size * count;
}

/// Whether the request was not sent, or not completely. Then it is safe to send it again.
bool never_arrived(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_URL_MALFORMAT: return true;
    default: return false;
  }
}

}  // namespace

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
  std::unique_ptr<CURLU, void (*)(CURLU*)> parsed(curl().curl_url(), curl().curl_url_cleanup);
  if (curl().curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK)
    throw std::runtime_error(fmt::format("'{}' is no address of http or https", url));
  auto part = [&](CURLUPart which, unsigned flags = 0) {
    char* text = nullptr;
    if (curl().curl_url_get(parsed.get(), which, &text, flags) != CURLUE_OK) return std::string();
    std::string result = text;
    curl().curl_free(text);
    return result;
  };
  HttpOrigin origin = {part(CURLUPART_SCHEME), part(CURLUPART_HOST), part(CURLUPART_PORT, CURLU_DEFAULT_PORT),
                       !part(CURLUPART_USER).empty()};
  if ((origin.scheme != "http" && origin.scheme != "https") || origin.host.empty())
    throw std::runtime_error(fmt::format("'{}' is no address of http or https", url));
  return origin;
}

HttpResponse send_request(const HttpRequest& request) {
  const HttpOrigin origin = origin_of(request.url);
  std::unique_ptr<CURL, void (*)(CURL*)> handle(curl().curl_easy_init(), curl().curl_easy_cleanup);
  if (!handle) throw std::runtime_error("libcurl could not be started");
  curl_slist* headers = nullptr;
  // Without this, curl sends "Expect: 100-continue", and waits a second for a service that does not answer it.
  headers = curl().curl_slist_append(headers, "Expect:");
  for (const std::string& header : request.headers) headers = curl().curl_slist_append(headers, header.c_str());
  std::unique_ptr<curl_slist, void (*)(curl_slist*)> owned(headers, curl().curl_slist_free_all);
  Answer answer;
  auto set = [&](CURLoption option, auto value) { curl().curl_easy_setopt(handle.get(), option, value); };
  set(CURLOPT_URL, request.url.c_str());
  set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
  set(CURLOPT_HTTPHEADER, headers);
  set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  set(CURLOPT_TIMEOUT, kSeconds);
  if (origin.is_loopback()) set(CURLOPT_NOPROXY, "*");  // requests to this machine use no proxy
  if (request.method != "GET") {
    set(CURLOPT_POSTFIELDS, request.body.c_str());
    set(CURLOPT_POSTFIELDSIZE, static_cast<long>(request.body.size()));
  }
  set(CURLOPT_WRITEFUNCTION, &take_body);
  set(CURLOPT_WRITEDATA, static_cast<void*>(&answer));
  set(CURLOPT_HEADERFUNCTION, &take_header);
  set(CURLOPT_HEADERDATA, static_cast<void*>(&answer));
  CURLcode code = curl().curl_easy_perform(handle.get());
  if (answer.too_long)
    throw HttpError(fmt::format("the answer of {} is longer than {} MiB", origin.host, kMaxAnswer >> 20), true);
  if (code != CURLE_OK)
    throw HttpError(fmt::format("no answer from {}: {}", origin.host, curl().curl_easy_strerror(code)),
                    !never_arrived(code));
  long status = 0;
  curl().curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
  answer.response.status = static_cast<int>(status);
  return std::move(answer.response);
}

}  // namespace qd::report
