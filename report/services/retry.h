// Retries: decides whether a request is worth another try, and after what pause, by GitHub's rules for rate limits.
// GitLab's are the same.
#pragma once

#include <functional>
#include <optional>
#include <random>
#include <string>

#include "report/services/http.h"

namespace qd::report {

/// Pause in seconds that the service asks for, from `now` (Unix time); no value when the answer is about something
/// else. Retry-After counts first, then the time at which the limit is refilled. If an answer mentions a limit but no
/// time, it is a minute.
std::optional<double> rate_limit_wait(const HttpResponse& response, double now);

/// Time limit for waiting, shared by all requests of a command.
class Patience {
 public:
  using Notice = std::function<void(const std::string& text)>;

  /// `notice` gets one line before each wait.
  Patience(double seconds, Notice notice);

  /// Waits this long. False, without waiting, when it is more than the rest.
  bool wait(double seconds, const std::string& why);
  /// Exponential backoff: waits longer after each try (from 0), by a random time, so that many clients who failed
  /// together do not come back together. False when there is no time left, or no use.
  bool back_off(int tries, const std::string& why);
  double left() const { return left_; }

 private:
  double left_;
  Notice notice_;
  std::minstd_rand chance_;
};

/// Sends a request by `send` until its answer is final: waits while a rate limit lasts, and tries again after 5xx and
/// lost connections. `repeatable`: the request is idempotent. One that is not is sent again only if it certainly had no
/// effect; else throws HttpError with maybe_done.
HttpResponse send_patiently(const HttpSender& send, const HttpRequest& request, bool repeatable, Patience& patience);

}  // namespace qd::report
