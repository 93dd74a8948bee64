// Launches of a kernel: arguments are bound for the variant that fits them, and it runs.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <new>
#include <thread>

#include <fmt/format.h>

#include "runtime/ir/half.h"
#include "runtime/launch/arguments.h"
#include "runtime/launch/bound_arguments.h"
#include "runtime/launch/gradient_stacks.h"
#include "runtime/launch/kernel_entries.h"
#include "runtime/launch/launch_record.h"
#include "runtime/launch/staged_arrays.h"
#include "runtime/launch/tape_reads.h"

namespace qd {
namespace {

constexpr size_t kInlineArrays = 16;
constexpr size_t kInlineWords = 32;

/// Storage for `count` elements; on the stack when they are few.
template <class T, size_t N>
class SmallBuffer {
 public:
  explicit SmallBuffer(size_t count) {
    if (count > N) more_.reset(new T[count]);
  }
  T* data() { return more_ ? more_.get() : inline_.data(); }

 private:
  std::array<T, N> inline_;
  std::unique_ptr<T[]> more_;
};

Scalar result_value(ir::Type type, uint64_t word) {
  if (type == ir::Type::F16) return ir::double_from_half(static_cast<uint16_t>(word));
  if (type == ir::Type::F32) return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(word)));
  if (type == ir::Type::F64) return std::bit_cast<double>(word);
  return static_cast<int64_t>(word);
}

/// The number of the checkpoint with a label.
uint64_t checkpoint(const ir::Kernel& kernel, int64_t label, const std::string& name) {
  for (size_t i = 0; i < kernel.checkpoints.size(); ++i) {
    if (kernel.checkpoints[i].labelled && kernel.checkpoints[i].label == label) return i + 1;
  }
  throw KernelRuntimeError(
      fmt::format("{}.resume: no checkpoint {} is compiled: it stands under an `if` with qd.static that does not hold",
                  name, label));
}

/// The first temps of a launch that begins at this checkpoint.
std::vector<uint64_t> begin(const ir::Kernel& kernel, const CheckpointedLaunch& launch, const std::string& name) {
  std::vector<uint64_t> kept = launch.kept;
  if (kept.empty()) kept.resize(kernel.kept_temps);
  if (kept.size() != kernel.kept_temps)
    throw KernelRuntimeError(fmt::format("kernel {} cannot be resumed: the status is of another version of it", name));
  if (kept.empty()) {
    if (launch.from) checkpoint(kernel, *launch.from, name);  // throws
    return kept;
  }
  kept[ir::kYielded] = kept[ir::kFlagValue] = 0;
  kept[ir::kResumeFrom] = launch.from ? checkpoint(kernel, *launch.from, name) : 0;
  return kept;
}

/// Reads the first temps of a launch at its end.
void end(const ir::Kernel& kernel, std::vector<uint64_t> kept, CheckpointedLaunch& launch) {
  const uint64_t yielded = kept.empty() ? 0 : static_cast<uint32_t>(kept[ir::kYielded]);
  launch.yielded = yielded == 0 ? std::nullopt : std::optional(kernel.checkpoints[yielded - 1].label);
  launch.value = yielded == 0 ? 0 : static_cast<int32_t>(kept[ir::kFlagValue]);
  launch.kept = std::move(kept);
}

}  // namespace

struct Kernel::State {
  State(Program& program, frontend::FunctionSource source, std::shared_ptr<frontend::Environment> environment,
        const KernelOptions& options)
      : program(program.state()),
        entries(program, std::move(source), std::move(environment), options),
        options(options),
        signature(entries.signature()),
        rows(rows_of(signature)),
        name(entries.name()) {}

  Program::State& program;
  KernelEntries entries;
  const KernelOptions options;
  const frontend::Signature& signature;
  const std::vector<uint32_t> rows;  // rows_of the signature
  const std::string& name;
  GradientStacks stacks;
  std::atomic<int> tasks = 0;
  std::atomic<size_t> stack_bytes = 0;      // of the last launch
  std::atomic<bool> found_variant = false;  // whether the last launch found its variant

