// HTTP requests by way of the user's Python, which has TLS and the certificates of the system.
#pragma once

#include "report/services/http.h"

namespace qd::cli {

/// A report::HttpSender. Throws std::runtime_error when there is no Python, or one without ssl.
report::HttpResponse send_by_python(const report::HttpRequest& request);

}  // namespace qd::cli
