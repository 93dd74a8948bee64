// Record of a launch: old numbers of elements that it overwrites, for its gradient.
#pragma once

#include <map>
#include <vector>

#include "runtime/autodiff/autodiff.h"
#include "runtime/autodiff/primal.h"
#include "runtime/ir/builder.h"

namespace qd::autodiff {

/// A read of the primal whose number the record keeps.
struct RecordedRead {
  FirstRead origin;
  uint32_t array = 0;   // into Kernel::arrays, as the next one
  uint32_t record = 0;  // the array of the record
  uint32_t number = 0;  // of this array, as ElementRecord has it
};

/// The record as a gradient reads it. For each array it has one or more of the same shape, in which a number stands at
/// the place of the element that it was read from. A read can be recorded if it reads no element twice with two
/// numbers. No other iteration of a parallel loop has an element that one overwrites.
class Record {
 public:
  /// `read`: whether the gradient has the record. Else it only knows what could be recorded.
  Record(const Primal& primal, bool read);

  bool could_have(ir::InstId id) const { return reads_.contains(id); }
  bool has(ir::InstId id) const { return read_ && could_have(id); }
  /// The number of a read. `place`: the element.
  ir::InstId load(ir::InstId id, ir::InstId place, ir::Builder& build);
  /// The reads whose numbers the kernel uses when all of it is there. Takes out the arrays of all others.
  std::vector<RecordedRead> finish();

 private:
  void add(ir::InstId id, FirstRead origin);
  bool is_read_once(ir::InstId id) const;
  bool writes_in(ir::InstId loop, uint32_t array) const;
  ir::InstId place_of(ir::InstId access) const { return kernel_.operands_of(access)[0]; }

  const Primal& primal_;
  ir::Kernel& kernel_;
  const bool read_;
  std::map<ir::InstId, RecordedRead> reads_;     // by the instruction of the primal
  std::vector<std::vector<ir::InstId>> places_;  // of the reads of each array of the record
  std::map<ir::InstId, ir::InstId> loads_;       // loads of the record, with the instruction of the primal
  const uint32_t first_;                         // array of the record
};

/// Adds to a kernel as it is written stores of the numbers that its gradient needs and does not find again:
///
///     t = x[i]            ->   t = x[i]; record[i] = t
///     x[i] = t * t             x[i] = t * t
///
/// Returns the arrays of the record; none: the kernel stays as it is.
std::vector<ElementRecord> record_elements(ir::Kernel& kernel, Options options);
/// The arrays of the record of these reads.
std::vector<ElementRecord> records_of(const std::vector<RecordedRead>& reads);

}  // namespace qd::autodiff
