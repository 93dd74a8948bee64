// The parts of HTML pages, embedded at build from the files of this folder.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace qd::templates {

struct Template {
  std::string_view name;  // "style.css"
  std::string_view text;
  std::string_view csp_hash;  // "'sha256-...'": what allows it in a content security policy
};

std::span<const Template> all();

/// Throws std::out_of_range for an unknown name.
const Template& find(std::string_view name);

/// Puts values in the place of {{name}}. They go in as they are: escape what is not HTML. Throws std::out_of_range for
/// a name without value.
std::string fill(std::string_view text, const std::map<std::string_view, std::string>& values);

}  // namespace qd::templates
