// Shared parts of the HTML pages.
#include "report/formats/html/html_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/data/ascii.h"
#include "report/formats/common/text.h"
#include "report/formats/html/page_data.h"
#include "templates/templates.h"

namespace qd::report {

const char* quality(int64_t covered, int64_t total) {
  return covered == total ? "good" : covered * 10 >= total * 9 ? "most" : covered * 4 >= total * 3 ? "part" : "bad";
}

std::string svg_bar(int64_t covered, int64_t total) {
  double width = total == 0 ? 100 : 100.0 * static_cast<double>(covered) / static_cast<double>(total);
  return fmt::format(
      "<svg class=\"bar\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
      "<rect class=\"track\" width=\"100\" height=\"8\"/><rect class=\"{}\" width=\"{:.2f}\" height=\"8\"/></svg>",
      quality(covered, total), width);
}

std::string html_path(const std::string& path) {
  const std::string text = displayed(path);
  if (std::ranges::all_of(text, is_ascii)) return escape_html(text);
  std::string html;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('/', at), text.size());
    html += fmt::format("<bdi dir=\"ltr\">{}</bdi>", escape_html(text.substr(at, end - at)));
    if (end < text.size()) html += '/';
    at = end + 1;
  }
  return html;
}

std::string anchor_id(const std::string& path, int32_t line) {
  std::string id = displayed(path);
  for (char& c : id)
    if (c == ' ') c = '_';  // an id has no blanks
  if (line > 0) id += fmt::format(":L{}", line);
  return escape_html(id);
}

std::string url_path(const std::string& path) {
  std::string result;
  for (char c : path) {
    auto byte = static_cast<unsigned char>(c);
    bool plain = is_letter(c) || is_digit(c) || c == '/' || c == '.' || c == '_' || c == '-';
    result += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return result;
}

std::string anchor_href(const std::string& path, int32_t line) {
  std::string id = displayed(path);
  std::replace(id.begin(), id.end(), ' ', '_');
  std::string href = "#" + url_path(id);
  if (line > 0) href += fmt::format(":L{}", line);
  return href;
}

std::string html_page(std::string_view name, const std::vector<std::string_view>& styles,
                      const std::vector<std::string_view>& scripts, std::map<std::string_view, std::string> values,
                      const PageExtras& extras) {
  auto elements = [](const char* tag, const std::vector<std::string_view>& files, std::string& hashes) {
    std::string html;
    for (std::string_view file : files) {
      const templates::Template& part = templates::find(file);
      html += fmt::format("<{0}>{1}</{0}>\n", tag, part.text);
      hashes += fmt::format(" {}", part.csp_hash);
    }
    return html;
  };
  std::string style_hashes, script_hashes;
  values["styles"] = elements("style", styles, style_hashes);
  values["first_scripts"] = elements("script", extras.first_scripts, script_hashes);
  values["scripts"] = elements("script", scripts, script_hashes);
  if (!extras.style.empty()) {
    values["styles"] += fmt::format("<style>{}</style>\n", extras.style);
    style_hashes += ' ' + csp_hash(extras.style);
  }
  // Content security policy: the page loads nothing from elsewhere, and runs only scripts that are built into this
  // program, and those that these load.
  if (extras.loads_parts) script_hashes += " 'strict-dynamic' 'self'";
  values["csp"] = fmt::format("default-src 'none'; style-src{}; script-src{}; base-uri 'none'; form-action 'none'",
                              style_hashes, script_hashes);
  values["frame"] = templates::fill(templates::find("head.html").text, values);
  return templates::fill(templates::find(name).text, values);
}

}  // namespace qd::report
