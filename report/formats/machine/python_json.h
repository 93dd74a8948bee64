// JSON text as Python's json.dump writes it, for reports that must not differ from coverage.py's.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace qd::report {

/// JSON string in quotes; everything but printable ASCII escaped, bytes that are no UTF-8 as with Python's
/// surrogateescape.
std::string python_json_string(std::string_view text);

/// Python's repr() of a finite float.
std::string python_float(double value);

/// Appends JSON to a text: all on one line, or indented by four. Callers open and close in pairs.
class PythonJson {
 public:
  /// `depth`: nesting depth of the written value in the whole.
  PythonJson(std::string& out, bool pretty, int depth = 0) : out_(out), pretty_(pretty), depth_(depth) {
    if (pretty_) separator_.append("\n").append(static_cast<size_t>(depth_) * 4, ' ');
  }

  void open(char bracket) {
    out_ += bracket;
    ++depth_;
    if (pretty_) separator_.append(4, ' ');
    first_ = true;
  }
  void close(char bracket) {
    --depth_;
    if (pretty_) separator_.resize(separator_.size() - 4);
    if (!first_ && pretty_) out_ += std::string_view(separator_).substr(1);
    out_ += bracket;
    first_ = false;
  }
  /// Separates elements. Call it before each element of a list.
  void item() {
    const std::string_view separator = pretty_ ? std::string_view(separator_) : std::string_view(", ");
    if (!first_ || pretty_) out_ += separator.substr(first_ ? 1 : 0);
    first_ = false;
  }
  /// Writes a key. Call it before each value of an object. `name` needs no escapes.
  void key(std::string_view name) { ((item(), out_ += '"') += name) += std::string_view("\": "); }
  void quoted_key(std::string_view quoted) { (item(), out_ += quoted) += std::string_view(": "); }

  void number(int64_t value) {
    char digits[24];
    out_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }
  void entry(std::string_view name, int64_t value) { key(name), number(value); }
  void entry(std::string_view name, double value) { key(name), out_ += python_float(value); }
  void entry(std::string_view name, bool value) { key(name), out_ += value ? "true" : "false"; }
  void entry(std::string_view name, const std::string& value) { key(name), out_ += python_json_string(value); }
  void raw(std::string_view text) { out_ += text; }
  int depth() const { return depth_; }
  size_t size() const { return out_.size(); }

 private:
  std::string& out_;
  bool pretty_;
  int depth_;
  bool first_ = true;
  std::string separator_ = ",";  // of the elements here; indented, with the new line
};

}  // namespace qd::report
