// The host API: a Program owns memory, kernels and the device they run on.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "runtime/abi/array_slot.h"
#include "runtime/device/device.h"
#include "runtime/frontend/frontend.h"
#include "runtime/launch/config.h"
#include "runtime/launch/kernel_cache.h"
#include "runtime/launch/observer.h"

namespace qd {

/// A kernel that failed while it ran: an assert (KernelAssertionError) or a wrong argument (KernelRuntimeTypeError).
struct KernelRuntimeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct KernelAssertionError : KernelRuntimeError {
  using KernelRuntimeError::KernelRuntimeError;
};
struct KernelRuntimeTypeError : KernelRuntimeError {
  using KernelRuntimeError::KernelRuntimeError;
};
/// A launch that its poll has ended. What it would have written may be there or not.
struct KernelInterrupted : KernelRuntimeError {
  using KernelRuntimeError::KernelRuntimeError;
};

class Program;

/// What an array is made of. `layout.components` follows from the element's shape.
struct ArrayDescription {
  ir::Type type = ir::Type::Void;           // of the numbers in its elements
  std::vector<int32_t> shape;               // of the indices
  std::vector<int32_t> element_shape = {};  // empty: numbers; (n): vectors; (n, m): matrices, row by row
  ir::Layout layout = {};
  int64_t offset = 0;                     // of the first number in the memory, in bytes
  std::vector<int32_t> first_index = {};  // of each axis, in kernels that reach a field; empty: 0
};

/// Array in memory of the program's device. Without a layout the elements are dense and in C order. Zeroed when new.
/// The program outlives it.
class Ndarray {
 public:
  /// In `memory`, which others may lie in, too; null: in memory of its own. Throws std::invalid_argument when it does
  /// not fit.
  Ndarray(Program& program, ArrayDescription description, std::shared_ptr<device::Memory> memory = nullptr);
  Ndarray(const Ndarray&) = delete;
  Ndarray& operator=(const Ndarray&) = delete;

  ir::Type type() const { return description_.type; }
  const std::vector<int32_t>& shape() const { return description_.shape; }
  const std::vector<int32_t>& element_shape() const { return description_.element_shape; }
  const ir::Layout& layout() const { return description_.layout; }
  const std::vector<int32_t>& first_index() const { return description_.first_index; }
  int64_t size() const;  // elements
  /// The first number, for the host: until the next launch that uses the array. Waits for the launches that do, as
  /// Program::sync does.
  void* data();
  const ArraySlot& slot() const { return slot_; }
  const std::shared_ptr<device::Memory>& memory() const { return memory_; }

  /// All numbers of a dense array: those of an element stand together. As data().
  template <class T>
  std::span<T> span() {
    return {static_cast<T*>(data()), static_cast<size_t>(size() * layout().components)};
  }

 private:
  Program& program_;
  ArrayDescription description_;
  std::shared_ptr<device::Memory> memory_;
  ArraySlot slot_{};
};

/// A field is an Ndarray that kernels reach by name: captured, or as a template. Owned by its Program.
class Field : public Ndarray {
 public:
  Field(Program& program, ArrayDescription description, std::shared_ptr<device::Memory> memory, std::string name,
        uint64_t id);
  const std::string& name() const { return name_; }
  uint64_t id() const { return id_; }
  /// The value that a kernel compiles against.
  frontend::Field value() const;
  /// The fields that kernels find as `.grad` and `.dual` of this one. All are the program's.
  void set_grad(const Field& grad) { grad_ = &grad; }
  void set_dual(const Field& dual) { dual_ = &dual; }

