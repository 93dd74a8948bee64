// Look-up of the embedded files, and filling of their blanks.
#include "templates/templates.h"

#include <stdexcept>

namespace qd::templates {

const Template& find(std::string_view name) {
  for (const Template& file : all())
    if (file.name == name) return file;
  throw std::out_of_range("no template " + std::string(name));
}

std::string fill(std::string_view text, const std::map<std::string_view, std::string>& values) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    size_t open = text.find("{{", at);
    size_t close = open == text.npos ? text.npos : text.find("}}", open);
    if (close == text.npos) return result.append(text.substr(at));
    result.append(text.substr(at, open - at)).append(values.at(text.substr(open + 2, close - open - 2)));
    at = close + 2;
  }
  return result;
}

}  // namespace qd::templates
