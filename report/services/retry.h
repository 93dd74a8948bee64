// When a request is worth another try, and after how long: GitHub's rules for rate limits, which GitLab's fit into.
#pragma once

#include <functional>
#include <optional>
#include <random>
#include <string>

#include "report/services/http.h"

namespace qd::report {

/// Seconds that a service asks to be left alone, from `now` (Unix time); no value when the answer is about something
/// else. Retry-After counts first, then the time at which an exhausted limit is refilled; where a limit is spoken of
/// and no time is said, a minute.
std::optional<double> rate_limit_wait(const HttpResponse& response, double now);

/// The time that all requests of a command may spend waiting, together.
class Patience {
 public:
  using Notice = std::function<void(const std::string& text)>;

  /// `notice` gets one line before each wait.
  Patience(double seconds, Notice notice);

  /// Waits so long. False, at once, when that is more than is left.
  bool wait(double seconds, const std::string& why);
  /// Waits longer after each try (from 0), by chance, so that many who failed together do not come back together. False
  /// when there is no time left or no use.
  bool back_off(int tries, const std::string& why);
  double left() const { return left_; }

 private:
  double left_;
  Notice notice_;
  std::minstd_rand chance_;
};

/// Sends until there is an answer that more patience would not change: rate limits are waited out, 5xx and lost
/// connections are tried again. A request that is not `repeatable` (it makes something) is sent again only where it
/// surely did nothing; else HttpError with maybe_done is thrown.
HttpResponse send_patiently(const HttpRequest& request, bool repeatable, Patience& patience);

}  // namespace qd::report