  /// Whether arguments that are bound for an entry can run it. Throws KernelRuntimeError or ReadOnlyArrayError when no
  /// entry could run.
  bool suits(const KernelEntry& entry, std::span<const Argument> arguments, frontend::TemplateLeaves& leaves,
             BoundArguments* bound) const {
    if (!entry.reads_hold(arguments, leaves, bound)) return false;
    if (!entry.variant->check_fields()) return false;
    if (!entry.written.empty()) check_read_only(name, signature, arguments, entry.written);
    return true;
  }

  /// Binds arguments. False when they need another variant.
  bool bind(const KernelEntry& entry, std::span<const Argument> arguments, ArraySlot* arrays, uint64_t* params) {
    if (!bind_arguments(name, signature, entry.key, arguments, program, arrays, params)) return false;
    if (!entry.gradients.empty())
      bind_gradients(name, signature, entry.gradients, entry.variant->kernel(), arguments, arrays);
    return true;
  }

  /// Binds the arguments that have changed, or all when they were bound to another variant.
  bool bind(const KernelEntry& entry, BoundArguments& bound) {
    const bool again = std::exchange(bound.variant, 0) == entry.number;
    if (again) {
      for (uint32_t number : bound.changed) {
        if (signature.parameters[number].kind == frontend::Parameter::Kind::Template) bound.templates = nullptr;
        if (!bind_argument(name, signature, entry.key, number, bound.arguments[number], program,
                           bound.arrays.data() + rows[number], bound.params.data() + rows[number]))
          return false;
      }
      if (!entry.gradients.empty())
        bind_gradients(name, signature, entry.gradients, entry.variant->kernel(), bound.arguments, bound.arrays.data());
    } else {
      const ir::Kernel& kernel = entry.variant->kernel();
      bound.leaves = nullptr;
      bound.templates = nullptr;
      bound.arrays.resize(kernel.arrays.size());
      bound.params.resize(kernel.params.size());
      if (!bind(entry, bound.arguments, bound.arrays.data(), bound.params.data())) return false;
    }
    bound.changed.clear();
    bound.variant = entry.number;
    return true;
  }

  /// Binds the leaves of templates, unless they are bound already.
  static void bind_leaves(const KernelEntry& entry, const frontend::TemplateLeaves& leaves, ArraySlot* arrays,
                          uint64_t* params, BoundArguments* bound) {
    if (entry.leaves.empty() || (bound && bound->leaves == leaves.values)) return;
    qd::bind_leaves(entry.leaves, leaves, entry.variant->kernel(), arrays, params);
    if (bound) bound->leaves = leaves.values;
  }

  /// Stacks of a launch in place.
  class ScopedStacks {
   public:
    ScopedStacks(GradientStacks& from, std::shared_ptr<device::Memory> memory)
        : from_(from), memory_(std::move(memory)) {}
    ~ScopedStacks() {
      if (memory_) from_.give_back(std::move(memory_));
    }
    ScopedStacks(const ScopedStacks&) = delete;
    ScopedStacks& operator=(const ScopedStacks&) = delete;

   private:
    GradientStacks& from_;
    std::shared_ptr<device::Memory> memory_;
  };

  /// Runs a launch of the variant that fits the arguments.
  std::vector<Scalar> launch(std::span<const Argument> arguments, const LaunchOptions& launch) {
    std::vector<Scalar> results;
    KernelEntry* first = entries.first_tried(launch.bound, launch.mode);
    if (first && run(*first, arguments, launch, results)) {
      found_variant.store(true, std::memory_order_relaxed);
      return results;
    }
    for (int attempt = 0; attempt < 3; ++attempt) {
      bool was_there = false;
      const KernelEntry& entry = entries.entry(arguments, launch.mode, &was_there);
      found_variant.store(was_there, std::memory_order_relaxed);
      if (run(entry, arguments, launch, results)) return results;
    }
    throw KernelRuntimeError("kernel " + name +
                             " reads an attribute of a template that has another value each time it is read: it could "
                             "not even be compiled for it");
  }

