// JSON values of a report, with checks of their kinds.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "report/inputs/input_file.h"

namespace qd::report {

/// Error about a value that is missing or of another kind; the text names it.
struct JsonShapeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Member of an object. Throws JsonShapeError when there is none.
const nlohmann::json& member(const nlohmann::json& object, const char* key);
/// The same for a list.
const nlohmann::json& list_of(const nlohmann::json& object, const char* key);
/// The same for an optional list; empty when there is none.
const nlohmann::json& optional_list_of(const nlohmann::json& object, const char* key);
std::string text_of(const nlohmann::json& object, const char* key);
/// Optional text; empty when there is none.
std::string optional_text_of(const nlohmann::json& object, const char* key);
/// Count. Negative counts, which overflowed, are 0.
uint64_t count_of(const nlohmann::json& value);
/// Line or column, from 0. Throws JsonShapeError for any other value.
int32_t line_of(const nlohmann::json& value);
/// The same, but impossible line numbers are counted by `input.skip`, and are 0. `place` is for its message.
int32_t line_of(const nlohmann::json& value, InputFile& input, const std::string& place);
/// Element `i` of a list. Throws JsonShapeError when it is no list or too short.
const nlohmann::json& element(const nlohmann::json& list, size_t i);
bool truth_of(const nlohmann::json& value);

}  // namespace qd::report
