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
  PythonJson(std::string& out, bool pretty, int depth = 0) : out_(out), pretty_(pretty), depth_(depth) {}

  void open(char bracket) {
    out_ += bracket;
    ++depth_;
    first_ = true;
  }
  void close(char bracket) {
    --depth_;
    if (!first_ && pretty_) new_line();
    out_ += bracket;
    first_ = false;
  }
  /// Separates elements. Call it before each element of a list.
  void item() {
    if (!first_) out_ += pretty_ ? "," : ", ";
    if (pretty_) new_line();
    first_ = false;
  }
  /// Writes a key. Call it before each value of an object. `name` needs no escapes.
  void key(std::string_view name) { ((item(), out_ += '"') += name) += "\": "; }
  void quoted_key(std::string_view quoted) { (item(), out_ += quoted) += ": "; }

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
  void new_line() { (out_ += '\n').append(static_cast<size_t>(depth_) * 4, ' '); }

  std::string& out_;
  bool pretty_;
  int depth_;
  bool first_ = true;
};

}  // namespace qd::report
