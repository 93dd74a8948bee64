// Runs the instructions of kernel IR, one after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/device/reference/interpreted_kernel.h"
#include "runtime/device/reference/scalar.h"

namespace qd::device {

/// One launch.
class Interpreter {
 public:
  Interpreter(const InterpretedKernel& executable, const Invocation& invocation, uint64_t seed);

  /// Of a task: the product of its bounds now; 1 of a serial one.
  int64_t iterations(const ir::Task& task) const;
  void run(size_t task);
  /// An assert did not hold: nothing may run any more.
  bool failed() const { return invocation_.outcome->status == Outcome::Status::Failed; }

 private:
  enum class Flow { Next, Break, Continue, Stop };
  struct Extent {
    int64_t begin, end;
  };

  int64_t bound(const ir::Bound& bound) const;
  int32_t extent(uint32_t array, uint32_t axis) const;
  uint64_t& value(ir::InstId id) { return frame_[frames_.value[static_cast<uint32_t>(id)]]; }
  uint64_t* room(ir::InstId id) { return frame_ + frames_.room[static_cast<uint32_t>(id)]; }
  Flow block(ir::BlockId block);
  Flow inst(ir::InstId id);
  /// All indices, the last axis fastest. Gives Break when the body does.
  template <class Body>
  Flow each(ir::InstId loop, const std::vector<Extent>& extents, Body&& body);
  Flow loop(ir::InstId id, const ir::Inst& inst);
  Flow call(ir::InstId id, const ir::Inst& inst);
  Flow check(const ir::Inst& inst);
  void note(Message::Kind kind, const ir::Inst& inst, size_t first_value);
  void* element(const ir::Inst& inst);
  uint64_t load(ir::InstId place, ir::Type type);
  void store(ir::InstId place, ir::Type type, uint64_t value);

  const InterpretedKernel& executable_;
  const ir::Kernel& kernel_;
  const FrameLayouts& frames_;
  const Invocation& invocation_;
  scalar::RandomState random_;
  std::vector<uint64_t> temps_;
  uint64_t* frame_ = nullptr;                  // of the function that runs
  const std::vector<uint64_t>* arguments_ = nullptr;  // of the routine that runs
  std::vector<uint64_t>* returned_ = nullptr;  // of the routine that runs; null: a task runs
  uint64_t iteration_ = 0;
  uint64_t nowhere_ = 0;  // what a place outside of an array is
  uint64_t stack_end_;
};

}  // namespace qd::device