  /// Gives the stacks of a gradient to a launch; null: it has none. The kernel that counts them runs before.
  std::shared_ptr<device::Memory> take_stacks(const KernelEntry& entry, std::span<const Argument> arguments,
                                              const LaunchOptions& options, ArraySlot* arrays) {
    if (!entry.stacks) {
      stack_bytes.store(0, std::memory_order_relaxed);
      return nullptr;
    }
    constexpr int64_t kGpuWorkers = 1 << 16, kChunks = 8;  // of a parallel loop; for each thread, to share out its work
    device::Device& device = *program.launcher.device();
    const ir::AutodiffMode mode = entry.key.mode == ir::AutodiffMode::RecordedReverse
                                      ? ir::AutodiffMode::RecordedStackSizes
                                      : ir::AutodiffMode::StackSizes;
    const std::vector<Scalar> sizes =
        launch(arguments, {.poll = options.poll, .stream = options.stream, .mode = mode, .record = options.record});
    const int threads = program.config.cpu_max_num_threads;
    const int64_t workers = device.capabilities().host_memory
                                ? kChunks * (threads > 0 ? threads : std::thread::hardware_concurrency())
                                : kGpuWorkers;
    std::shared_ptr<device::Memory> memory = stacks.take(entry.variant->kernel(), sizes, workers, device, arrays);
    stack_bytes.store(memory->size(), std::memory_order_relaxed);
    return memory;
  }

  /// Runs a launch. False when the arguments need another variant.
  bool run(const KernelEntry& entry, std::span<const Argument> arguments, const LaunchOptions& launch,
           std::vector<Scalar>& results) {
    if (entry.key.mode != launch.mode) return false;
    if (launch.stream || !program.launcher.in_place()) return enqueue(entry, arguments, launch, results);
    const ir::Kernel& kernel = entry.variant->kernel();
    BoundArguments* const bound = launch.bound;
    SmallBuffer<ArraySlot, kInlineArrays> own_arrays(bound ? 0 : kernel.arrays.size());
    SmallBuffer<uint64_t, kInlineWords> own_params(bound ? 0 : kernel.params.size());
    if (!(bound ? bind(entry, *bound) : bind(entry, arguments, own_arrays.data(), own_params.data()))) return false;
    ArraySlot* const arrays = bound ? bound->arrays.data() : own_arrays.data();
    uint64_t* const params = bound ? bound->params.data() : own_params.data();
    frontend::TemplateLeaves leaves;
    if (!suits(entry, arguments, leaves, bound)) return false;
    bind_leaves(entry, leaves, arrays, params, bound);
    const std::vector<std::shared_ptr<device::Memory>> marks = bind_marks(entry, launch.reads, arrays, params);
    const std::vector<std::shared_ptr<device::Memory>> record = bind_record(entry, launch.record, arrays);
    SmallBuffer<uint64_t, kInlineWords> words(kernel.results.size());
    const ScopedStacks own_stacks(stacks, take_stacks(entry, arguments, launch, arrays));
    std::vector<uint64_t> kept;
    if (launch.checkpointed) kept = begin(kernel, *launch.checkpointed, name);
    tasks.store(static_cast<int>(kernel.tasks.size()), std::memory_order_relaxed);
    entry.variant->run(program.launcher, arrays, params, words.data(), launch.poll,
                       kept.empty() ? nullptr : kept.data());
    if (launch.checkpointed) end(kernel, std::move(kept), *launch.checkpointed);
    for (size_t i = 0; i < kernel.results.size(); ++i)
      results.push_back(result_value(kernel.results[i], words.data()[i]));
    return true;
  }

  /// Binds the marks of a launch in validation mode: those of its tape, or its own, all 0. Returns their memory.
  std::vector<std::shared_ptr<device::Memory>> bind_marks(const KernelEntry& entry, TapeReads* reads, ArraySlot* arrays,
                                                          uint64_t* params) {
    std::vector<std::shared_ptr<device::Memory>> memories;
    if (entry.checks.marks.empty()) return memories;
    TapeReads own;
    params[entry.checks.first] = static_cast<uint64_t>(entry.first_read);
    for (const autodiff::ReadMarks& marks : entry.checks.marks) {
      const ir::Array& array = entry.variant->kernel().arrays[marks.array];
      ArraySlot& slot = arrays[marks.marks];
      const size_t numbers = shape_like(array, arrays[marks.array], slot);
      const uint64_t at =
          array.kind == ir::Array::Kind::Field ? array.field : reinterpret_cast<uint64_t>(arrays[marks.array].data);
      memories.push_back((reads ? *reads : own).marks(at, numbers, *program.launcher.device()));
      slot.data = memories.back()->address();
    }
    return memories;
  }

