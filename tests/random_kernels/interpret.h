// A launch with its memory as plain data, and its outcome by the interpreter.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/device/reference/interpreter.h"
#include "runtime/ir/kernel.h"

namespace qd::testing {

/// Arguments of a launch. Elements and scalars are words, as in Const.
struct Launch {
  std::vector<uint64_t> params;
  std::vector<std::vector<int32_t>> shapes;   // of each array
  std::vector<std::vector<uint64_t>> arrays;  // C order; arrays have one component and are dense
};

/// Effects of a launch.
struct Outcome {
  std::vector<std::vector<uint64_t>> arrays;
  std::vector<uint64_t> results;
  std::map<uint32_t, uint64_t> probes;  // number of times that each fired
  std::vector<std::string> prints;      // and warnings
  bool failed = false;                  // at an assert
  std::string failure;                  // the assert

  bool operator==(const Outcome&) const = default;
};

struct Run {
  Outcome outcome;
  std::vector<uint64_t> counters;
  std::vector<std::string> races;
  int tasks = 0;
};

/// The arrays of a launch in memory, as code sees them.
class ArrayMemory {
 public:
  ArrayMemory(const ir::Kernel& kernel, const Launch& launch);
  std::vector<ArraySlot>& slots() { return slots_; }
  /// The contents of the memory now.
  std::vector<std::vector<uint64_t>> words() const;
  /// Whether nothing has changed the margins in front of the arrays and behind them.
  bool is_inside() const;

 private:
  static constexpr size_t kMargin = 256;  // bytes: more than the longest vector has
  static constexpr char kUntouched = 0x5a;

  const ir::Kernel& kernel_;
  std::vector<std::vector<char>> bytes_;
  std::vector<size_t> lengths_;
  std::vector<ArraySlot> slots_;
};

/// Parts of three iterations, all checks, and a limit of steps that no sensible kernel reaches.
device::reference::Options checked();

/// `options.tell` is the function's own.
Run interpret(const ir::Kernel& kernel, const Launch& launch, device::reference::Options options = checked());

}  // namespace qd::testing
