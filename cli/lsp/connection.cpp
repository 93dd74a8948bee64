// Reads bytes as they come, and cuts them into messages.
#include "cli/lsp/connection.h"

#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>

namespace qd::cli {

namespace {

constexpr size_t kMostBytes = size_t{64} << 20;  // of a message; whoever sends more is no editor

}  // namespace

std::optional<std::string> LspConnection::next_body() {
  constexpr std::string_view kLength = "Content-Length:";
  const size_t end = received_.find("\r\n\r\n");
  if (end == std::string::npos) return std::nullopt;
  const size_t at = received_.find(kLength);
  size_t length = 0;
  if (at < end) {
    size_t digits = at + kLength.size();
    while (received_[digits] == ' ') ++digits;
    std::from_chars(received_.data() + digits, received_.data() + end, length);
  }
  if (length > kMostBytes) {
    ended_ = true;
    return std::nullopt;
  }
  const size_t body = end + 4;
  if (received_.size() < body + length) return std::nullopt;
  std::string text = received_.substr(body, length);
  received_.erase(0, body + length);
  return text;
}

LspConnection::Event LspConnection::wait(std::chrono::milliseconds patience, nlohmann::json& message) {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (true) {
    while (std::optional<std::string> body = next_body()) {
      message = nlohmann::json::parse(*body, nullptr, false);
      if (message.is_object()) return Event::kMessage;
      refuse(nullptr, -32700, "no JSON object");
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
    else
      ended_ = true;
  }
}

void LspConnection::send(const nlohmann::json& message) {
  const std::string text = message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  fmt::print(stdout, "Content-Length: {}\r\n\r\n{}", text.size(), text);
  std::fflush(stdout);
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
