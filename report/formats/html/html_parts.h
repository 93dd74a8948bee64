// Parts that the HTML pages share: the page itself, bars, links and ids.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace qd::report {

/// CSS class of a share: "good" when everything is covered, "part" from three quarters on, else "bad".
const char* quality(int64_t covered, int64_t total);

/// Bar of the covered part, as SVG.
std::string svg_bar(int64_t covered, int64_t total);

/// Path as HTML: its folders are in order from left to right also if their names are written from right to left.
std::string html_path(const std::string& path);

/// Path in a URL: all but letters, digits and "/._-" percent-encoded.
std::string url_path(const std::string& path);

/// Id of a line ("pkg/a.py:L12") or, with line 0, of a file; stable between reports.
std::string anchor_id(const std::string& path, int32_t line = 0);
/// Value of href for a link to it; escaped.
std::string anchor_href(const std::string& path, int32_t line = 0);

struct PageExtras {
  std::string style;                            // the user's style sheet, after the page's own
  bool loads_parts = false;                     // its scripts may load others
  std::vector<std::string_view> first_scripts;  // scripts in the template's place before the others
};

/// Whole page from the template `name`, with its styles, its scripts (in this order) and content security policy filled
/// in beside `values`.
std::string html_page(std::string_view name, const std::vector<std::string_view>& styles,
                      const std::vector<std::string_view>& scripts, std::map<std::string_view, std::string> values,
                      const PageExtras& extras = {});

/// Legend of the signs of missing lines of kernels.
inline constexpr const char* kKernelStateLegend =
    "<li class=\"ker\"><b>𝕂</b> did not run in a kernel</li><li class=\"mis\"><b>✗</b> in kernels: not hit</li>"
    "<li class=\"unm\"><b>?</b> not measured</li><li class=\"unc\"><b>○</b> not compiled</li>";

}  // namespace qd::report
