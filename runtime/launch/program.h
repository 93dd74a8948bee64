// The host API: a Program owns memory, kernels and the device they run on.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "runtime/abi/array_slot.h"
#include "runtime/device/device.h"
#include "runtime/frontend/frontend.h"
#include "runtime/launch/config.h"
#include "runtime/launch/field_place.h"
#include "runtime/launch/kernel_cache.h"
#include "runtime/launch/launch_stream.h"
#include "runtime/launch/observer.h"

namespace qd {

/// Error of a launch: an assert (KernelAssertionError) or a wrong argument (KernelRuntimeTypeError).
struct KernelRuntimeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct KernelAssertionError : KernelRuntimeError {
  using KernelRuntimeError::KernelRuntimeError;
};
struct KernelRuntimeTypeError : KernelRuntimeError {
  using KernelRuntimeError::KernelRuntimeError;
};
/// Error of a call with too many arguments, too few, or one of another name.
struct KernelArgumentError : KernelRuntimeTypeError {
  using KernelRuntimeTypeError::KernelRuntimeTypeError;
};
/// Error of a launch that its poll has ended. Its writes may have happened or not.
struct KernelInterrupted : KernelRuntimeError {
  using KernelRuntimeError::KernelRuntimeError;
};

class Program;
class Profiler;

/// The type, shape and layout of an array. `layout.components` follows from the element's shape.
struct ArrayDescription {
  ir::Type type = ir::Type::Void;           // of the numbers in the elements
  std::vector<int32_t> shape;               // the shape that is indexed
  std::vector<int32_t> element_shape = {};  // empty: elements are numbers; (n): vectors; (n, m): matrices, row by row
  ir::Layout layout = {};
  int64_t offset = 0;                     // of the first number in the memory, in bytes
  std::vector<int32_t> first_index = {};  // the first index of each axis, for kernels that use a field; empty: 0
};

/// An array in memory of the program's device. Without a layout, its elements are dense and in C order. A new array
/// holds zeros. The program must outlive it.
class Ndarray {
 public:
  /// Makes an array in `memory`, which may hold others, too; null: in memory of its own. Throws std::invalid_argument
  /// when the array does not fit.
  Ndarray(Program& program, ArrayDescription description, std::shared_ptr<device::Memory> memory = nullptr);
  Ndarray(const Ndarray&) = delete;
  Ndarray& operator=(const Ndarray&) = delete;
  virtual ~Ndarray() = default;

  ir::Type type() const { return description_.type; }
  const std::vector<int32_t>& shape() const { return description_.shape; }
  const std::vector<int32_t>& element_shape() const { return description_.element_shape; }
  const ir::Layout& layout() const { return description_.layout; }
  const std::vector<int32_t>& first_index() const { return description_.first_index; }
  int64_t size() const;  // number of elements
  /// The numbers' address for the host, until the next launch that uses the array. Waits for launches that use it, as
  /// Program::sync does.
  void* data();
  const ArraySlot& slot() const { return slot_; }
  const std::shared_ptr<device::Memory>& memory() const { return memory_; }
  /// The gradient, of the same type and shape; null: there is none.
  virtual const Ndarray* gradient() const { return gradient_; }
  /// Sets the gradient, which has to live as long as this array has it.
  void set_gradient(const Ndarray* gradient) { gradient_ = gradient; }

  /// All numbers of a dense array; those of an element are neighbours. Waits and ends as data() does.
  template <class T>
  std::span<T> span() {
    return {static_cast<T*>(data()), static_cast<size_t>(size() * layout().components)};
  }

 private:
  Program& program_;
  ArrayDescription description_;
  std::shared_ptr<device::Memory> memory_;
  ArraySlot slot_{};
  const Ndarray* gradient_ = nullptr;
};

/// An Ndarray that kernels use by its name: captured, or passed as a template. Its Program owns it until release().
class Field : public Ndarray, public std::enable_shared_from_this<Field> {
 public:
  Field(Program& program, ArrayDescription description, std::shared_ptr<device::Memory> memory, std::string name,
        uint64_t id);
  ~Field() override { place_->field_ended(); }
  const Ndarray* gradient() const override;
  const std::string& name() const { return name_; }
  uint64_t id() const { return id_; }
  const std::shared_ptr<FieldPlace>& place() const { return place_; }
  /// The field as a value for the front end.
  frontend::HostField value() const;
  /// Sets the fields that kernels find as `.grad` and `.dual` of this one, for as long as they are there.
  void set_grad(const Field& grad) { grad_ = grad.weak_from_this(); }
  void set_dual(const Field& dual) { dual_ = dual.weak_from_this(); }
  /// Makes this field one component, from 0, of the elements of another one; it lies in that one's memory.
  void set_whole(const Field& whole, int32_t component) { whole_ = whole.weak_from_this(), component_ = component; }

