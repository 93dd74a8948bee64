// Parts that the HTML pages share: the page itself, bars, links and ids.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace qd::report {

/// "good" when everything is covered, "part" from three quarters on, else "bad": the classes of style.css.
const char* quality(int64_t covered, int64_t total);

/// A bar of the covered part, as SVG.
std::string svg_bar(int64_t covered, int64_t total);

/// A path as HTML: its folders stand from left to right though their names be written from right to left.
std::string html_path(const std::string& path);

/// A path as a URL has it: all but letters, digits and "/._-" in percent signs.
std::string url_path(const std::string& path);

/// The id of a line ("pkg/a.py:L12") or, with line 0, of a file; stable between reports.
std::string anchor_id(const std::string& path, int32_t line = 0);
/// What a link to it has in href; escaped.
std::string anchor_href(const std::string& path, int32_t line = 0);

struct PageExtras {
  std::string style;                            // of the user's, after the page's own
  bool loads_parts = false;                     // its scripts may load others
  std::vector<std::string_view> first_scripts;  // those that stand before the others, where the template wants them
};

/// A whole page from the template `name`, with its styles, its scripts (in this order) and content security policy
/// filled in beside `values`.
std::string html_page(std::string_view name, const std::vector<std::string_view>& styles,
                      const std::vector<std::string_view>& scripts, std::map<std::string_view, std::string> values,
                      const PageExtras& extras = {});

/// What the signs of missing lines of kernels mean.
inline constexpr const char* kKernelStateLegend =
    "<li class=\"ker\"><b>𝕂</b> did not run in a kernel</li><li class=\"mis\"><b>✗</b> in kernels: not hit</li>"
    "<li class=\"unm\"><b>?</b> not measured</li><li class=\"unc\"><b>○</b> not compiled</li>";

}  // namespace qd::report
