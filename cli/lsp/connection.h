// Messages of the Language Server Protocol over standard input and output.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace qd::cli {

/// JSON-RPC with headers, "Content-Length: 123\r\n\r\n{...}". One thread.
class LspConnection {
 public:
  enum class Event { kMessage, kNothing, kEnd };

  /// Waits for a message, but no longer than `patience`. What is no JSON is answered with an error, and skipped.
  Event wait(std::chrono::milliseconds patience, nlohmann::json& message);

  void answer(const nlohmann::json& id, nlohmann::json result);
  void refuse(const nlohmann::json& id, int code, const std::string& why);
  void notify(const std::string& method, nlohmann::json parameters);
  /// Sends a request whose answer does not matter.
  void ask(const std::string& method);

 private:
  std::optional<std::string> next_body();
  void send(const nlohmann::json& message);

  std::string received_;  // bytes that are no whole message yet
  bool ended_ = false;
  int64_t last_id_ = 0;
};

}  // namespace qd::cli
