// Conversion of values of TOML and INI files.
#include "report/config/own_value.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/config/option_value.h"
#include "report/regex/python_text.h"

namespace qd::report {

namespace {

[[noreturn]] void refuse(const OwnPlace& place, const std::string& why) {
  throw InvalidFile(fmt::format("Option {} {}", place.text(), why));
}

std::string replaced(const OwnPlace& place, const std::string& text) {
  std::string result, unset;
  result = substitute_variables(text, &unset);
  if (!unset.empty())
    refuse(place, fmt::format("uses the variable {0}, which is not set: {1} (${{{0}-VALUE}} has a value for that case)",
                              unset, python_repr(text)));
  if (python_strip(result).empty())
    refuse(place, text.empty() ? "is empty" : fmt::format("is empty: {}", python_repr(text)));
  return result;
}

/// Adds the parts of a text between commas and line ends, without blanks around them. A variable may hold several.
void add_pieces(const OwnPlace& place, const std::string& text, StringList& pieces, bool with_variables = true) {
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find_first_of(",\n", start), text.size());
    const std::string piece = python_strip(text.substr(start, end - start));
    start = end + 1;
    if (piece.empty()) continue;
    if (with_variables)
      add_pieces(place, replaced(place, piece), pieces, false);
    else
      pieces.push_back(piece);
  }
}

std::optional<std::string> as_number(const ConfigValue& value) {
  if (auto* number = std::get_if<int64_t>(&value.value)) return std::to_string(*number);
  if (auto* number = std::get_if<double>(&value.value)) return fmt::format("{}", *number);
  return std::nullopt;
}

std::string number(const OwnPlace& place, const ConfigValue& value) {
  if (auto found = as_number(value)) return *found;
  if (auto* text = std::get_if<std::string>(&value.value)) return python_strip(replaced(place, *text));
  refuse(place, "is neither a number nor a string: " + value.repr());
}

/// "src/**=95" of "src/** = 95".
std::string without_blanks_around_equals(const std::string& text) {
  const size_t equals = text.rfind('=');
  if (equals == std::string::npos) return text;
  return python_strip(text.substr(0, equals)) + "=" + python_strip(text.substr(equals + 1));
}

StringList numbers(const OwnPlace& place) {
  StringList result;
  if (auto* table = std::get_if<ConfigValue::Table>(&place.value.value)) {
    for (const auto& [pattern, value] : *table) {
      if (std::holds_alternative<ConfigValue::Table>(value.value))
        refuse(place, fmt::format("has a table at '{}': quote a pattern with dots, like \"a.py\" = 90", pattern));
      result.push_back(pattern + "=" + number(place, value));
    }
  } else if (auto* list = std::get_if<std::vector<ConfigValue>>(&place.value.value)) {
    for (const ConfigValue& one : *list) result.push_back(number(place, one));
  } else if (auto* text = std::get_if<std::string>(&place.value.value)) {
    if (place.file.is_toml) refuse(place, "is not a list: " + place.value.repr());
    add_pieces(place, *text, result);
    for (std::string& one : result) one = without_blanks_around_equals(one);
  } else if (auto one = as_number(place.value)) {
    result = {*one};
  } else {
    refuse(place, "is not a list: " + place.value.repr());
  }
  if (result.empty()) refuse(place, "is empty");
  return result;
}

StringList texts(const OwnPlace& place, bool text_is_list) {
  StringList result;
  if (auto* text = std::get_if<std::string>(&place.value.value); text && (text_is_list || !place.file.is_toml)) {
    add_pieces(place, *text, result);
    return result;
  }
  auto* list = std::get_if<std::vector<ConfigValue>>(&place.value.value);
  if (!list) refuse(place, "is not a list: " + place.value.repr());
  for (const ConfigValue& one : *list) {
    auto* text = std::get_if<std::string>(&one.value);
    if (!text) refuse(place, "is not a list of strings: " + one.repr());
    result.push_back(replaced(place, *text));
  }
  return result;
}

std::string flag(const OwnPlace& place) {
  if (auto* given = std::get_if<bool>(&place.value.value)) return *given ? "true" : "false";
  if (auto* text = std::get_if<std::string>(&place.value.value)) {
    const ConfigValue value{replaced(place, *text)};
    try {
      return OptionValue(place.file, place.section, place.name, value).boolean() ? "true" : "false";
    } catch (const InvalidFile& error) {
      if (place.file.is_toml) throw;
      refuse(place, "is not a boolean: " + value.repr());
    }
  }
  refuse(place, "is not a boolean: " + place.value.repr());
}

std::string text(const OwnPlace& place) {
  if (auto* text = std::get_if<std::string>(&place.value.value)) return replaced(place, *text);
  refuse(place, "is not a string: " + place.value.repr());
}

}  // namespace

StringList own_values(const OwnPlace& place, OwnKind kind) {
  switch (kind) {
    case OwnKind::Flag: return {flag(place)};
    case OwnKind::Text: return {text(place)};
    case OwnKind::Texts: return texts(place, true);
    case OwnKind::List: return texts(place, false);
    case OwnKind::Number: return {number(place, place.value)};
    case OwnKind::Numbers: return numbers(place);
  }
  return {};
}

}  // namespace qd::report
