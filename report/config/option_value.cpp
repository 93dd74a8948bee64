// Conversions of configuration values, and the replacement of variables in them.
#include "report/config/option_value.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "report/regex/python_regex.h"
#include "report/regex/python_text.h"

namespace qd::report {

namespace {

bool is_variable_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Parts of `text` between `separators`, stripped, without empty ones.
StringList split(const std::string& text, const char* separators) {
  StringList pieces;
  for (size_t start = 0; start <= text.size();) {
    size_t end = std::min(text.find_first_of(separators, start), text.size());
    std::string piece = python_strip(text.substr(start, end - start));
    if (!piece.empty()) pieces.push_back(piece);
    start = end + 1;
  }
  return pieces;
}

/// `text` as Python's int() or float() reads it: spaces around, underscores between digits.
template <typename T, typename Convert>
std::optional<T> python_number(const std::string& text, Convert convert) {
  std::string stripped = python_strip(text), digits;
  for (size_t i = 0; i < stripped.size(); ++i) {
    if (stripped[i] != '_')
      digits += stripped[i];
    else if (i == 0 || i + 1 == stripped.size() || !std::isdigit(stripped[i - 1]) || !std::isdigit(stripped[i + 1]))
      return std::nullopt;
  }
  if (digits.empty() || digits.find_first_of("xX(") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  T value = convert(digits.c_str(), &end);
  if (*end) return std::nullopt;
  return value;
}

/// Clamps a number to int: Python's numbers have no limit, and a number beyond ours has the effect of the largest.
int as_int(int64_t number) { return static_cast<int>(std::clamp<int64_t>(number, INT_MIN, INT_MAX)); }

std::optional<int> python_int(const std::string& text) {
  return python_number<int>(text, [](const char* digits, char** end) { return as_int(std::strtol(digits, end, 10)); });
}

std::optional<double> python_float(const std::string& text) {
  return python_number<double>(text, [](const char* digits, char** end) { return std::strtod(digits, end); });
}

}  // namespace

std::string substitute_variables(const std::string& text, std::string* unset) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '$') {
      result += text[i++];
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == '$') {
      result += '$';
      i += 2;
      continue;
    }
    bool braced = i + 1 < text.size() && text[i + 1] == '{';
    size_t start = i + 1 + braced, end = start;
    while (end < text.size() && is_variable_character(text[end])) ++end;
    std::string word = text.substr(start, end - start), fallback;
    bool strict = false, has_default = false, complete = !word.empty();
    if (complete && braced) {
      if (end < text.size() && text[end] == '?') {
        strict = true;
        ++end;
      } else if (end < text.size() && text[end] == '-') {
        size_t close = std::min(text.find('}', end), text.size());
        has_default = true;
        fallback = text.substr(end + 1, close - end - 1);
        end = close;
      }
      complete = end < text.size() && text[end] == '}';
      ++end;
    }
    if (!complete) {  // no complete variable: taken literally
      result += text[i++];
      continue;
    }
    if (const char* value = std::getenv(word.c_str()))
      result += value;
    else if (unset && !has_default)
      *unset = unset->empty() ? word : *unset;
    else if (strict)
      throw ConfigError(fmt::format("Variable {} is undefined: {}", word, ConfigValue{text}.repr()));
    else
      result += fallback;
    i = end;
  }
  return result;
}

/// Home of a user, by name or else by number; empty when /etc/passwd has no such user. That file is read here, because
/// getpwnam would load libraries of the system, which a static program cannot.
std::string home_of(const std::string& name, uid_t number) {
  std::unique_ptr<FILE, int (*)(FILE*)> users(std::fopen("/etc/passwd", "re"), std::fclose);
  while (const passwd* entry = users ? fgetpwent(users.get()) : nullptr)
    if (name.empty() ? entry->pw_uid == number : name == entry->pw_name) return entry->pw_dir;
  return "";
}

