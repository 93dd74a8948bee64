// Kernel: finds the variant for the arguments, compiles it when it is new, and runs it.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <filesystem>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "runtime/autodiff/autodiff.h"
#include "runtime/autodiff/validation.h"
#include "runtime/ir/half.h"
#include "runtime/launch/arguments.h"
#include "runtime/launch/bound_arguments.h"
#include "runtime/launch/derivative_lines.h"
#include "runtime/launch/gradient_stacks.h"
#include "runtime/launch/program_state.h"
#include "runtime/launch/read_only_arrays.h"
#include "runtime/launch/staged_arrays.h"
#include "runtime/launch/tape_reads.h"
#include "runtime/passes/pipeline.h"

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

/// The first error, in one line. It has only the name of the file, so that it reads the same wherever the project lies.
std::string first_message(const frontend::KernelCompilationError& error, const std::string& kernel) {
  if (error.diagnostics.empty()) return error.what();
  const frontend::Diagnostic& first = error.diagnostics.front();
  std::string message = first.message.substr(0, first.message.find('\n'));
  if (!first.function.empty() && first.function != kernel) message += fmt::format(" (in {})", first.function);
  return fmt::format("{}:{}: {}", std::filesystem::path(first.file).filename().string(), first.line, message);
}

/// Throws KernelCompilationError for an instruction of a kernel; without one, for the kernel.
[[noreturn]] void refuse(const ir::Kernel& kernel, ir::InstId inst, std::string message) {
  frontend::Diagnostic diagnostic;
  const ir::Location* location = inst == ir::InstId::None ? nullptr : &kernel.locations[kernel[inst].location];
  const ir::Function& function = kernel.functions[location ? location->function : 0];
  diagnostic.message = std::move(message);
  diagnostic.file = function.file;
  diagnostic.function = function.name;
  diagnostic.line = location ? location->line : function.first_line;
  diagnostic.col = location ? location->col : 0;
  diagnostic.end_col = diagnostic.col + 1;
  throw frontend::KernelCompilationError({diagnostic});
}

/// Throws KernelCompilationError for a kernel that the device cannot run.
void refuse_missing(const ir::Kernel& kernel, const device::Capabilities& device) {
  if (const std::optional<ir::Missing> missing = ir::missing_feature(kernel, device.features))
    refuse(kernel, missing->inst, fmt::format("arch={} has no {}", device.arch, ir::name(missing->feature)));
  if (const std::optional<ir::Excess> excess = ir::beyond(kernel, device.blocks))
    refuse(kernel, excess->inst, fmt::format("arch={} {}", device.arch, excess->message));
}

/// Changes the kernel of the front end into that of a mode. Throws KernelCompilationError for an operation without a
/// derivative.
void differentiate(ir::Kernel& kernel, ir::AutodiffMode mode, autodiff::Options options) {
  if (mode == ir::AutodiffMode::Primal) return;
  passes::simplify_variables(kernel);
  try {
    autodiff::differentiate(kernel, mode, options);
  } catch (const autodiff::NoDerivative& error) {
    refuse(kernel, error.inst, fmt::format("{} {}", autodiff::description(kernel, error.inst), error.reason));
  }
  ir::require_valid(kernel, "differentiate");
}

/// The observer of a kernel's launches; null for a kernel of the language itself.
LaunchObserver* observer_of(const Program::State& program, const frontend::FunctionSource& source) {
  return source.library ? nullptr : program.observer;
}

/// Calls `compile` and returns its result. Tells the observer of a failure.
template <class Compile>
auto observed(const Program::State& program, LaunchObserver* observer, const ir::Function& kernel, Compile compile) {
  try {
    return compile();
  } catch (const frontend::KernelCompilationError& error) {
    if (observer) observer->compile_failed(kernel, first_message(error, kernel.name), program.config.arch);
    throw;
  }
}

}  // namespace

struct Kernel::State {
  struct Entry {
    VariantKey key;
    frontend::TemplateReads reads;
    std::vector<WrittenArray> written;
    std::vector<GradientRow> gradients;
    autodiff::OverwriteChecks checks;
    std::shared_ptr<Variant> variant;
    bool stacks = false;     // whether launches need stacks
    int32_t first_read = 0;  // the number of its location 0 in read_of(), if it has checks
    std::vector<LeafRow> leaves = {};
    std::unique_ptr<frontend::TemplateReader> reader = nullptr;  // of the reads; null: there are none
    uint64_t number = next_number();

