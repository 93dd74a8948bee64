// Stacks of a gradient: memory for values that serial loops keep for the reverse sweep.
#pragma once

#include "runtime/autodiff/kept_values.h"

#include <array>
#include <span>

namespace qd::autodiff {

/// The stacks of all roots. A small one is a local array for each type. The others are rows of two arrays of the
/// launch (ir::Array::Kind::Stack), of words of 32 and of 64 bits: one row for each worker of a parallel loop, and the
/// last one for serial code.
class Stacks {
 public:
  /// `counts`: the rows' sizes are counted, and nothing is kept.
  Stacks(ir::Kernel& kernel, const KeptValues& kept, bool counts);

  /// Declares a root's stack where the builder is. `row`: its row; None: the last one.
  void begin(ir::BlockId root, ir::Builder& build, ir::InstId row);
  /// Pushes the values of a frame.
  void push(ir::BlockId root, ir::Builder& build, std::span<const ir::InstId> values);
  /// Pops a frame of values with the types of `like`.
  std::vector<ir::InstId> pop(ir::BlockId root, ir::Builder& build, std::span<const ir::InstId> like);
  /// Number of rows for workers, of type i64.
  mathematics::Value workers(mathematics::Notation& notation) const;

  // For counts: variables of the largest sizes, one root's part in them, and the result of the kernel.
  void begin_counts(ir::Builder& build);
  void count(ir::BlockId root, ir::Builder& build, bool alone);
  void return_counts(ir::Builder& build);

 private:
  static constexpr size_t kWidths = 2;  // 32 bits, 64 bits

  /// Part of a stack: the numbers of one type, or the words of one width.
  struct Part {
    ir::InstId numbers = ir::InstId::None;  // a local array; None: a row
    ir::InstId top = ir::InstId::None;      // a variable: how many numbers are there
  };
  struct Stack {
    ir::InstId row = ir::InstId::None;
    std::map<ir::Type, Part> parts;  // by the type in memory: of rows, U32 and U64
    bool bounded = false;
  };

  ir::Type type_in(const Stack& stack, ir::Type type) const;
  ir::InstId place(const Stack& stack, ir::Type type, ir::Builder& build, ir::InstId at) const;
  ir::InstId into(ir::Type type, ir::Builder& build, ir::InstId value) const;
  ir::InstId out_of(ir::Type type, ir::Builder& build, ir::InstId word) const;

  ir::Kernel& kernel_;
  const KeptValues& kept_;
  const bool counts_;
  std::unordered_map<ir::BlockId, Stack> stacks_;
  std::array<uint32_t, kWidths> arrays_{};  // of the kernel, by width
  std::array<ir::InstId, kWidths> largest_{};
};

}  // namespace qd::autodiff
