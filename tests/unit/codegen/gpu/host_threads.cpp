#include "tests/unit/codegen/gpu/host_threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "runtime/abi/device_launch.h"
#include "runtime/codegen/gpu/compile.h"
#include "runtime/codegen/gpu/task_shape.h"
#include "runtime/device/cpu/loader.h"
#include "runtime/ir/iterations.h"
#include "tests/simulated_driver/threads/fibres.h"
#include "tests/simulated_driver/threads/host_hardware.h"

namespace qd::codegen::gpu::testing {
namespace {

using TaskOfGpu = void (*)(const DeviceLaunch*, uint64_t seed, uint32_t group_stride, uint32_t step, uint32_t rounds);

/// Room for messages, as DeviceMessages describes it.
struct Messages {
  DeviceMessages head{0, 0, 0, kCapacity};
  static constexpr uint32_t kCapacity = 100'000;
  uint64_t words[kCapacity + kFailWords] = {};
};

std::string text_of(uint64_t head, const uint64_t* values) {
  const bool warns = static_cast<DeviceMessageKind>(head & 0xff) == DeviceMessageKind::Warn;
  std::string text = fmt::format("{} {}", warns ? "warn" : "format", static_cast<uint32_t>(head >> 8));
  for (uint64_t i = 0; i < head >> 40; ++i) text += fmt::format(" {:#x}", values[i]);
  return text;
}

class HostLaunch {
 public:
  HostLaunch(const ir::Kernel& kernel, const qd::testing::Launch& launch, Threads threads, Groups groups)
      : kernel_(kernel),
        launch_(launch),
        subgroup_size_(threads == Threads::Together ? 32 : 1),
        groups_(groups),
        memory_(kernel, launch),
        temps_(kernel.global_temps + 1),
        results_(kernel.results.size() + 1) {
    run_.counters.resize(kernel.counters);
    const simulated::HostHardware hardware(subgroup_size_, simulated::kStackBytes, block_bytes_);
    const Binary binary = compile(kernel, {.fast_math = false}, hardware, llvm::CodeGenFileType::ObjectFile);
    symbols_ = binary.symbols;
    code_ = device::load_elf(binary.code, binary.symbols, simulated::functions_of_fibres());
  }

  HostRun run() {
    count(kernel_.begin_counter, 1);
    run(kernel_.schedule);
    if (!failed()) count(kernel_.end_counter, 1);
    tell();
    run_.outcome.arrays = memory_.words();
    if (!failed()) run_.outcome.results.assign(results_.begin(), results_.end() - 1);
    return std::move(run_);
  }

 private:
  bool failed() const { return messages_->head.failed != 0; }
  void count(uint32_t counter, uint64_t amount) {
    if (counter != ir::kNoCounter) run_.counters[counter] += amount;
  }

  void run(const ir::Schedule& schedule) {
    for (const ir::Step& step : schedule) {
      if (failed()) return;
      auto holds = [&] { return static_cast<int32_t>(temps_[step.condition]) != 0; };
      switch (step.kind) {
        case ir::Step::Kind::Run: run(step.task); break;
        case ir::Step::Kind::If: run(step.sections[holds() ? 0 : 1]); break;
        case ir::Step::Kind::Fork:
          for (const ir::Schedule& section : step.sections) run(section);
          break;
        case ir::Step::Kind::DoWhile:
          do run(step.sections[0]);
          while (!failed() && holds());
          break;
      }
    }
  }

  int64_t bound(const ir::Bound& bound) {
    const auto index = static_cast<size_t>(bound.value);
    switch (bound.kind) {
      case ir::Bound::Kind::Const: return bound.value;
      case ir::Bound::Kind::Temp: return ir::bound_in_word(bound, temps_[index]);
      case ir::Bound::Kind::Shape: return launch_.shapes[index][static_cast<size_t>(bound.axis)];
      case ir::Bound::Kind::Param: return ir::bound_in_word(bound, launch_.params[index]);
    }
    return 0;
  }

  void run(uint32_t number) {
    const ir::Task& task = kernel_.tasks[number];
    const int64_t iterations = ir::iterations(task.bounds, [&](const ir::Bound& bound) { return this->bound(bound); });
    count(task.start_counter, 1);
    if (task.kind == ir::Task::Kind::Parallel) count(task.trip_counter, static_cast<uint64_t>(iterations));
    const auto address = [](auto* data) { return reinterpret_cast<uint64_t>(data); };
    DeviceLaunch launch{};
    launch.arrays = address(memory_.slots().data());
    launch.params = address(launch_.params.data());
    launch.results = address(results_.data());
    launch.temps = address(temps_.data());
    launch.counters = address(run_.counters.data());
    launch.messages = address(messages_.get());
    const TaskShape shape = shape_of(kernel_, task);
    const auto all = static_cast<uint32_t>(iterations);
    uint32_t groups = task.kind == ir::Task::Kind::Serial ? 1 : (all + shape.group_size - 1) / shape.group_size;
    // With two groups, the steps of both are interleaved.
    if (groups_ == Groups::Two && !shape.one_round) groups = std::min(groups, 2u);
    const uint32_t step = groups * shape.group_size, rounds = step == 0 ? 0 : all / step + 1;
    const auto function = std::bit_cast<TaskOfGpu>(code_->functions()[number]);
    const auto body = [&](uint32_t) { function(&launch, 7, shape.group_size, step, rounds); };
    std::vector<char> block_memory(block_bytes_[symbols_[number]], '\xcd');
    for (uint32_t group = 0; group < groups; ++group)
      simulated::run_group({group, shape.group_size, subgroup_size_, block_memory.data()}, body);
  }

  void tell() {
    const uint64_t* words = messages_->words;
    for (uint32_t at = 0; at < std::min(messages_->head.next, Messages::kCapacity) && words[at] != kNoMessage;) {
      run_.outcome.prints.push_back(text_of(words[at], words + at + 1));
      at += 1 + static_cast<uint32_t>(words[at] >> 40);
    }
    run_.outcome.failed = failed();
    if (!failed()) return;
    const uint64_t* fail = words + Messages::kCapacity;
    run_.outcome.failure = text_of(fail[0], fail + 2);
    for (uint64_t i = 0; i < fail[1]; ++i)
      run_.outcome.failure += fmt::format(" called at {}", fail[2 + (fail[0] >> 40) + i]);
  }

  const ir::Kernel& kernel_;
  const qd::testing::Launch& launch_;
  uint32_t subgroup_size_;
  Groups groups_;
  qd::testing::ArrayMemory memory_;
  std::vector<uint64_t> temps_, results_;
  std::unique_ptr<Messages> messages_ = std::make_unique<Messages>();
  simulated::BlockBytes block_bytes_;
  std::vector<std::string> symbols_;
  std::unique_ptr<device::LoadedObject> code_;
  HostRun run_;
};

}  // namespace

HostRun run_on_host(const ir::Kernel& kernel, const qd::testing::Launch& launch, Threads threads, Groups groups) {
  return HostLaunch(kernel, launch, threads, groups).run();
}

}  // namespace qd::codegen::gpu::testing