    /// Whether no launch can fit it any more: fields and objects that it was compiled for are no more.
    bool outlived() const {
      return !variant->fields_are_there() || std::ranges::any_of(reads, [](const frontend::TemplateRead& read) {
        return read.witness && read.witness->gone();
      });
    }
  };
  /// Numbers of entries, from 1; none is used twice.
  static uint64_t next_number() {
    static std::atomic<uint64_t> last = 0;
    return ++last;
  }
  /// A user of entries. It is on the stack.
  class User {
   public:
    explicit User(State& state) : state_(state) { state_.users.fetch_add(1); }
    ~User() { state_.users.fetch_sub(1); }
    User(const User&) = delete;
    User& operator=(const User&) = delete;

   private:
    State& state_;
  };

  State(Program::State& program, frontend::FunctionSource source, std::shared_ptr<frontend::Environment> environment,
        const frontend::Options& options, const KernelOptions& kernel_options)
      : program(program),
        source(std::move(source)),
        environment(std::move(environment)),
        options(options),
        kernel_options(kernel_options),
        signature(frontend::signature(this->source, *this->environment, options)),
        rows(rows_of(signature)),
        name(this->source.function().name) {}

  Program::State& program;
  frontend::FunctionSource source;
  std::shared_ptr<frontend::Environment> environment;
  frontend::Options options;
  KernelOptions kernel_options;
  frontend::Signature signature;
  std::vector<uint32_t> rows;  // rows_of the signature
  std::string name;
  LaunchObserver* const observer = observer_of(program, source);
  std::mutex mutex;  // guards entries; not held while compiling, which may call the host
  std::vector<std::unique_ptr<Entry>> entries;
  std::vector<std::unique_ptr<Entry>> outlived;                  // taken out of `entries`; guarded by the mutex
  std::array<std::atomic<Entry*>, ir::kAutodiffModes> latest{};  // by mode
  std::atomic<int> users = 0;                                    // of entries
  GradientStacks stacks;
  std::atomic<int> tasks = 0;
  std::atomic<size_t> stack_bytes = 0;      // of the last launch
  std::atomic<bool> found_variant = false;  // whether the last launch found its variant
  CacheObservations cache_seen;             // guarded by the mutex

  std::atomic<Entry*>& latest_in(ir::AutodiffMode mode) { return latest[static_cast<size_t>(mode)]; }

  /// Whether launches tell the observer of derivatives.
  bool derivatives() const { return ir::has(options.instruments, ir::Instrument::Derivatives); }

  /// Whether launches in a mode tell the observer of lines. A gradient's have run in the primal.
  static bool counts_lines(ir::AutodiffMode mode) {
    return mode != ir::AutodiffMode::Reverse && mode != ir::AutodiffMode::StackSizes;
  }

  static bool is_as_written(ir::AutodiffMode mode) {
    return mode == ir::AutodiffMode::Primal || mode == ir::AutodiffMode::Validation;
  }

  /// The types of arguments for the front end, which knows gradients only where the kernel uses them.
  std::vector<frontend::ArgumentType> lowered_arguments(const VariantKey& key) const {
    std::vector<frontend::ArgumentType> types = key.arguments;
    for (size_t i = 0; i < types.size() && !has_gradients(key.mode); ++i) {
      auto* array = std::get_if<frontend::ArrayType>(&types[i]);
      if (array && !signature.parameters[i].needs_grad.value_or(false)) array->gradient.reset();
    }
    return types;
  }

  Entry* find(const VariantKey& key, std::span<const Argument> arguments) {
    std::vector<Entry*> candidates;
    {
      std::lock_guard lock(mutex);
      for (const auto& entry : entries) {
        if (same_key(entry->key, key) && entry->variant->fields_are_there()) candidates.push_back(entry.get());
      }
    }
    // The latest variant is tried first. The lock is not held, because the host may want one of its own.
    for (size_t i = candidates.size(); i-- > 0;) {
      frontend::TemplateLeaves leaves;
      if (reads_hold(*candidates[i], arguments, leaves)) return candidates[i];
    }
    return nullptr;
  }

