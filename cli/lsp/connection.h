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
  /// From now on standard output is the protocol's alone: what else is printed there goes to standard error.
  LspConnection();
  ~LspConnection();
  LspConnection(const LspConnection&) = delete;
  LspConnection& operator=(const LspConnection&) = delete;

  enum class Event { kMessage, kNothing, kEnd };

  /// Waits for a message, but no longer than `patience`. What is no JSON, or has no length, is answered with an error,
  /// and skipped.
  Event wait(std::chrono::milliseconds patience, nlohmann::json& message);

  /// All of these throw OutputError when nobody reads.
  void answer(const nlohmann::json& id, nlohmann::json result);
  void refuse(const nlohmann::json& id, int code, const std::string& why);
  void notify(const std::string& method, nlohmann::json parameters);
  /// Sends a request whose answer does not matter.
  void ask(const std::string& method);

 private:
  enum class Part { kBody, kMore, kBad };
  Part next_body(std::string& body);
  void send(const nlohmann::json& message);

  int out_ = -1;          // where the protocol is written
  std::string received_;  // bytes that are no whole message yet
  size_t skipped_ = 0;    // bytes of a message that is too long, which are still to come
  bool ended_ = false;
  int64_t last_id_ = 0;
};

}  // namespace qd::cli
