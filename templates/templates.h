// Templates of HTML pages, embedded at build time from the files of this folder.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace qd::templates {

struct Template {
  std::string_view name;  // "style.css"
  std::string_view text;
  std::string_view csp_hash;  // "'sha256-...'", for a content security policy
};

std::span<const Template> all();

/// Returns the template of a name. Throws std::out_of_range for an unknown one.
const Template& find(std::string_view name);

/// Replaces {{name}} by its value. Values are inserted unescaped: escape text that is not HTML. Throws
/// std::out_of_range for a name without value.
std::string fill(std::string_view text, const std::map<std::string_view, std::string>& values);

}  // namespace qd::templates
