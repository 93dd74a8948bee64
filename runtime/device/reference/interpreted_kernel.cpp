// Passes messages of the interpreter on to the outcome of the launch.
#include "runtime/device/reference/interpreted_kernel.h"

#include <algorithm>
#include <exception>
#include <vector>

#include "runtime/device/reference/interpreter.h"
#include "runtime/device/stack_end.h"

namespace qd::device {
namespace {

device::Message::Kind kind_of(reference::Message::Kind kind) {
  switch (kind) {
    case reference::Message::Kind::Print: return Message::Kind::Print;
    case reference::Message::Kind::Warn: return Message::Kind::Warn;
    case reference::Message::Kind::Assert: return Message::Kind::Fail;
  }
  return Message::Kind::Print;
}

}  // namespace

InterpretedKernel::InterpretedKernel(ir::Kernel code, const ir::Kernel& kernel)
    : code_(std::move(code)), warned_(std::make_unique<std::atomic<bool>[]>(code_.formats.size())) {
  for (size_t i = 0; i < code_.tasks.size(); ++i) {
    code_.tasks[i].start_counter = kernel.tasks[i].start_counter;
    code_.tasks[i].trip_counter = kernel.tasks[i].trip_counter;
  }
  code_.begin_counter = kernel.begin_counter;
  code_.end_counter = kernel.end_counter;
}

void InterpretedKernel::run(const Invocation& invocation, uint64_t seed) const {
  LaunchOutcome& outcome = *invocation.outcome;
  reference::Options options;
  options.seed = seed;
  options.stack_end = stack_end();
  options.times = invocation.times;
  options.tell = [&](const reference::Message& message) {
    const Message::Kind kind = kind_of(message.kind);
    if (kind == Message::Kind::Warn && !first_warning(message.format)) return;
    outcome.messages.push_back({kind,
                                message.format,
                                {message.values.begin(), message.values.end()},
                                {message.calls.begin(), message.calls.end()}});
  };
  std::vector<uint64_t> temps(code_.global_temps);
  if (invocation.kept) std::copy_n(invocation.kept, code_.kept_temps, temps.begin());
  const reference::Bindings bindings{.arrays = invocation.arrays,
                                     .params = invocation.params,
                                     .results = invocation.results,
                                     .temps = temps.data(),
                                     .counters = invocation.counters};
  reference::Interpreter interpreter(code_, bindings, options);
  try {
    if (interpreter.run() == reference::Interpreter::State::Failed) outcome.status = LaunchOutcome::Status::Failed;
  } catch (const std::exception& error) {
    outcome.status = LaunchOutcome::Status::Lost;
    outcome.error = error.what();
  }
  outcome.tasks = interpreter.tasks();
  if (invocation.kept) std::copy_n(temps.begin(), code_.kept_temps, invocation.kept);
}

}  // namespace qd::device
