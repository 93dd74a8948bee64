// JSON values of a report, with checks.
#include "report/inputs/json_values.h"

#include <fmt/core.h>

#include <limits>

#include "report/data/imported.h"

namespace qd::report {

using nlohmann::json;

const json& member(const json& object, const char* key) {
  if (!object.is_object()) throw JsonShapeError(fmt::format("there is no object around '{}'", key));
  auto found = object.find(key);
  if (found == object.end()) throw JsonShapeError(fmt::format("'{}' is missing", key));
  return *found;
}

const json& list_of(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_array()) throw JsonShapeError(fmt::format("'{}' is no list", key));
  return value;
}

const json& optional_list_of(const json& object, const char* key) {
  static const json kNone = json::array();
  return object.is_object() && object.contains(key) ? list_of(object, key) : kNone;
}

std::string text_of(const json& object, const char* key) {
  const json& value = member(object, key);
  if (!value.is_string()) throw JsonShapeError(fmt::format("'{}' is no text", key));
  return value.get<std::string>();
}

std::string optional_text_of(const json& object, const char* key) {
  return object.is_object() && object.contains(key) ? text_of(object, key) : std::string();
}

uint64_t count_of(const json& value) {
  if (value.is_number_unsigned()) return value.get<uint64_t>();
  if (value.is_number_integer()) return 0;
  if (!value.is_number_float()) throw JsonShapeError(fmt::format("'{}' is no count", value.dump().substr(0, 60)));
  double real = value.get<double>();
  return !(real > 0) ? 0 : real >= 1.8e19 ? std::numeric_limits<uint64_t>::max() : static_cast<uint64_t>(real + 0.5);
}

int32_t line_of(const json& value) {
  if (!value.is_number_integer() || value < 0 || value > kMaxImportedLine)
    throw JsonShapeError(fmt::format("'{}' is no line", value.dump().substr(0, 60)));
  return value.get<int32_t>();
}

int32_t line_of(const json& value, InputFile& input, const std::string& place) {
  if (value.is_number_integer() && value >= 0 && value <= kMaxImportedLine) return value.get<int32_t>();
  const std::string text = value.dump().substr(0, 60);
  if (!value.is_number()) throw JsonShapeError(fmt::format("'{}' is no line", text));
  input.skip(place, fmt::format("'{}' can be no line", text));
  return 0;
}

const json& element(const json& list, size_t i) {
  if (!list.is_array() || i >= list.size())
    throw JsonShapeError(fmt::format("a list is too short: {} elements are needed", i + 1));
  return list[i];
}

bool truth_of(const json& value) { return value.is_boolean() ? value.get<bool>() : count_of(value) != 0; }

}  // namespace qd::report
