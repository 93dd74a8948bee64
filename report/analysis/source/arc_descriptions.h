// Descriptions of arcs in English: the action of an arc, and the cause why it may never have been taken. The words are
// coverage.py's.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "report/data/arc.h"

namespace qd::report {

/// Cause why control did not go on from a line.
enum class Cause : uint8_t {
  kUnknown,
  kBreak,
  kContinue,
  kRaise,
  kReturn,
  kNeverTrue,
  kAlwaysTrue,
  kNeverStarted,
  kNotCompleted,
  kAlwaysMatched,
  kNeverMatched,
  kNoException,
};

/// Action of an arc.
enum class ArcAction : uint8_t { kJump, kReturn, kExcept, kExitClass, kExitModule };

struct ArcReason {
  Cause cause;
  ArcAction action;
  std::string name;  // of the function or class that is left
  bool operator==(const ArcReason&) const = default;
};

/// Statements that can take an arc, in the order in which they are told. An arc that no decision leads to has none.
using ArcReasons = std::map<Arc, std::vector<ArcReason>>;

/// "jump to line 3", "return from function 'f'".
std::string describe_arc(Arc arc, const ArcReasons& reasons);

/// "line 1 didn't jump to line 3 because the condition on line 1 was always true".
std::string describe_missing_arc(Arc arc, const ArcReasons& reasons);

}  // namespace qd::report
