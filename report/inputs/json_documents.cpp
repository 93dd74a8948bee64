// JSON documents: reads one at a time, and of it one element at a time. So memory is that of one source file's part.
#include "report/inputs/json_documents.h"

#include <fmt/core.h>

#include <iterator>

namespace qd::report {

namespace {

/// Character iterator for nlohmann::json. Copies share the stream.
struct Characters {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  DocumentStream* stream = nullptr;  // none: the end

  char operator*() const { return stream->peek(); }
  Characters& operator++() {
    stream->advance();
    return *this;
  }
  Characters operator++(int) {
    Characters before = *this;
    stream->advance();
    return before;
  }
  bool operator==(const Characters& other) const {
    return (!stream || stream->at_end()) == (!other.stream || other.stream->at_end());
  }
};

/// Whether `keys` are `names`, each followed by a list.
bool leads_to(const std::vector<std::string>& keys, const std::vector<std::string>& names) {
  if (keys.size() != 2 * names.size()) return false;
  for (size_t i = 0; i < names.size(); ++i)
    if (keys[2 * i] != names[i] || !keys[2 * i + 1].empty()) return false;
  return true;
}

/// Reason in a message of nlohmann's: "syntax error while parsing value - unexpected end of input; expected ...".
std::string reason_of(const nlohmann::json::exception& error) {
  std::string text = error.what();
  size_t colon = text.find(": ");
  if (text.find("parse error at") != std::string::npos && colon != std::string::npos) return text.substr(colon + 2);
  size_t bracket = text.find("] ");
  return bracket == std::string::npos ? text : text.substr(bracket + 2);
}

}  // namespace

bool DocumentStream::refill() {
  piece_ = file_.next();
  at_ = 0;
  return !piece_.empty();
}

void DocumentStream::advance() {
  char c = piece_[at_++];
  if (c == '\n') ++line_;
  if (in_string_) {
    if (escaped_)
      escaped_ = false;
    else if (c == '\\')
      escaped_ = true;
    else if (c == '"')
      in_string_ = false;
  } else if (c == '"') {
    in_string_ = true;
  } else if (c == '{' || c == '[') {
    ++depth_;
  } else if ((c == '}' || c == ']') && --depth_ <= 0) {
    closed_ = true;
  }
}

bool DocumentStream::next_document() {
  closed_ = in_string_ = escaped_ = false;
  depth_ = 0;
  for (;;) {
    if (at_ == piece_.size() && !refill()) return false;
    char c = piece_[at_];
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return true;
    advance();
  }
}

nlohmann::json read_document(InputFile& file, DocumentStream& stream, const char* format,
                             const std::vector<std::vector<std::string>>& streamed, const OnElement& on_element) {
  using nlohmann::json;
  std::vector<std::string> keys;  // keys of the objects around, by depth; lists have an empty one
  auto callback = [&](int depth, json::parse_event_t event, json& parsed) {
    auto level = static_cast<size_t>(depth);
    if (event == json::parse_event_t::key) {
      keys.resize(level);
      keys.back() = parsed.get<std::string>();
    } else if (event == json::parse_event_t::object_end) {
      keys.resize(level);
      for (const auto& names : streamed) {
        if (!leads_to(keys, names)) continue;
        on_element(names, parsed);
        return false;
      }
    } else if (event == json::parse_event_t::array_start) {
      keys.resize(level + 1);
      keys.back().clear();
    }
    return true;
  };
  try {
    return json::parse(Characters{&stream}, Characters{}, callback);
  } catch (const json::exception& error) {
    file.fail(format, fmt::format("line {}", stream.line()), reason_of(error));
  }
}

}  // namespace qd::report
