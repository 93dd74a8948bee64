// Descriptions of arcs, put together from causes and actions.
#include "report/analysis/source/arc_descriptions.h"

#include <fmt/core.h>

namespace qd::report {

namespace {

std::string cause_text(Cause cause, int32_t line) {
  switch (cause) {
    case Cause::kUnknown: return "";
    case Cause::kBreak: return fmt::format("the break on line {} wasn't executed", line);
    case Cause::kContinue: return fmt::format("the continue on line {} wasn't executed", line);
    case Cause::kRaise: return fmt::format("the raise on line {} wasn't executed", line);
    case Cause::kReturn: return fmt::format("the return on line {} wasn't executed", line);
    case Cause::kNeverTrue: return fmt::format("the condition on line {} was never true", line);
    case Cause::kAlwaysTrue: return fmt::format("the condition on line {} was always true", line);
    case Cause::kNeverStarted: return fmt::format("the loop on line {} never started", line);
    case Cause::kNotCompleted: return fmt::format("the loop on line {} didn't complete", line);
    case Cause::kAlwaysMatched: return fmt::format("the pattern on line {} always matched", line);
    case Cause::kNeverMatched: return fmt::format("the pattern on line {} never matched", line);
    case Cause::kNoException: return fmt::format("the exception caught by line {} didn't happen", line);
  }
  return "";
}

std::string action_text(const ArcReason& reason, int32_t to) {
  switch (reason.action) {
    case ArcAction::kJump: break;
    case ArcAction::kReturn: return fmt::format("return from function '{}'", reason.name);
    case ArcAction::kExcept: return fmt::format("except from function '{}'", reason.name);
    case ArcAction::kExitClass: return fmt::format("exit class '{}'", reason.name);
    case ArcAction::kExitModule: return "exit the module";
  }
  return to < 0 ? "jump to the function exit" : fmt::format("jump to line {}", to);
}

const ArcReason kNoReason{Cause::kUnknown, ArcAction::kJump, ""};

}  // namespace

std::string describe_arc(Arc arc, const ArcReasons& reasons) {
  auto found = reasons.find(arc);
  return action_text(found == reasons.end() ? kNoReason : found->second.front(), arc.to);
}

std::string describe_missing_arc(Arc arc, const ArcReasons& reasons) {
  auto found = reasons.find(arc);
  if (found == reasons.end()) return fmt::format("line {} didn't {}", arc.from, action_text(kNoReason, arc.to));
  std::string result;
  for (const ArcReason& reason : found->second)
    result += fmt::format("{}line {} didn't {} because {}", result.empty() ? "" : " or ", arc.from,
                          action_text(reason, arc.to), cause_text(reason.cause, arc.from));
  return result;
}

}  // namespace qd::report
