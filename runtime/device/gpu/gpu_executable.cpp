// Loads a module of the driver, and finds its functions.
#include "runtime/device/gpu/gpu_executable.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "runtime/device/host_threads.h"
#include "runtime/ir/calls.h"

namespace qd::device::gpu {
namespace {

/// Largest number of streams beside the launch's own; more sections of a fork share them.
constexpr size_t kMostSectionsBeside = 7;
/// Largest number of memories with repeated steps that are kept for the next launches, and of those that are filled.
constexpr size_t kMostKept = 4, kMostFilled = 128;
/// Largest number of filled memories that are compared with the input of a launch.
constexpr size_t kMostLooks = 8;

}  // namespace

/// Memory of launches that are over, with its repeated steps or filled. Launches may outlive the executable by a
/// moment.
struct GpuExecutable::Kept {
  std::mutex mutex;  // guards the members below
  std::vector<std::unique_ptr<LaunchMemory>> memories;
  bool ended = false;

  void put(std::unique_ptr<LaunchMemory> memory) {
    const std::lock_guard lock(mutex);
    const size_t most = memory->is_filled ? kMostFilled : memory->repeated.empty() ? 0 : kMostKept;
    if (!ended && memories.size() < most) memories.push_back(std::move(memory));
  }
};

LaunchMemory::LaunchMemory(std::shared_ptr<LaunchBufferPool> pool, const LaunchBufferLayout& layout)
    : pool_(std::move(pool)),
      layout_(layout),
      buffer_(pool_->take(layout.filled + (layout.filled - layout.over), layout.size)) {}

GpuExecutable::GpuExecutable(std::shared_ptr<Gpu> gpu, std::shared_ptr<LaunchBufferPool> buffers,
                             std::shared_ptr<GraphConditions> conditions, const codegen::Binary& binary,
                             const ir::Kernel& kernel)
    : gpu_(std::move(gpu)),
      buffers_(std::move(buffers)),
      kernel_(kernel),
      hands_over_(codegen::gpu::task_that_hands_over(kernel)),
      conditions_(kernel_.has_conditions() ? std::move(conditions) : nullptr),
      kept_(std::make_shared<Kept>()) {
  if (!gpu_->usable()) throw std::runtime_error(gpu_->lost_error());
  if (binary.symbols.size() != kernel.tasks.size()) throw std::runtime_error("the code has another number of tasks");
  const bool on_device = conditions_ && conditions_->load();
  ir::walk_steps(kernel_.schedule(), [&](const ir::Step& step, int conditions) {
    if (on_device) condition_depth_ = std::max(condition_depth_, conditions + has_condition(step));
    if (step.kind == ir::Step::Kind::Fork)
      sections_beside_ = std::max(sections_beside_, std::min(step.sections.size(), kMostSectionsBeside + 1) - 1);
  });
  const SignalsBlocked blocked;  // drivers start threads
  const Gpu::Current current(*gpu_);
  const Driver& driver = gpu_->driver();
  const std::string of = "kernel " + kernel.name;
  if (std::ranges::count(ir::recursive_routines(kernel), true) > 0) gpu_->require_stack();
  const std::string image = gpu_->kind().image(driver, gpu_->properties(), gpu_->kept(), binary.code);
  gpu_->require("module_load", driver.module_load(&module_, image.data(), 0, nullptr, nullptr), of);
  try {
    for (size_t i = 0; i < kernel.tasks.size(); ++i) {
      Task& task = tasks_.emplace_back();
      task.shape = codegen::gpu::shape_of(kernel, kernel.tasks[i]);
      task.waits = task.shape.one_round &&
                   std::ranges::count(kernel.tasks[i].bounds, ir::Bound::Kind::Temp, &ir::Bound::kind) > 0;
      waits_ |= task.waits;
      gpu_->require("function_get", driver.function_get(&task.function, module_, binary.symbols[i].c_str()), of);
    }
  } catch (...) {
    if (gpu_->usable()) driver.module_unload(module_);
    throw;
  }
}

GpuExecutable::~GpuExecutable() {
  shared_.clear();
  {
    const std::lock_guard lock(kept_->mutex);
    kept_->ended = true;
    kept_->memories.clear();
  }
  if (!gpu_->usable()) return;
  const Gpu::Current current(*gpu_, std::nothrow);
  gpu_->driver().module_unload(module_);
}

bool GpuExecutable::is_plain(const ir::Step& step) const {
  auto is_plain_task = [&](const ir::Step& run) { return run.kind == ir::Step::Kind::Run && !tasks_[run.task].waits; };
  if (step.kind != ir::Step::Kind::Fork) return is_plain_task(step);
  return std::ranges::all_of(step.sections,
                             [&](const ir::Schedule& section) { return std::ranges::all_of(section, is_plain_task); });
}

bool GpuExecutable::is_repeatable(const ir::Step& step) const {
  auto all_inner = [&] {
    return std::ranges::all_of(step.sections, [&](const ir::Schedule& section) {
      return std::ranges::all_of(section, [&](const ir::Step& inner) { return is_repeatable(inner); });
    });
  };
  switch (step.kind) {
    case ir::Step::Kind::Run: return is_plain(step) && !tasks_[step.task].shape.draws;
    case ir::Step::Kind::Fork: return is_plain(step) && all_inner();
    default: return conditions_ && conditions_->available() && all_inner();
  }
}

bool GpuExecutable::waits(const Invocation& invocation) const {
  if (waits_ || !kernel_.has_conditions()) return waits_;
  const ir::Schedule& schedule = kernel_.schedule();
  const bool on_device = !invocation.times && std::ranges::all_of(schedule, [&](const ir::Step& step) {
    return is_plain(step) || is_repeatable(step);
  });
  return !on_device;
}

std::shared_ptr<LaunchMemory> GpuExecutable::new_memory(const Invocation& invocation) const {
  std::unique_ptr<LaunchMemory> memory;
  {
    const std::lock_guard lock(kept_->mutex);
    std::vector<std::unique_ptr<LaunchMemory>>& all = kept_->memories;
    const auto recent = all.end() - static_cast<ptrdiff_t>(std::min(all.size(), kMostLooks));
    auto found =
        std::find_if(recent, all.end(), [&](const auto& kept) { return kept->is_filled && holds(*kept, invocation); });
    if (found == all.end() && !all.empty()) found = all.end() - 1;
    if (found != all.end()) {
      memory = std::move(*found);
      all.erase(found);
    }
  }
  if (!memory) memory = std::make_unique<LaunchMemory>(buffers_, kernel_.buffer_layout());
  memory->is_filled = memory->is_filled && holds(*memory, invocation);
  return {memory.release(), [kept = kept_](LaunchMemory* over) { kept->put(std::unique_ptr<LaunchMemory>(over)); }};
}

std::shared_ptr<LaunchMemory> GpuExecutable::shared_memory(const void* stream, const Invocation& invocation) const {
  const std::lock_guard lock(shared_mutex_);
  const auto found = std::ranges::find(shared_, stream, &Shared::stream);
  return found != shared_.end() && holds(*found->memory, invocation) ? found->memory : nullptr;
}

/// Whether the memory was filled with this input.
bool GpuExecutable::holds(const LaunchMemory& memory, const Invocation& invocation) const {
  const LaunchBufferLayout& buffer = kernel_.buffer_layout();
  const std::byte* given = memory.given();
  return std::memcmp(given + buffer.arrays, invocation.arrays, buffer.array_count * sizeof(ArraySlot)) == 0 &&
         std::memcmp(given + buffer.params, invocation.params, buffer.param_count * sizeof(uint64_t)) == 0;
}

void GpuExecutable::share(const void* stream, std::shared_ptr<LaunchMemory> memory) const {
  const std::lock_guard lock(shared_mutex_);
  std::erase_if(shared_, [&](const Shared& shared) { return shared.stream == stream; });
  shared_.push_back({stream, std::move(memory)});
}

void GpuExecutable::stop_sharing(const LaunchMemory& memory) const {
  const std::lock_guard lock(shared_mutex_);
  std::erase_if(shared_, [&](const Shared& shared) { return shared.memory.get() == &memory; });
}

}  // namespace qd::device::gpu