 private:
  std::string name_;
  uint64_t id_;
  std::shared_ptr<FieldPlace> place_;
  std::weak_ptr<const Field> grad_, dual_, whole_;
  int32_t component_ = 0;
};

/// View of foreign memory (a numpy array, a tensor): dense, in C order or, for arrays of numbers, in Fortran order.
struct ArrayView {
  void* data = nullptr;
  ir::Type type = ir::Type::Void;
  int32_t rank = 0;
  int32_t shape[kMaxRank] = {};
  bool fortran_order = false;
  bool read_only = false;  // only kernels that do not write it may have it
  bool on_device = false;  // in memory of the program's device (device::Exchange), where the kernel works; else the
                           // host's
  const ArrayView* gradient = nullptr;  // the caller's, of the same type and shape; null: there is none
};

using Argument = std::variant<int64_t, double, Ndarray*, ArrayView, frontend::Value>;
/// A scalar result: an integer (u1 as 0 or 1, u64 as its bits) or a float.
using Scalar = std::variant<int64_t, double>;

/// The options of a kernel's decorator.
struct KernelOptions {
  bool fastcache = false;    // the kernel may capture nothing but definitions and constants, which is checked
  bool graph = false;        // its loops may be repeated by the device, and run beside each other
  bool checkpoints = false;  // launches of it may yield and be resumed; with graph alone
};

/// A launch of a kernel with checkpoints: its begin and its end.
struct CheckpointedLaunch {
  std::optional<int64_t> from;  // the label of the checkpoint that it resumes at; nothing: it begins at the beginning
  std::vector<uint64_t> kept;   // before: output of an earlier launch; empty: there was none.
                                // Behind: state for a later one to resume
  std::optional<int64_t> yielded;  // behind: the label of the checkpoint that raised its flag
  int32_t value = 0;               // behind: the value of that flag
};

struct BoundArguments;
class LaunchRecord;
class TapeReads;

/// The circumstances of a launch.
struct LaunchOptions {
  LaunchPoll* poll = nullptr;      // asked whether to end the launch, or the wait for it; null: nothing ends it early
  LaunchStream* stream = nullptr;  // null: the default stream
  CheckpointedLaunch* checkpointed = nullptr;  // of a kernel with checkpoints
  ir::AutodiffMode mode = ir::AutodiffMode::Primal;
  BoundArguments* bound = nullptr;  // whose arguments these are (bound_arguments.h)
  TapeReads* reads = nullptr;       // in validation mode: what earlier launches have read; null: there are none
  LaunchRecord* record = nullptr;   // in a mode that is Recorded: the record of the launch, or of that of the gradient
};

/// A kernel with all its compiled variants. Thread-safe.
class Kernel {
 public:
  Kernel(Program& program, frontend::FunctionSource source, std::shared_ptr<frontend::Environment> environment,
         KernelOptions kernel_options = {});
  ~Kernel();
  const frontend::Signature& signature() const;
  const std::string& name() const;
  const KernelOptions& options() const;
  /// Compiles when the mode, these types or the template values are new, then runs the kernel on a stream of its
  /// program. It waits if the stream runs in place, or if the call needs the launch's output (results, arrays of the
  /// host). Throws KernelCompilationError, KernelRuntimeTypeError, KernelAssertionError, and KernelInterrupted when the
  /// poll ends the launch. KernelRuntimeError: a kernel with checkpoints has none of that label, or `kept` is of
  /// another version of the kernel.
  std::vector<Scalar> launch(std::span<const Argument> arguments, const LaunchOptions& options = {});

