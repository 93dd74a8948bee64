// Retries of requests, with a limit on the waiting time.
#include "report/services/retry.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <thread>

namespace qd::report {

namespace {

constexpr int kMaxTries = 8;
constexpr double kFirstPause = 0.25;
constexpr double kUnsaidLimit = 60;

std::optional<double> number(const std::string& text) {
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || !(value >= 0)) return std::nullopt;
  return value;
}

double now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

std::string seconds(double value) {
  return value < 10    ? fmt::format("{:.1f} s", value)
         : value < 300 ? fmt::format("{:.0f} s", value)
                       : fmt::format("{:.0f} min", value / 60);
}

}  // namespace

std::optional<double> rate_limit_wait(const HttpResponse& response, double now) {
  if (response.status != 403 && response.status != 429) return std::nullopt;
  if (auto after = number(response.header("retry-after"))) return *after;
  for (const char* prefix : {"x-ratelimit-", "ratelimit-"}) {
    auto reset = number(response.header(std::string(prefix) + "reset"));
    if (response.header(std::string(prefix) + "remaining") == "0" && reset) return std::max(0.0, *reset - now) + 1;
  }
  if (response.status == 429 || response.body.find("rate limit") != std::string::npos) return kUnsaidLimit;
  return std::nullopt;
}

Patience::Patience(double seconds, Notice notice)
    : left_(seconds), notice_(std::move(notice)), chance_(std::random_device{}()) {}

bool Patience::wait(double duration, const std::string& why) {
  if (duration > left_) return false;
  left_ -= duration;
  notice_(fmt::format("{}; trying again in {}", why, seconds(duration)));
  std::this_thread::sleep_for(std::chrono::duration<double>(duration));
  return true;
}

bool Patience::back_off(int tries, const std::string& why) {
  if (tries + 1 >= kMaxTries) return false;
  double pause = kFirstPause * static_cast<double>(1 << tries);
  return wait(std::uniform_real_distribution<double>(pause / 2, pause)(chance_), why);
}

HttpResponse send_patiently(const HttpSender& send, const HttpRequest& request, bool repeatable, Patience& patience) {
  const std::string host = origin_of(request.url).host;
  for (int tries = 0;; ++tries) {
    HttpResponse response;
    try {
      response = send(request);
    } catch (const HttpError& error) {
      if ((error.maybe_done && !repeatable) || !patience.back_off(tries, error.what())) throw;
      continue;
    }
    if (std::optional<double> limited = rate_limit_wait(response, now())) {
      // A repeated limit without a time of its own doubles the pause each time.
      double pause = *limited == kUnsaidLimit ? *limited * static_cast<double>(1 << tries) : *limited;
      if (tries + 1 < kMaxTries && patience.wait(pause, fmt::format("the rate limit of {} is used up", host))) continue;
      throw HttpError(fmt::format("the rate limit of {} is used up for {}, and only {} are left to wait (--max-wait)",
                                  host, seconds(pause), seconds(patience.left())),
                      false);
    }
    if (response.status < 500) return response;
    std::string why = fmt::format("{} answers {}", host, response.status);
    if (!repeatable) throw HttpError(why, true);
    if (!patience.back_off(tries, why)) return response;
  }
}

}  // namespace qd::report
