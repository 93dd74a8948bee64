// Tasks in their order; what counts starts and trips is added here, as the launcher of any device does.
#include "runtime/device/reference/interpreted_kernel.h"

#include "runtime/device/reference/interpreter.h"

namespace qd::device {

InterpretedKernel::InterpretedKernel(ir::Kernel code, const ir::Kernel& kernel)
    : code_(std::move(code)), frames_(code_), warned_(std::make_unique<std::atomic<bool>[]>(code_.formats.size())) {
  for (size_t i = 0; i < code_.tasks.size(); ++i) {
    code_.tasks[i].start_counter = kernel.tasks[i].start_counter;
    code_.tasks[i].trip_counter = kernel.tasks[i].trip_counter;
  }
  code_.end_counter = kernel.end_counter;
}

void InterpretedKernel::run(const Invocation& invocation, uint64_t seed) const {
  Interpreter interpreter(*this, invocation, seed);
  auto add = [&](uint32_t counter, int64_t amount) {
    if (invocation.counters && counter != ir::kNoCounter) invocation.counters[counter] += static_cast<uint64_t>(amount);
  };
  for (size_t i = 0; i < code_.tasks.size(); ++i) {
    const ir::Task& task = code_.tasks[i];
    add(task.start_counter, 1);
    add(task.trip_counter, interpreter.iterations(task));
    interpreter.run(i);
    ++invocation.outcome->tasks;
    if (interpreter.failed()) return;
  }
  add(code_.end_counter, 1);
}

}  // namespace qd::device