  /// Gives an array that a mode has added the shape of another one. Returns how many numbers it has.
  static size_t shape_like(const ir::Array& array, const ArraySlot& given, ArraySlot& slot) {
    auto numbers = static_cast<size_t>(array.layout.components);
    for (int32_t axis = 0; axis < array.rank; ++axis) {
      const bool field = array.kind == ir::Array::Kind::Field;
      slot.shape[axis] = field ? array.shape[static_cast<size_t>(axis)] : given.shape[axis];
      numbers *= static_cast<size_t>(slot.shape[axis]);
    }
    return numbers;
  }

  /// Binds the record of a launch, or that of the launch whose gradient this is. Returns its memory. Null: nobody wants
  /// the record.
  std::vector<std::shared_ptr<device::Memory>> bind_record(const KernelEntry& entry, LaunchRecord* record,
                                                           ArraySlot* arrays) {
    std::vector<std::shared_ptr<device::Memory>> memories;
    LaunchRecord own;
    for (const autodiff::ElementRecord& each : entry.records) {
      const ir::Array& array = entry.variant->kernel().arrays[each.array];
      const size_t bytes = shape_like(array, arrays[each.array], arrays[each.record]) *
                           static_cast<size_t>(ir::size_in_bytes(array.type));
      std::shared_ptr<device::Memory> memory;
      if (ir::is_as_written(entry.key.mode)) {
        try {
          memory = (record ? *record : own).add(each.number, bytes, *program.launcher.device());
        } catch (const std::bad_alloc&) {
          throw KernelRuntimeError(fmt::format(
              "kernel {}: a tape keeps {:.3g} bytes of elements that the launch overwrites, and there is not enough "
              "memory: write to another array, or use checkpoints",
              name, static_cast<double>(bytes)));
        }
      } else if (record) {
        memory = record->find(each.number, bytes);
      }
      if (!memory)
        throw KernelRuntimeError(
            fmt::format("kernel {}: its gradient needs old numbers of {}, which its launch has not "
                        "kept: arrays have gradients now that they had not then, or other shapes",
                        name, array.name.empty() ? "an array" : array.name));
      arrays[each.record].data = memory->address();
      memories.push_back(std::move(memory));
    }
    return memories;
  }

