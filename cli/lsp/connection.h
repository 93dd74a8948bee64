// LSP connection: messages of the Language Server Protocol over standard input and output.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace qd::cli {

/// JSON-RPC with headers, "Content-Length: 123\r\n\r\n{...}". Not thread-safe.
class LspConnection {
 public:
  /// Takes over standard output for the protocol: other output goes to standard error from now on.
  LspConnection();
  ~LspConnection();
  LspConnection(const LspConnection&) = delete;
  LspConnection& operator=(const LspConnection&) = delete;

  enum class Event { kMessage, kNothing, kEnd };

  /// Waits for a message, at most `patience`. A message that is no JSON, or has no length, is answered with an error,
  /// and skipped.
  Event wait(std::chrono::milliseconds patience, nlohmann::json& message);

  /// These calls throw OutputError when the editor has closed the stream.
  void answer(const nlohmann::json& id, nlohmann::json result);
  void refuse(const nlohmann::json& id, int code, const std::string& why);
  void notify(const std::string& method, nlohmann::json parameters);
  /// Sends a request whose answer is ignored.
  void ask(const std::string& method);

 private:
  enum class Part { kBody, kMore, kBad };
  Part next_body(std::string& body);
  void send(const nlohmann::json& message);

  int out_ = -1;          // the protocol's output
  std::string received_;  // bytes of an incomplete message
  size_t skipped_ = 0;    // remaining bytes of a message that is too long
  bool ended_ = false;
  int64_t last_id_ = 0;
};

}  // namespace qd::cli