  template <class... Args>
  std::vector<Scalar> operator()(Args&&... args) {
    std::array<Argument, sizeof...(Args)> list{Argument(std::forward<Args>(args))...};
    return launch(list);
  }
  template <class... Args>
  std::vector<Scalar> on(LaunchStream& stream, Args&&... args) {
    std::array<Argument, sizeof...(Args)> list{Argument(std::forward<Args>(args))...};
    return launch(list, {.stream = &stream});
  }
  /// The IR of the variant for these arguments, after all passes; and its machine code's assembly text.
  std::string ir_text(std::span<const Argument> arguments);
  std::string assembly(std::span<const Argument> arguments);
  /// Whether a launch with these arguments runs clean code now: see CleanCodeSwitch.
  bool runs_clean_code(std::span<const Argument> arguments);
  /// Observations of the offline cache at the last compilation of a variant.
  CacheObservations cache_observations() const;
  /// Whether the last launch ran a variant that had been compiled before.
  bool found_variant_on_last_call() const;
  /// Number of tasks of the last launch: parallel loops, and the serial code between them. Those of a do-while count
  /// once.
  int num_tasks_on_last_call() const;
  /// Bytes of the memory that the last launch had for the stacks of a gradient; 0 if it kept no numbers there.
  size_t stack_bytes_on_last_call() const;
  /// Forms of the parallel loops of the variant of the last launch (codegen::Target::loop_forms).
  std::vector<std::string> loop_forms_on_last_call() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class Program {
 public:
  /// Starts a program. `observer` may be null (no coverage), and must outlive the program. Throws std::invalid_argument
  /// for an unknown arch, and std::runtime_error when there is no such device here.
  explicit Program(Config config = {}, LaunchObserver* observer = nullptr);
  ~Program();
  const Config& config() const;

  std::unique_ptr<Ndarray> ndarray(ir::Type type, std::vector<int32_t> shape);
  std::unique_ptr<Ndarray> ndarray(ArrayDescription description, std::shared_ptr<device::Memory> memory = nullptr);
  Field& field(ir::Type type, std::vector<int32_t> shape, std::string name = "");
  Field& field(ArrayDescription description, std::string name = "", std::shared_ptr<device::Memory> memory = nullptr);
  /// Gives a field away: it and its memory live as long as the result, and the memory as long as kernels that have
  /// captured the field. Variants of kernels that the field was passed to go when another one is compiled.
  std::shared_ptr<const Field> release(const Field& field);
  /// Ends a field: launches that would use it throw KernelRuntimeError. Its memory is freed when launches that use it
  /// are over, the field's owner has released it, and this result is gone, which is for launches in place.
  std::shared_ptr<const void> destroy(const Field& field);
  /// Loads a kernel from a `.py` file. Throws std::runtime_error when the file or the kernel is not there, and
  /// KernelCompilationError when the file does not parse.
  Kernel& load_kernel(const std::string& path, const std::string& name);
  /// Whether the host reaches the memory of arrays at any time (device::Capabilities::host_memory), also without map().
  bool host_memory() const;
  /// Whether debug mode tells elements that two sections of a fork use (device::Capabilities::claims).
  bool checks_claims() const;
  /// Number of threads of a subgroup of the device.
  int subgroup_size() const;
  /// Makes zeroed memory in which several arrays may lie. Throws std::bad_alloc.
  std::shared_ptr<device::Memory> memory(size_t size);
  /// Makes memory usable for the host: waits for the launches that use it, as sync() does, and for those before them on
  /// their streams. See device::Memory::map.
  void* map(device::Memory& memory, device::Memory::Access access, LaunchPoll* poll = nullptr);
  /// Lets other libraries use the memory too: see device::Memory::share. Waits as map() does.
  void share(device::Memory& memory, LaunchPoll* poll = nullptr);
  /// Interface by which other libraries use the device's memory; null: they cannot.
  device::Exchange* exchange() const;
  /// Waits for all launches, on all streams. Throws the KernelAssertionError of the first one that failed and that no
  /// wait has thrown yet; KernelInterrupted when `poll` says so.
  void sync(LaunchPoll* poll = nullptr);
  /// Whether sync() has nothing to do.
  bool settled() const;

  /// Makes a stream: launches on it go on after the call, in their order. Only events order launches of different
  /// streams. A stream that is released without destroy() leaves the wait for its launches to sync(). Throws
  /// KernelRuntimeError when there cannot be another one.
  std::shared_ptr<LaunchStream> new_stream();
  std::shared_ptr<LaunchStream> default_stream() const;
  /// Waits for the launches of one stream, and throws their failures as sync() does.
  void sync(LaunchStream& stream, LaunchPoll* poll = nullptr);
  /// Waits for a stream, and then ends it: a launch on it throws KernelRuntimeError. KernelInterrupted leaves it as it
  /// was.
  void destroy(const std::shared_ptr<LaunchStream>& stream, LaunchPoll* poll = nullptr);
  /// A point behind all launches of the stream so far.
  LaunchEvent record(LaunchStream& stream);
  /// Waits for the launches before an event, and throws their failures as sync() does.
  void sync(const LaunchEvent& event, LaunchPoll* poll = nullptr);
  /// Makes launches on the stream run behind the event from now on. On a stream that runs in place, the call waits;
  /// KernelInterrupted when `poll` says so.
  void wait(LaunchStream& stream, const LaunchEvent& event, LaunchPoll* poll = nullptr);
  /// Ends launches early, if the device can: the end of the program then does not wait for them.
  void end_early();

  /// Waits like sync(), but a failure is thrown by the next sync(). For a caller that wants the counts of launches
  /// alone.
  void take_in_launches(LaunchPoll* poll = nullptr);
  /// Takes in the launches that are over, so that objects that only they have kept alive are free. Failures as above.
  void take_in_over();
  /// Times of kernels. Null without Config::kernel_profiler. Launches that are not over are not in it:
  /// take_in_launches() first.
  Profiler* profiler();
  /// Name of its device for people.
  std::string device_name() const;
  /// Sets the output of kernels' prints. `print` is called once for each launch that printed, at its end, by the thread
  /// that launches. Default: standard output, flushed.
  void set_print(std::function<void(std::string_view)> print);
  /// Sets the receiver of the compiler's warnings, each with file and line. Default: standard error.
  void set_warn(std::function<void(std::string_view)> warn);
  /// Sets the receiver of warnings of names that have newer ones. Default: as other warnings.
  void set_warn_deprecated(std::function<void(const frontend::Warning&)> warn);

  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

}  // namespace qd
