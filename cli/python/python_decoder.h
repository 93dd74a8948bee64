// Decoder of sources in rare encodings: the user's Python.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace qd::cli {

/// A report::SourceDecoder. Nothing also when there is no Python.
std::optional<std::string> decode_by_python(std::string_view bytes, const std::string& encoding);

}  // namespace qd::cli
