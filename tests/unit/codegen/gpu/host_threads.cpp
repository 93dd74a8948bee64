#include "tests/unit/codegen/gpu/host_threads.h"

#include <fmt/format.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "runtime/abi/device_launch.h"
#include "runtime/codegen/gpu/compile.h"
#include "runtime/codegen/gpu/task_shape.h"
#include "runtime/device/cpu/loader.h"
#include "tests/unit/codegen/gpu/fibres.h"

namespace qd::codegen::gpu::testing {
namespace {

using llvm::Value;

uint32_t present_group = 0;
uint32_t thread_in_turn = 0;
uint32_t number_of_thread_in_turn() { return thread_in_turn; }
uint32_t number_of_group() { return present_group; }

/// This computer, as hardware with subgroups of one thread, or of 32 fibres.
class HostHardware final : public Hardware {
 public:
  explicit HostHardware(Threads threads) : together_(threads == Threads::Together) {}

  uint32_t subgroup_size() const override { return together_ ? 32 : 1; }
  uint32_t stack_bytes() const override { return 1 << 16; }
  std::unique_ptr<llvm::TargetMachine> machine() const override {
    static const bool initialised = !llvm::InitializeNativeTarget() && !llvm::InitializeNativeTargetAsmPrinter();
    const std::string triple = llvm::sys::getProcessTriple();
    std::string error, features;
    for (const auto& [feature, present] : llvm::sys::getHostCPUFeatures())
      features += (features.empty() ? "" : ",") + std::string(present ? "+" : "-") + feature.str();
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (!initialised || !target) throw std::runtime_error(error);
    return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
        triple, llvm::sys::getHostCPUName(), features, llvm::TargetOptions(), llvm::Reloc::PIC_));
  }
  llvm::SyncScope::ID atomic_scope(llvm::LLVMContext&) const override { return llvm::SyncScope::System; }
  void prepare(llvm::Function&) const override {}
  void make_kernel(llvm::Function&, uint32_t) const override {}

  Value* thread(Builder& b) const override {
    return call(b, b.getInt32Ty(), together_ ? thread_of_fibre : number_of_thread_in_turn, {});
  }
  Value* group(Builder& b) const override { return call(b, b.getInt32Ty(), number_of_group, {}); }
  Value* ballot(Builder& b, Lanes lanes, Value* condition) const override {
    if (!together_) return b.CreateZExt(condition, b.getInt64Ty());
    return call(b, b.getInt64Ty(), ballot_of_fibres, {all(b, lanes), b.CreateZExt(condition, b.getInt32Ty())});
  }
  Value* shuffle(Builder& b, Value* here, Value* word, Value* lane) const override {
    if (!together_) return word;
    return call(b, b.getInt32Ty(), shuffle_of_fibres, {all(b, here ? Lanes::Some : Lanes::All), word, lane});
  }
  bool knows_lanes() const override { return true; }
  void barrier(Builder& b, Lanes lanes, ir::Scope scope) const override {
    call(b, b.getVoidTy(), barrier_of_fibres, {all(b, lanes), b.getInt32(scope != ir::Scope::Subgroup)});
  }
  void fence(Builder&, ir::Scope) const override {}

 private:
  static Value* all(Builder& b, Lanes lanes) { return b.getInt32(lanes == Lanes::All); }
  /// A call of a function of this program.
  template <class Function>
  static Value* call(Builder& b, llvm::Type* result, Function* function, std::vector<Value*> arguments) {
    const std::vector<llvm::Type*> types(arguments.size(), b.getInt32Ty());
    Value* address = b.CreateIntToPtr(b.getInt64(reinterpret_cast<uint64_t>(function)), b.getPtrTy());
    llvm::CallInst* made = b.CreateCall(llvm::FunctionType::get(result, types, false), address, arguments);
    made->setConvergent();
    made->setDoesNotThrow();
    return made;
  }

  bool together_;
};

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
        threads_(threads),
        groups_(groups),
        memory_(kernel, launch),
        temps_(kernel.global_temps + 1),
        results_(kernel.results.size() + 1) {
    run_.counters.resize(kernel.counters);
    const Binary binary =
        compile(kernel, {.fast_math = false}, HostHardware(threads), llvm::CodeGenFileType::ObjectFile);
    code_ = device::load(binary.code, binary.symbols);
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
      case ir::Bound::Kind::Temp: return static_cast<int32_t>(temps_[index]);
      case ir::Bound::Kind::Shape: return launch_.shapes[index][static_cast<size_t>(bound.axis)];
      case ir::Bound::Kind::Param: return static_cast<int32_t>(launch_.params[index]);
    }
    return 0;
  }

  void run(uint32_t number) {
    const ir::Task& task = kernel_.tasks[number];
    int64_t iterations = 1;
    for (size_t i = 0; i + 1 < task.bounds.size(); i += 2)
      iterations *= std::max<int64_t>(0, bound(task.bounds[i + 1]) - bound(task.bounds[i]));
    count(task.start_counter, 1);
    if (task.kind == ir::Task::Kind::Parallel) count(task.trip_counter, static_cast<uint64_t>(iterations));
    const auto address = [](auto* data) { return reinterpret_cast<uint64_t>(data); };
    const DeviceLaunch launch{address(memory_.slots().data()), address(launch_.params.data()),
                              address(results_.data()),        address(temps_.data()),
                              address(run_.counters.data()),   address(messages_.get())};
    const TaskShape shape = shape_of(kernel_, task);
    const auto all = static_cast<uint32_t>(iterations);
    uint32_t groups = task.kind == ir::Task::Kind::Serial ? 1 : (all + shape.group_size - 1) / shape.group_size;
    // With two groups, the steps of both are interleaved.
    if (groups_ == Groups::Two && !shape.one_round) groups = std::min(groups, 2u);
    const uint32_t step = groups * shape.group_size, rounds = step == 0 ? 0 : all / step + 1;
    const auto function = std::bit_cast<TaskOfGpu>(code_->functions()[number]);
    const auto body = [&](uint32_t) { function(&launch, 7, shape.group_size, step, rounds); };
    for (present_group = 0; present_group < groups; ++present_group) {
      if (threads_ == Threads::Together) {
        run_group(shape.group_size, 32, body);
      } else {
        for (thread_in_turn = 0; thread_in_turn < shape.group_size; ++thread_in_turn) body(thread_in_turn);
      }
    }
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
  Threads threads_;
  Groups groups_;
  qd::testing::ArrayMemory memory_;
  std::vector<uint64_t> temps_, results_;
  std::unique_ptr<Messages> messages_ = std::make_unique<Messages>();
  std::unique_ptr<device::LoadedObject> code_;
  HostRun run_;
};

}  // namespace

HostRun run_on_host(const ir::Kernel& kernel, const qd::testing::Launch& launch, Threads threads, Groups groups) {
  return HostLaunch(kernel, launch, threads, groups).run();
}

}  // namespace qd::codegen::gpu::testing
