// Settings of gates, parsed: "80" is a threshold for the whole change, "src/**=90" for the files of a pattern.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "report/gate/diff_gates.h"

namespace qd::report {

/// A text that sets no gate. what() is the end of a sentence about the text: "is no percentage from 0 to 100".
struct InvalidGate : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Each of these throws InvalidGate.
Threshold threshold_of(const std::string& text);
int64_t number_of_lines(const std::string& text);
OnNoData on_no_data_of(const std::string& text);
/// Name of a device: no host.
std::string required_arch(const std::string& text);
/// Adds a threshold of --fail-under: "80", "src/**=90", "qd:vulkan=80", "qd:vulkan:src/**=80".
void add_fail_under(DiffGateOptions& options, const std::string& text);

}  // namespace qd::report