 private:
  std::string name_;
  uint64_t id_;
  const Field* grad_ = nullptr;
  const Field* dual_ = nullptr;
};

/// Foreign memory (a numpy array), dense, in C order or, for arrays of numbers, in Fortran order.
struct ArrayView {
  void* data = nullptr;
  ir::Type type = ir::Type::Void;
  int32_t rank = 0;
  int32_t shape[kMaxRank] = {};
  bool fortran_order = false;
};

using Argument = std::variant<int64_t, double, Ndarray*, ArrayView, frontend::Value>;
/// A scalar result: integers (u1 as 0 or 1; u64 as its bits), floats.
using Scalar = std::variant<int64_t, double>;

/// What a kernel's decorator says.
struct KernelOptions {
  bool fastcache = false;  // checked to capture nothing but definitions and constants
};

/// A kernel with all its compiled variants. Thread-safe.
class Kernel {
 public:
  Kernel(Program& program, frontend::FunctionSource source, std::shared_ptr<frontend::Environment> environment,
         KernelOptions kernel_options = {});
  ~Kernel();
  const frontend::Signature& signature() const;
  const std::string& name() const;
  /// Compiles when these types and template values are new, then runs and waits. Throws KernelCompilationError,
  /// KernelRuntimeTypeError, KernelAssertionError, and KernelInterrupted when `poll` says so; without one nothing ends
  /// a launch before its end.
  std::vector<Scalar> launch(std::span<const Argument> arguments, LaunchPoll* poll = nullptr);

  template <class... Args>
  std::vector<Scalar> operator()(Args&&... args) {
    std::array<Argument, sizeof...(Args)> list{Argument(std::forward<Args>(args))...};
    return launch(list);
  }
  /// The IR of the variant for these arguments, after all passes; and its machine code's assembly text.
  std::string ir_text(std::span<const Argument> arguments);
  std::string assembly(std::span<const Argument> arguments);
  /// Whether a launch with these arguments runs clean code now: see CleanCodeSwitch.
  bool runs_clean_code(std::span<const Argument> arguments);
  /// What the offline cache did when a variant was compiled last.
  CacheObservations cache_observations() const;
  /// Whether the last launch ran a variant that was compiled before it.
  bool found_variant_on_last_call() const;
  /// Tasks that the last launch ran.
  int num_tasks_on_last_call() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

class Program {
 public:
  /// `observer` may be null (no coverage) and must outlive the program.
  /// Throws std::invalid_argument for an arch that nobody knows, std::runtime_error when there is no such device here.
  explicit Program(Config config = {}, LaunchObserver* observer = nullptr);
  ~Program();
  const Config& config() const;

  std::unique_ptr<Ndarray> ndarray(ir::Type type, std::vector<int32_t> shape);
  std::unique_ptr<Ndarray> ndarray(ArrayDescription description, std::shared_ptr<device::Memory> memory = nullptr);
  Field& field(ir::Type type, std::vector<int32_t> shape, std::string name = "");
  Field& field(ArrayDescription description, std::string name = "", std::shared_ptr<device::Memory> memory = nullptr);
  /// A kernel of a `.py` file. Throws std::runtime_error when the file or the kernel is not there,
  /// KernelCompilationError when it does not parse.
  Kernel& load_kernel(const std::string& path, const std::string& name);
  /// device::Capabilities::in_place of its device.
  bool in_place() const;
  /// Zeroed memory that several arrays may lie in. Throws std::bad_alloc.
  std::shared_ptr<device::Memory> memory(size_t size);
  /// For the host: waits for the launches that use the memory, as sync() does. See device::Memory::map.
  void* map(device::Memory& memory, device::Memory::Access access, LaunchPoll* poll = nullptr);
  /// Waits for all launches. Throws the KernelAssertionError of the first one that failed since the last wait;
  /// KernelInterrupted when `poll` says so.
  void sync(LaunchPoll* poll = nullptr);
  /// As sync(), but what failed is thrown by the next one: for who wants what launches have counted, and nothing else.
  void take_in_launches(LaunchPoll* poll = nullptr);
  /// Where kernels print: called once for each launch that has printed, at its end, by the launching thread. Default:
  /// standard output, flushed.
  void set_print(std::function<void(std::string_view)> print);
  /// Gets the compiler's warnings, each with file and line. Default: standard error.
  void set_warn(std::function<void(std::string_view)> warn);

  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

}  // namespace qd
