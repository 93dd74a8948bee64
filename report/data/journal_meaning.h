// Meaning of compiled code in a journal, for the journal's writer and its reader.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/data/instrument_results.h"
#include "report/data/kernel_data.h"

namespace qd::report {

/// A kernel or func in its file.
struct JournalFunction {
  std::string file;  // in the compiler's form: absolute, resolved
  KernelFunction function;
  auto operator<=>(const JournalFunction&) const = default;
};

/// An arc of one of the functions that go with it.
struct JournalArc {
  static constexpr uint32_t kNoVariant = UINT32_MAX;
  uint32_t function;
  Arc arc;
  uint32_t variant = kNoVariant;  // of a func: index of its argument types in the accompanying texts
  static constexpr int32_t kDerivative = INT32_MIN;
  /// Whether it is no arc: arc.from is kDerivative, and the derivative of the line arc.to was computed.
  bool is_derivative() const { return arc.from == kDerivative; }
  bool operator==(const JournalArc&) const = default;
};

/// A decision of one of the accompanying functions, with its possible outcomes.
struct JournalDecision {
  uint32_t function = 0;
  std::string kind;  // as MeasuredDecision has it
  SourceRange range;
  std::vector<SourceRange> conditions;
  std::vector<Evaluation> outcomes;  // the ways to evaluate it; single conditions where those are too many
  bool operator==(const JournalDecision&) const = default;
};

/// Results of one kind at places of the accompanying functions.
struct JournalResults {
  struct Place {
    uint32_t function = 0;
    SourceRange range;
    bool operator==(const Place&) const = default;
  };
  ResultKind kind;
  std::vector<Place> places;
  bool operator==(const JournalResults&) const = default;
};

}  // namespace qd::report