  /// The arrays of the host among the arguments, each with its slot.
  std::vector<StagedArrays::Staged> staged_slots(const KernelEntry& entry, std::span<const Argument> arguments,
                                                 ArraySlot* arrays) const {
    std::vector<StagedArrays::Staged> staged;
    auto add = [&](const ArrayView& view, uint32_t row) {
      if (!view.on_device) staged.push_back({&view, arrays + row});
    };
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (auto* view = std::get_if<ArrayView>(&arguments[i])) add(*view, rows[i]);
    }
    for (const GradientRow& gradient : entry.gradients) {
      if (auto* view = std::get_if<ArrayView>(&arguments[gradient.parameter])) add(*view->gradient, gradient.row);
    }
    return staged;
  }

  /// Runs a launch on a stream where it goes on after the call. Waits only if the caller needs its output: results, or
  /// arrays of the host. The latter are copied even if the device reaches them, because the wait may be interrupted,
  /// and the launch goes on.
  bool enqueue(const KernelEntry& entry, std::span<const Argument> arguments, const LaunchOptions& options,
               std::vector<Scalar>& results) {
    const ir::Kernel& kernel = entry.variant->kernel();
    LaunchStream& stream = options.stream ? *options.stream : *program.launcher.default_stream();
    CheckpointedLaunch* const checkpointed = options.checkpointed;
    program.launcher.make_room(stream, options.poll);
    auto launch = std::make_shared<LaunchInFlight>();
    launch->results.resize(kernel.results.size());
    frontend::TemplateLeaves leaves;
    if (BoundArguments* const bound = options.bound) {
      if (!bind(entry, *bound) || !suits(entry, arguments, leaves, bound)) return false;
      bind_leaves(entry, leaves, bound->arrays.data(), bound->params.data(), bound);
      launch->arrays = bound->arrays;
      launch->params = bound->params;
    } else {
      launch->arrays.resize(kernel.arrays.size());
      launch->params.resize(kernel.params.size());
      if (!bind(entry, arguments, launch->arrays.data(), launch->params.data())) return false;
      if (!suits(entry, arguments, leaves, nullptr)) return false;
      bind_leaves(entry, leaves, launch->arrays.data(), launch->params.data(), nullptr);
    }
    launch->memories = memories_of(arguments, entry.gradients, entry.leaves, leaves, kernel);
    for (auto& memory : bind_marks(entry, options.reads, launch->arrays.data(), launch->params.data()))
      launch->memories.push_back(std::move(memory));
    for (auto& memory : bind_record(entry, options.record, launch->arrays.data()))
      launch->memories.push_back(std::move(memory));
    if (auto memory = take_stacks(entry, arguments, options, launch->arrays.data()))
      launch->memories.push_back(std::move(memory));
    launch->with_others = std::ranges::any_of(arguments, [](const Argument& argument) {
      const ArrayView* view = std::get_if<ArrayView>(&argument);
      return view && view->on_device;
    });
    StagedArrays staged(*program.launcher.device(), staged_slots(entry, arguments, launch->arrays.data()),
                        launch->memories);
    if (checkpointed) launch->kept = begin(kernel, *checkpointed, name);
    tasks.store(static_cast<int>(kernel.tasks.size()), std::memory_order_relaxed);
    entry.variant->enqueue(program.launcher, stream, launch);
    if (kernel.results.empty() && staged.empty() && !checkpointed) return true;
    try {
      program.launcher.wait_for(stream, *launch, options.poll);
    } catch (const KernelAssertionError&) {
      staged.copy_back();
      throw;
    }
    staged.copy_back();
    if (checkpointed) end(kernel, launch->kept, *checkpointed);
    for (size_t i = 0; i < kernel.results.size(); ++i)
      results.push_back(result_value(kernel.results[i], launch->results[i]));
    return true;
  }
};

Kernel::Kernel(Program& program, frontend::FunctionSource source, std::shared_ptr<frontend::Environment> environment,
               KernelOptions kernel_options)
    : state_(std::make_unique<State>(program, std::move(source), std::move(environment), kernel_options)) {}

Kernel::~Kernel() = default;

const frontend::Signature& Kernel::signature() const { return state_->signature; }
const std::string& Kernel::name() const { return state_->name; }
const KernelOptions& Kernel::options() const { return state_->options; }

std::vector<Scalar> Kernel::launch(std::span<const Argument> arguments, const LaunchOptions& options) {
  const KernelEntries::User user(state_->entries);
  return state_->launch(arguments, options);
}

std::string Kernel::ir_text(std::span<const Argument> arguments) {
  const KernelEntries::User user(state_->entries);
  return ir::print(state_->entries.entry(arguments).variant->kernel());
}

std::string Kernel::assembly(std::span<const Argument> arguments) {
  const KernelEntries::User user(state_->entries);
  return state_->entries.entry(arguments).variant->assembly(state_->program.config);
}

bool Kernel::runs_clean_code(std::span<const Argument> arguments) {
  const KernelEntries::User user(state_->entries);
  return state_->entries.entry(arguments).variant->clean() != nullptr;
}

CacheObservations Kernel::cache_observations() const { return state_->entries.cache_observations(); }

bool Kernel::found_variant_on_last_call() const { return state_->found_variant.load(std::memory_order_relaxed); }

int Kernel::num_tasks_on_last_call() const { return state_->tasks.load(std::memory_order_relaxed); }

size_t Kernel::stack_bytes_on_last_call() const { return state_->stack_bytes.load(std::memory_order_relaxed); }

std::vector<std::string> Kernel::loop_forms_on_last_call() const {
  const KernelEntries::User user(state_->entries);
  const KernelEntry* entry = state_->entries.first_tried(nullptr, ir::AutodiffMode::Primal);
  if (!entry) return {};
  const KernelCode& code = entry->variant->code();
  return state_->program.launcher.device()->target().loop_forms(code.kernel(), code.executable().measured_forms());
}

}  // namespace qd
