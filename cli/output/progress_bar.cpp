// Progress bar: a line on a terminal.
#include "cli/output/progress_bar.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace qd::cli {

namespace {

constexpr size_t kFewest = 100;  // smallest number of pieces of work with a bar
constexpr size_t kWidth = 30;

ProgressBar* visible_bar = nullptr;

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool on_terminal() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && (term == nullptr || std::strcmp(term, "dumb") != 0);
}

}  // namespace

ProgressBar::ProgressBar(std::string label, bool wanted, std::chrono::milliseconds patience)
    : label_(std::move(label)),
      wanted_(wanted && on_terminal()),
      colored_(!is_set("NO_COLOR")),
      from_(std::chrono::steady_clock::now() + patience) {}

void ProgressBar::show(size_t done, size_t of) {
  if (!wanted_ || of < kFewest) return;
  const size_t steps = 100 * done / of;
  if (drawn_ == steps + 1 || (drawn_ == 0 && std::chrono::steady_clock::now() < from_)) return;
  drawn_ = steps + 1;
  visible_bar = this;
  const size_t filled = kWidth * done / of;
  const std::string bar =
      fmt::format("\r{} [{}{}{}{}] {}/{}", label_, colored_ ? "\033[36m" : "", std::string(filled, '#'),
                  colored_ ? "\033[0m" : "", std::string(kWidth - filled, ' '), done, of);
  std::fputs(bar.c_str(), stderr);
  std::fflush(stderr);
}

void ProgressBar::clear() {
  if (drawn_ == 0) return;
  drawn_ = 0;
  visible_bar = nullptr;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

void ProgressBar::make_room() {
  if (visible_bar) visible_bar->clear();
}

}  // namespace qd::cli