  static bool reads_hold(const Entry& entry, std::span<const Argument> arguments, frontend::TemplateLeaves& leaves,
                         BoundArguments* bound = nullptr) {
    if (!entry.reader) return true;
    if (bound && bound->templates) {
      leaves.launch = bound->templates;
      if (const std::optional<bool> answer = entry.reader->hold_again(leaves)) return *answer;
      leaves.launch = nullptr;
    }
    std::vector<const frontend::Value*> roots;
    roots.reserve(arguments.size());
    for (const Argument& argument : arguments) roots.push_back(std::get_if<frontend::Value>(&argument));
    const bool hold = entry.reader->hold(roots, leaves);
    if (hold && bound) bound->templates = leaves.launch;
    return hold;
  }

  static bool same_key(const VariantKey& a, const VariantKey& b) {
    if (a.mode != b.mode) return false;
    for (size_t i = 0; i < a.arguments.size(); ++i) {
      if (const auto* array = std::get_if<frontend::ArrayType>(&a.arguments[i])) {
        if (*array != std::get<frontend::ArrayType>(b.arguments[i])) return false;
      }
      if (const auto* value = std::get_if<frontend::Value>(&a.arguments[i])) {
        if (!frontend::same_value(*value, std::get<frontend::Value>(b.arguments[i]))) return false;
      }
    }
    return true;
  }

  /// Releases entries that no launch can fit any more. Called by a user of entries that has no entry at the moment.
  void drop_outlived() {
    std::vector<std::unique_ptr<Entry>> dropped;  // ends behind the lock: the host may be called
    std::vector<Entry*> all;
    {
      std::lock_guard lock(mutex);
      for (const auto& entry : entries) all.push_back(entry.get());
    }
    std::erase_if(all, [](const Entry* entry) { return !entry->outlived(); });
    std::lock_guard lock(mutex);
    for (auto& entry : entries) {
      if (std::ranges::find(all, entry.get()) == all.end()) continue;
      outlived.push_back(std::move(entry));
    }
    std::erase(entries, nullptr);
    for (const auto& entry : outlived) {
      std::atomic<Entry*>& last = latest_in(entry->key.mode);
      if (last == entry.get()) last = nullptr;
    }
    // Users of entries that begin from now on find none of these.
    if (users == 1) dropped.swap(outlived);
  }

  std::unique_ptr<Entry> compile(const VariantKey& key) {
    const std::shared_ptr<const void> host_objects = environment->compiling();
    std::vector<frontend::Warning> warnings;
    frontend::TemplateReads reads;
    CacheObservations now;
    const bool kept = program.cache && program.config.src_ll_cache;
    frontend::Options wanted = options;
    wanted.mode = key.mode;
    if (!counts_lines(key.mode)) wanted.instruments = 0;
    const std::vector<frontend::ArgumentType> types = lowered_arguments(key);
    ir::Kernel kernel =
        kept ? lower_or_find(program.cache->files(), source, *environment, types, wanted, warnings, reads, now)
             : frontend::lower(source, *environment, types, wanted, &warnings, &reads);
    program.show_warnings(warnings);
    const passes::Plan& plan = program.launcher.device()->target().plan();
    differentiate(kernel, key.mode, {.probes = derivatives(), .tiles = plan.chunks && !plan.blocks});
    if (derivatives() && is_as_written(key.mode)) add_derivative_lines(kernel, key, reads, program);
    LaunchObserver* const told = counts_lines(key.mode) || !kernel.probes.empty() ? observer : nullptr;
    autodiff::OverwriteChecks checks;
    if (key.mode == ir::AutodiffMode::Validation && options.debug) checks = autodiff::check_overwrites(kernel);
    refuse_missing(kernel, program.launcher.device()->capabilities());
    std::vector<uint64_t> passed;  // the fields in the arguments of this variant's launches
    for (const auto& argument : key.arguments) {
      if (const auto* value = std::get_if<frontend::Value>(&argument)) frontend::add_fields(*value, passed);
    }
    for (const frontend::TemplateRead& read : reads) frontend::add_fields(read.value, passed);
    auto field_of = [&](uint64_t id) -> FieldUse {
      std::lock_guard lock(program.mutex);
      auto field = program.fields.find(id);
      if (field == program.fields.end() || field->second->place()->gone())
        throw KernelRuntimeError("kernel " + name +
                                 " uses a field that is gone: tree.destroy() or the end of its program has ended it");
      return {field->second->place(), std::ranges::find(passed, id) == passed.end()};
    };
    const std::string text = told && counts_lines(key.mode) ? variant_text(signature, key, reads) : "";
    std::unique_ptr<Entry> entry(new Entry{
        key, std::move(reads), written_arrays(kernel, signature), gradient_rows(kernel, signature), std::move(checks),
        std::make_shared<Variant>(std::move(kernel), text, program.config, program.launcher.device(), told, field_of,
                                  program.cache)});
    entry->stacks = has_stacks(entry->variant->kernel());
    if (!entry->checks.marks.empty()) entry->first_read = number_reads({entry->variant, &entry->variant->kernel()});
    entry->leaves = leaf_rows(entry->reads);
    if (!entry->reads.empty()) entry->reader = environment->reader(entry->reads);
    program.show_warnings({});
    now.code_found = entry->variant->code_found();
    std::lock_guard lock(mutex);
    cache_seen = now;
    return entry;
  }

