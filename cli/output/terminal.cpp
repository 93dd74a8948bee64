// Terminal properties of a stream.
#include "cli/output/terminal.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "report/data/ascii.h"
#include "report/formats/common/terminal.h"

namespace qd::cli {

namespace {

ColorChoice choice = ColorChoice::kAuto;

}  // namespace

void choose_color(ColorChoice when) { choice = when; }

bool person_reads(std::FILE* stream) {
  return choice == ColorChoice::kAlways || (choice == ColorChoice::kAuto && isatty(fileno(stream)) == 1);
}

bool color_wanted(std::FILE* stream) {
  if (choice != ColorChoice::kAuto) return choice == ColorChoice::kAlways;
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  if (no_color != nullptr && *no_color != '\0') return false;
  return person_reads(stream) && (term == nullptr || std::strcmp(term, "dumb") != 0);
}

bool unicode_wanted() {
  for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    const std::string locale = report::lower_case(value);
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return true;
}

int terminal_width(std::FILE* stream) {
  winsize size = {};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 1 << 20;  // a reader of a pipe wants whole lines
}

std::string message_label(std::FILE* stream, const char* label, const char* code) {
  if (!person_reads(stream)) return "";
  return report::Painter{color_wanted(stream)}.paint(code, fmt::format("{}:", label)) + " ";
}

}  // namespace qd::cli
