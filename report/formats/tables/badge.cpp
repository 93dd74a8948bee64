// Coverage badge. The font of the picture may not exist on the machine that shows it. So widths are those of Verdana,
// and textLength makes other fonts keep to them.
#include "report/formats/tables/badge.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "report/data/utf8.h"
#include "report/formats/common/text.h"

namespace qd::report {
namespace {

constexpr double kSize = 11;   // font size, in pixels
constexpr double kMargin = 6;  // on both sides of a text, in pixels
constexpr double kRadius = 3;

/// Lower bound of a level, in percent, and its colour, on which white text is readable (contrast of 4.5 and more).
struct Level {
  double from;
  const char* color;
};
constexpr std::array<Level, 4> kLevels = {{{90, "#1a7f37"}, {75, "#7d6400"}, {60, "#b04500"}, {0, "#c02626"}}};
constexpr const char* kLabelColor = "#444c56";

/// Widths of ' ' to '~', in thousandths of the font size.
constexpr std::array<int, 95> kWidths = {
    352,  394, 459, 818, 636, 1076, 727, 269, 454, 454, 636, 818, 364, 454, 364, 454,  // space to /
    636,  636, 636, 636, 636, 636,  636, 636, 636, 636, 454, 454, 818, 818, 818, 545,  // 0 to ?
    1000, 684, 686, 698, 771, 632,  575, 775, 751, 421, 455, 693, 557, 843, 748, 787,  // @ to O
    603,  787, 695, 684, 616, 732,  684, 989, 685, 615, 685, 454, 454, 454, 818, 636,  // P to _
    636,  601, 623, 521, 623, 596,  352, 623, 633, 274, 344, 592, 274, 973, 633, 607,  // ` to o
    623,  623, 427, 521, 394, 633,  592, 818, 592, 592, 525, 635, 454, 635, 818};      // p to ~

double width_of(const std::string& text) {
  double thousandths = 0;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte <= '~')
      thousandths += kWidths[byte - static_cast<unsigned char>(' ')];
    else if (!continues_character(c))
      thousandths += 1100;  // width of the widest letters
  }
  return std::ceil(thousandths * kSize / 1000);
}

}  // namespace

std::string badge(const std::string& label, const Numbers& total, int precision) {
  std::string left = displayed(label), right = total.pc_covered_str(precision) + "%";
  double left_text = width_of(left), right_text = width_of(right);
  double split = left.empty() ? 0 : left_text + 2 * kMargin, width = split + right_text + 2 * kMargin;
  const char* color = kLevels.back().color;
  for (auto level = kLevels.rbegin(); level != kLevels.rend(); ++level)
    if (total.pc_covered() >= level->from) color = level->color;
  std::string title = left.empty() ? right : fmt::format("{}: {}", escape_xml(left), right);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"20\" viewBox=\"0 0 {0} 20\" role=\"img\" "
      "aria-label=\"{1}\"><title>{1}</title>\n"
      "<rect width=\"{0}\" height=\"20\" rx=\"{2}\" fill=\"{3}\"/>\n",
      width, title, kRadius, color);
  if (!left.empty())  // round on its left, straight at the other part
    out += fmt::format("<path d=\"M{0} 0H{1}V20H{0}A{0} {0} 0 0 1 0 17V{0}A{0} {0} 0 0 1 {0} 0z\" fill=\"{2}\"/>\n",
                       kRadius, split, kLabelColor);
  out += fmt::format(
      "<g fill=\"#fff\" font-family=\"Verdana,Geneva,'DejaVu Sans',sans-serif\" font-size=\"{}\" "
      "xml:space=\"preserve\">\n",
      kSize);
  auto text = [&](double x, double length, const std::string& what) {
    out += fmt::format("<text x=\"{}\" y=\"14\" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\">{}</text>\n", x,
                       length, escape_xml(what));
  };
  if (!left.empty()) text(kMargin, left_text, left);
  text(split + kMargin, right_text, right);
  return out + "</g>\n</svg>\n";
}

}  // namespace qd::report