std::string expand_user(const std::string& path) {
  if (!path.starts_with('~')) return path;
  size_t slash = std::min(path.find('/'), path.size());
  std::string user = path.substr(1, slash - 1), home;
  const char* from_environment = std::getenv("HOME");
  if (user.empty() && from_environment)
    home = from_environment;
  else if (home = home_of(user, getuid()); home.empty())
    return path;
  while (home.ends_with('/')) home.pop_back();
  std::string expanded = home + path.substr(slash);
  return expanded.empty() ? "/" : expanded;
}

std::optional<std::string> OptionValue::as_text() const {
  const std::string* text = std::get_if<std::string>(&value_.value);
  if (!text) return std::nullopt;
  return substitute_variables(*text);
}

void OptionValue::not_a(const char* kind) const {
  throw InvalidFile(fmt::format("Option {} is not {}: {}", place_, kind, value_.repr()));
}

void OptionValue::cannot_convert_to(const char* kind, const std::string& text) const {
  throw InvalidFile(fmt::format("Option {} couldn't convert to {}: {}", place_, kind, ConfigValue{text}.repr()));
}

std::string OptionValue::text() const {
  std::optional<std::string> text = as_text();
  return text ? *text : value_.repr();
}

std::string OptionValue::file() const {
  std::optional<std::string> text = as_text();
  if (!text) not_a("a string");
  return expand_user(*text);
}

bool OptionValue::boolean() const {
  if (const bool* flag = std::get_if<bool>(&value_.value)) return *flag;
  std::optional<std::string> text = as_text();
  if (!text) not_a("a boolean");
  std::string word = *text;
  if (is_toml_) {
    if (word != "true" && word != "false") cannot_convert_to("a boolean", word);
    return word == "true";
  }
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (word == "1" || word == "yes" || word == "true" || word == "on") return true;
  if (word == "0" || word == "no" || word == "false" || word == "off") return false;
  throw InvalidFile("Not a boolean: " + *text);
}

int OptionValue::integer() const {
  if (const int64_t* number = std::get_if<int64_t>(&value_.value)) return as_int(*number);
  std::optional<std::string> text = as_text();
  if (!text) not_a("an integer");
  std::optional<int> number = python_int(*text);
  if (!number && is_toml_) cannot_convert_to("an integer", *text);
  if (!number) throw InvalidFile(fmt::format("invalid literal for int() with base 10: {}", ConfigValue{*text}.repr()));
  return *number;
}

double OptionValue::number() const {
  if (const double* number = std::get_if<double>(&value_.value)) return *number;
  if (const int64_t* number = std::get_if<int64_t>(&value_.value)) return static_cast<double>(*number);
  std::optional<std::string> text = as_text();
  if (!text) not_a("a float");
  std::optional<double> number = python_float(*text);
  if (!number && is_toml_) cannot_convert_to("a float", *text);
  if (!number) throw InvalidFile(fmt::format("could not convert string to float: {}", ConfigValue{*text}.repr()));
  return *number;
}

StringList OptionValue::toml_list() const {
  const auto* items = std::get_if<std::vector<ConfigValue>>(&value_.value);
  if (!items) not_a("a list");
  StringList list;
  for (const ConfigValue& item : *items) {
    const std::string* text = std::get_if<std::string>(&item.value);
    if (!text) throw InvalidFile(fmt::format("Option {} is not a list of strings: {}", place_, item.repr()));
    list.push_back(substitute_variables(*text));
  }
  return list;
}

StringList OptionValue::list() const { return is_toml_ ? toml_list() : split(*as_text(), "\n,"); }

StringList OptionValue::regex_list() const {
  StringList list;
  for (const std::string& item : is_toml_ ? toml_list() : python_splitlines(*as_text())) {
    std::string stripped = python_strip(item);
    try {
      check_regex(stripped);
    } catch (const std::runtime_error& error) {
      throw ConfigError(fmt::format("Invalid [{}].{} value {}: {}", is_toml_ ? section_ : bare_section_, option_,
                                    python_repr(stripped), error.what()));
    }
    if (!stripped.empty()) list.push_back(stripped);
  }
  return list;
}

}  // namespace qd::report
