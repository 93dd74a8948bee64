// LSP connection: reads bytes as they come, and cuts them into messages.
#include "cli/lsp/connection.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <string_view>

#include "cli/standard_streams.h"
#include "report/data/ascii.h"

namespace qd::cli {

namespace {

// Size limits of a message and of its headers, in bytes; an editor sends less.
constexpr size_t kMostBytes = size_t{64} << 20, kMostOfHeaders = size_t{64} << 10;

/// Position of a word in a text, case-insensitively.
size_t find_word(std::string_view text, std::string_view word) {
  const auto found = std::ranges::search(text, word, report::same_letter);
  return found.empty() ? std::string_view::npos : static_cast<size_t>(found.begin() - text.begin());
}

/// Number behind a header's colon, with blanks around it.
std::optional<size_t> number_of(std::string_view value) {
  constexpr std::string_view kBlanks = " \t";
  value.remove_prefix(std::min(value.find_first_not_of(kBlanks), value.size()));
  value = value.substr(0, value.find_last_not_of(kBlanks) + 1);
  size_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && end == value.data() + value.size() ? std::optional(number) : std::nullopt;
}

/// Length of the body by Content-Length; headers are in any order, their names in any case. No value when there is
/// none. In the last line, the header may stand behind the rest of an earlier message.
std::optional<size_t> length_of(std::string_view headers) {
  constexpr std::string_view kName = "Content-Length:";
  std::optional<size_t> length;
  for (size_t at = 0; at <= headers.size();) {
    const size_t end = std::min(headers.find("\r\n", at), headers.size());
    const std::string_view line = headers.substr(at, end - at);
    const size_t place = find_word(line, kName);
    if (place == 0 || (place != std::string_view::npos && end == headers.size() && !length))
      length = number_of(line.substr(place + kName.size()));
    at = end + 2;
  }
  return length;
}

}  // namespace

LspConnection::LspConnection() {
  std::fflush(stdout);
  out_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  dup2(STDERR_FILENO, STDOUT_FILENO);
}

LspConnection::~LspConnection() {
  if (out_ >= 0) close(out_);
}

LspConnection::Part LspConnection::next_body(std::string& body) {
  const size_t skipped = std::min(skipped_, received_.size());
  received_.erase(0, skipped);
  skipped_ -= skipped;
  const size_t end = received_.find("\r\n\r\n");
  if (end == std::string::npos) {
    if (received_.size() <= kMostOfHeaders) return Part::kMore;
    received_.erase(0, received_.size() - 3);  // the end of the headers may be split
    return Part::kBad;
  }
  const size_t begin = end + 4;
  const std::optional<size_t> length = length_of(std::string_view(received_).substr(0, end));
  if (!length || *length > kMostBytes) {
    received_.erase(0, begin);
    skipped_ = length.value_or(0);
    return Part::kBad;
  }
  if (received_.size() - begin < *length) return Part::kMore;
  body = received_.substr(begin, *length);
  received_.erase(0, begin + *length);
  return Part::kBody;
}

LspConnection::Event LspConnection::wait(std::chrono::milliseconds patience, nlohmann::json& message) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (true) {
    std::string body;
    for (Part part = next_body(body); part != Part::kMore; part = next_body(body)) {
      message = part == Part::kBody ? nlohmann::json::parse(body, nullptr, false) : nlohmann::json();
      if (message.is_object()) return Event::kMessage;
      refuse(nullptr, -32700, part == Part::kBody ? "no JSON object" : "no headers with a Content-Length that can be");
    }
    if (ended_) return Event::kEnd;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    pollfd input{STDIN_FILENO, POLLIN, 0};
    const int ready = poll(&input, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0);
    if (ready == 0) return Event::kNothing;
    if (ready < 0 && errno == EINTR) continue;
    char bytes[1 << 16];
    const ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
    if (n > 0)
      received_.append(bytes, static_cast<size_t>(n));
    else if (n == 0 || errno != EINTR)
      ended_ = true;
  }
}

void LspConnection::send(const nlohmann::json& message) {
  const std::string text = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::string whole = fmt::format("Content-Length: {}\r\n\r\n{}", text.size(), text);
  for (std::string_view rest = whole; !rest.empty();) {
    const ssize_t n = ::write(out_, rest.data(), rest.size());
    if (n < 0 && errno != EINTR) throw OutputError(errno);
    rest.remove_prefix(n > 0 ? static_cast<size_t>(n) : 0);
  }
}

void LspConnection::answer(const nlohmann::json& id, nlohmann::json result) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void LspConnection::refuse(const nlohmann::json& id, int code, const std::string& why) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", why}}}});
}

void LspConnection::notify(const std::string& method, nlohmann::json parameters) {
  send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(parameters)}});
}

void LspConnection::ask(const std::string& method) {
  send({{"jsonrpc", "2.0"}, {"id", fmt::format("qd-cov-{}", ++last_id_)}, {"method", method}});
}

}  // namespace qd::cli