  Entry& entry(std::span<const Argument> arguments, ir::AutodiffMode mode = ir::AutodiffMode::Primal) {
    const bool gradients = has_gradients(mode) || (derivatives() && is_as_written(mode));
    VariantKey key = variant_key(name, signature, arguments, program, mode, gradients);
    Entry* found = find(key, arguments);
    found_variant.store(found != nullptr, std::memory_order_relaxed);
    if (!found) {
      drop_outlived();
      const ir::Function function{source.file, name, source.first_line()};
      LaunchObserver* const told = counts_lines(mode) ? observer : nullptr;
      std::unique_ptr<Entry> compiled = observed(program, told, function, [&] { return compile(key); });
      found = find(key, arguments);  // another thread may have been faster
      if (!found) {
        std::lock_guard lock(mutex);
        found = entries.emplace_back(std::move(compiled)).get();
      }
    }
    latest_in(mode).store(found);
    return *found;
  }

  /// The first temps of a launch that begins at this checkpoint.
  std::vector<uint64_t> begin(const ir::Kernel& kernel, const CheckpointedLaunch& launch) const {
    std::vector<uint64_t> kept = launch.kept;
    if (kept.empty()) kept.resize(kernel.kept_temps);
    if (kept.size() != kernel.kept_temps)
      throw KernelRuntimeError(
          fmt::format("kernel {} cannot be resumed: the status is of another version of it", name));
    if (kept.empty()) {
      if (launch.from) checkpoint(kernel, *launch.from);  // throws
      return kept;
    }
    kept[ir::kYielded] = kept[ir::kFlagValue] = 0;
    kept[ir::kResumeFrom] = launch.from ? checkpoint(kernel, *launch.from) : 0;
    return kept;
  }

  /// The number of the checkpoint with a label.
  uint64_t checkpoint(const ir::Kernel& kernel, int64_t label) const {
    for (size_t i = 0; i < kernel.checkpoints.size(); ++i) {
      if (kernel.checkpoints[i].labelled && kernel.checkpoints[i].label == label) return i + 1;
    }
    throw KernelRuntimeError(fmt::format(
        "{}.resume: no checkpoint {} is compiled: it stands under an `if` with qd.static that does not hold", name,
        label));
  }

  /// Reads the first temps of a launch at its end.
  static void end(const ir::Kernel& kernel, std::vector<uint64_t> kept, CheckpointedLaunch& launch) {
    const uint64_t yielded = kept.empty() ? 0 : static_cast<uint32_t>(kept[ir::kYielded]);
    launch.yielded = yielded == 0 ? std::nullopt : std::optional(kernel.checkpoints[yielded - 1].label);
    launch.value = yielded == 0 ? 0 : static_cast<int32_t>(kept[ir::kFlagValue]);
    launch.kept = std::move(kept);
  }

  /// Whether arguments that are bound for an entry can run it. Throws KernelRuntimeError or ReadOnlyArrayError when no
  /// entry could run.
  bool suits(const Entry& entry, std::span<const Argument> arguments, frontend::TemplateLeaves& leaves,
             BoundArguments* bound) const {
    if (!reads_hold(entry, arguments, leaves, bound)) return false;
    if (!entry.variant->check_fields()) return false;
    if (!entry.written.empty()) check_read_only(name, signature, arguments, entry.written);
    return true;
  }

