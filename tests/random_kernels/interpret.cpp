// The interpreter's messages and memory as values that can be compared.
#include "tests/random_kernels/interpret.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "runtime/device/reference/scalar.h"

namespace qd::testing {

using device::reference::Message;

ArrayMemory::ArrayMemory(const ir::Kernel& kernel, const Launch& launch) : kernel_(kernel) {
  for (size_t i = 0; i < launch.arrays.size(); ++i) {
    const auto size = static_cast<size_t>(ir::size_in_bytes(kernel.arrays[i].type));
    lengths_.push_back(launch.arrays[i].size());
    char* const data = bytes_.emplace_back(lengths_[i] * size + 2 * kMargin, kUntouched).data() + kMargin;
    for (size_t k = 0; k < lengths_[i]; ++k) std::memcpy(data + k * size, &launch.arrays[i][k], size);
    ArraySlot slot{data, {}};
    std::ranges::copy(launch.shapes[i], slot.shape);
    slots_.push_back(slot);
  }
}

std::vector<std::vector<uint64_t>> ArrayMemory::words() const {
  std::vector<std::vector<uint64_t>> out;
  for (size_t i = 0; i < bytes_.size(); ++i) {
    const auto size = static_cast<size_t>(ir::size_in_bytes(kernel_.arrays[i].type));
    std::vector<uint64_t>& words = out.emplace_back(lengths_[i]);
    for (size_t k = 0; k < words.size(); ++k) {
      std::memcpy(&words[k], bytes_[i].data() + kMargin + k * size, size);
      words[k] = device::reference::canonical(kernel_.arrays[i].type, words[k]);
    }
  }
  return out;
}

bool ArrayMemory::is_inside() const {
  const auto is_untouched = [](char byte) { return byte == kUntouched; };
  return std::ranges::all_of(bytes_, [&](const std::vector<char>& bytes) {
    return std::all_of(bytes.begin(), bytes.begin() + kMargin, is_untouched) &&
           std::all_of(bytes.end() - kMargin, bytes.end(), is_untouched);
  });
}

device::reference::Options checked() {
  device::reference::Options options;
  options.chunk = 3;
  options.step_limit = 2'000'000;
  options.check = true;
  return options;
}

Run interpret(const ir::Kernel& kernel, const Launch& launch, device::reference::Options options) {
  Run run;
  ArrayMemory memory(kernel, launch);
  std::vector<uint64_t> probes(kernel.probes.size()), results(kernel.results.size());
  run.counters.resize(kernel.counters);
  options.tell = [&](const Message& message) {
    std::string text = fmt::format("{} {}", message.kind == Message::Kind::Warn ? "warn" : "format", message.format);
    for (uint64_t value : message.values) text += fmt::format(" {:#x}", value);
    if (message.kind != Message::Kind::Assert) return run.outcome.prints.push_back(text);
    run.outcome.failure = text + fmt::format(" iteration {}", message.iteration);
    for (uint64_t call : message.calls) run.outcome.failure += fmt::format(" called at {}", call);
  };
  const device::reference::Bindings bindings{memory.slots().data(), launch.params.data(), results.data(), nullptr,
                                             run.counters.data(),   probes.data()};
  device::reference::Interpreter interpreter(kernel, bindings, std::move(options));
  run.outcome.failed = interpreter.run() == device::reference::Interpreter::State::Failed;
  if (!run.outcome.failed) run.outcome.results = std::move(results);
  run.outcome.arrays = memory.words();
  for (uint32_t i = 0; i < probes.size(); ++i) {
    if (probes[i] > 0) run.outcome.probes[i] = probes[i];
  }
  run.races = interpreter.races();
  run.tasks = interpreter.tasks();
  return run;
}

}  // namespace qd::testing
