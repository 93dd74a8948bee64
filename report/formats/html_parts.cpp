// Shared parts of the HTML pages.
#include "report/formats/html_parts.h"

#include <fmt/format.h>

#include "report/formats/text.h"
#include "templates/templates.h"

namespace qd::report {

const char* quality(int64_t covered, int64_t total) {
  return covered == total ? "good" : covered * 4 >= total * 3 ? "part" : "bad";
}

std::string svg_bar(int64_t covered, int64_t total) {
  double width = total == 0 ? 100 : 100.0 * static_cast<double>(covered) / static_cast<double>(total);
  return fmt::format(
      "<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
      "<rect class=\"track\" width=\"100\" height=\"8\"/><rect class=\"{}\" width=\"{:.2f}\" height=\"8\"/></svg>",
      quality(covered, total), width);
}

std::string anchor_id(const std::string& path, int32_t line) {
  std::string id = visible(path);
  for (char& c : id)
    if (c == ' ') c = '_';  // an id has no blanks
  if (line > 0) id += fmt::format(":L{}", line);
  return escape_html(id);
}

std::string anchor_href(const std::string& path, int32_t line) {
  std::string id = visible(path);
  std::string href = "#";
  for (char c : id) {
    auto byte = static_cast<unsigned char>(c);
    bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '/' || c == '.' || c == '_' || c == '-';
    if (c == ' ') {
      href += '_';
    } else if (plain) {
      href += c;
    } else {
      href += fmt::format("%{:02X}", byte);
    }
  }
  if (line > 0) href += fmt::format(":L{}", line);
  return href;
}

std::string html_page(std::string_view name, std::string_view script, std::map<std::string_view, std::string> values) {
  const templates::Template& style = templates::find("style.css");
  const templates::Template& base = templates::find("page.js");
  const templates::Template& code = templates::find(script);
  // Nothing is loaded, and nothing runs but what was built into this program.
  values["csp"] = fmt::format("default-src 'none'; style-src {}; script-src {} {}; base-uri 'none'; form-action 'none'", style.csp_hash,
                              base.csp_hash, code.csp_hash);
  values["style"] = std::string(style.text);
  values["base"] = std::string(base.text);
  values["script"] = std::string(code.text);
  return templates::fill(templates::find(name).text, values);
}

}  // namespace qd::report