  /// Binds arguments. False when they need another variant.
  bool bind(const Entry& entry, std::span<const Argument> arguments, ArraySlot* arrays, uint64_t* params) {
    if (!bind_arguments(name, signature, entry.key, arguments, program, arrays, params)) return false;
    if (!entry.gradients.empty())
      bind_gradients(name, signature, entry.gradients, entry.variant->kernel(), arguments, arrays);
    return true;
  }

  /// Binds the arguments that have changed, or all when they were bound to another variant.
  bool bind(const Entry& entry, BoundArguments& bound) {
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
  static void bind_leaves(const Entry& entry, const frontend::TemplateLeaves& leaves, ArraySlot* arrays,
                          uint64_t* params, BoundArguments* bound) {
    if (entry.leaves.empty() || (bound && bound->leaves == leaves.values)) return;
    qd::bind_leaves(entry.leaves, leaves, entry.variant->kernel(), arrays, params);
    if (bound) bound->leaves = leaves.values;
  }

  /// The entry that a launch tries first; null when there is none.
  Entry* first_tried(const BoundArguments* bound, ir::AutodiffMode mode) {
    if (!bound || bound->variant == 0) return latest_in(mode).load();
    std::lock_guard lock(mutex);
    const auto found = std::ranges::find(entries, bound->variant, [](const auto& entry) { return entry->number; });
    return found == entries.end() ? latest_in(mode).load() : found->get();
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
    Entry* first = first_tried(launch.bound, launch.mode);
    if (first && run(*first, arguments, launch, results)) {
      found_variant.store(true, std::memory_order_relaxed);
      return results;
    }
    for (int attempt = 0; attempt < 3; ++attempt) {
      if (run(entry(arguments, launch.mode), arguments, launch, results)) return results;
    }
    throw KernelRuntimeError("kernel " + name +
                             " reads an attribute of a template that has another value each time it is read: it could "
                             "not even be compiled for it");
  }

  /// Gives the stacks of a gradient to a launch; null: it has none. The kernel that counts them runs before.
  std::shared_ptr<device::Memory> take_stacks(const Entry& entry, std::span<const Argument> arguments,
                                              const LaunchOptions& options, ArraySlot* arrays) {
    if (!entry.stacks) {
      stack_bytes.store(0, std::memory_order_relaxed);
      return nullptr;
    }
    constexpr int64_t kGpuWorkers = 1 << 16, kChunks = 8;  // of a parallel loop; for each thread, to share out its work
    device::Device& device = *program.launcher.device();
    const std::vector<Scalar> sizes =
        launch(arguments, {.poll = options.poll, .stream = options.stream, .mode = ir::AutodiffMode::StackSizes});
    const int threads = program.config.cpu_max_num_threads;
    const int64_t workers = device.capabilities().host_memory
                                ? kChunks * (threads > 0 ? threads : std::thread::hardware_concurrency())
                                : kGpuWorkers;
    std::shared_ptr<device::Memory> memory = stacks.take(entry.variant->kernel(), sizes, workers, device, arrays);
    stack_bytes.store(memory->size(), std::memory_order_relaxed);
    return memory;
  }

  /// Runs a launch. False when the arguments need another variant.
  bool run(const Entry& entry, std::span<const Argument> arguments, const LaunchOptions& launch,
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
    SmallBuffer<uint64_t, kInlineWords> words(kernel.results.size());
    const ScopedStacks own_stacks(stacks, take_stacks(entry, arguments, launch, arrays));
    std::vector<uint64_t> kept;
    if (launch.checkpointed) kept = begin(kernel, *launch.checkpointed);
    tasks.store(static_cast<int>(kernel.tasks.size()), std::memory_order_relaxed);
    entry.variant->run(program.launcher, arrays, params, words.data(), launch.poll,
                       kept.empty() ? nullptr : kept.data());
    if (launch.checkpointed) end(kernel, std::move(kept), *launch.checkpointed);
    for (size_t i = 0; i < kernel.results.size(); ++i)
      results.push_back(result_value(kernel.results[i], words.data()[i]));
    return true;
  }

  /// Binds the marks of a launch in validation mode: those of its tape, or its own, all 0. Returns their memory.
  std::vector<std::shared_ptr<device::Memory>> bind_marks(const Entry& entry, TapeReads* reads, ArraySlot* arrays,
                                                          uint64_t* params) {
    std::vector<std::shared_ptr<device::Memory>> memories;
    if (entry.checks.marks.empty()) return memories;
    TapeReads own;
    params[entry.checks.first] = static_cast<uint64_t>(entry.first_read);
    for (const autodiff::ReadMarks& marks : entry.checks.marks) {
      const ir::Array& array = entry.variant->kernel().arrays[marks.array];
      ArraySlot& slot = arrays[marks.marks];
      auto numbers = static_cast<size_t>(array.layout.components);
      for (int32_t axis = 0; axis < array.rank; ++axis) {
        const bool field = array.kind == ir::Array::Kind::Field;
        slot.shape[axis] = field ? array.shape[static_cast<size_t>(axis)] : arrays[marks.array].shape[axis];
        numbers *= static_cast<size_t>(slot.shape[axis]);
      }
      const uint64_t at =
          array.kind == ir::Array::Kind::Field ? array.field : reinterpret_cast<uint64_t>(arrays[marks.array].data);
      memories.push_back((reads ? *reads : own).marks(at, numbers, *program.launcher.device()));
      slot.data = memories.back()->address();
    }
    return memories;
  }

  /// The arrays of the host among the arguments, each with its slot.
  std::vector<StagedArrays::Staged> staged_slots(const Entry& entry, std::span<const Argument> arguments,
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
  bool enqueue(const Entry& entry, std::span<const Argument> arguments, const LaunchOptions& options,
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
    if (auto memory = take_stacks(entry, arguments, options, launch->arrays.data()))
      launch->memories.push_back(std::move(memory));
    launch->with_others = std::ranges::any_of(arguments, [](const Argument& argument) {
      const ArrayView* view = std::get_if<ArrayView>(&argument);
      return view && view->on_device;
    });
    StagedArrays staged(*program.launcher.device(), staged_slots(entry, arguments, launch->arrays.data()),
                        launch->memories);
    if (checkpointed) launch->kept = begin(kernel, *checkpointed);
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
               KernelOptions kernel_options) {
  Program::State& shared = program.state();
  frontend::Options options;
#define QD_FRONT_END_OPTION(type, name, ...) options.name = shared.config.name;
#include "runtime/options/options.def"
  options.check_out_of_bound |= options.debug;
  LaunchObserver* const observer = observer_of(shared, source);
  options.instruments = observer ? observer->instruments() : 0;
  options.pure = kernel_options.fastcache;
  options.graph = kernel_options.graph;
  options.checkpoints = kernel_options.checkpoints;
  options.subgroup_size = program.subgroup_size();
  const ir::Function function{source.file, std::string(source.function().name), source.first_line()};
  state_ = observed(shared, observer, function, [&] {
    return std::make_unique<State>(shared, std::move(source), std::move(environment), options, kernel_options);
  });
}

Kernel::~Kernel() = default;

const frontend::Signature& Kernel::signature() const { return state_->signature; }
const std::string& Kernel::name() const { return state_->name; }
const KernelOptions& Kernel::options() const { return state_->kernel_options; }

std::vector<Scalar> Kernel::launch(std::span<const Argument> arguments, const LaunchOptions& options) {
  const State::User user(*state_);
  return state_->launch(arguments, options);
}

std::string Kernel::ir_text(std::span<const Argument> arguments) {
  const State::User user(*state_);
  return ir::print(state_->entry(arguments).variant->kernel());
}

std::string Kernel::assembly(std::span<const Argument> arguments) {
  const State::User user(*state_);
  return state_->entry(arguments).variant->assembly(state_->program.config);
}

bool Kernel::runs_clean_code(std::span<const Argument> arguments) {
  const State::User user(*state_);
  return state_->entry(arguments).variant->clean() != nullptr;
}

CacheObservations Kernel::cache_observations() const {
  std::lock_guard lock(state_->mutex);
  return state_->cache_seen;
}

bool Kernel::found_variant_on_last_call() const { return state_->found_variant.load(std::memory_order_relaxed); }

int Kernel::num_tasks_on_last_call() const { return state_->tasks.load(std::memory_order_relaxed); }

size_t Kernel::stack_bytes_on_last_call() const { return state_->stack_bytes.load(std::memory_order_relaxed); }

}  // namespace qd
