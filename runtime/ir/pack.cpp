// List of fields of each struct, for packing and unpacking alike. A new field does not compile before it is in the
// list.
#include "runtime/ir/pack.h"

#include <cstring>
#include <type_traits>

namespace qd::ir {
namespace {

template <class T>
constexpr bool kIsBytes =
    std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T> && !std::is_same_v<T, bool>;

/// The fields of a struct, in their order.
#define QD_FIELDS(Struct, ...)             \
  template <class A>                       \
  void fields(A& archive, Struct& whole) { \
    auto& [__VA_ARGS__] = whole;           \
    archive(__VA_ARGS__);                  \
  }
QD_FIELDS(Function, file, name, first_line)
QD_FIELDS(Param, name, type)
QD_FIELDS(Layout, components, stride, component_stride, order)
QD_FIELDS(Array, kind, name, type, rank, shape, field, layout, gradient, dual)
QD_FIELDS(LoopInfo, parallel, block_dim, vectorize, name)
QD_FIELDS(Format, pieces, specs, types, kind)
QD_FIELDS(Decision, function, kind, range, conditions)
QD_FIELDS(Routine, name, params, results, body)
QD_FIELDS(Bound, kind, value, axis, type)
QD_FIELDS(Checkpoint, labelled, label)
template <class A>
void fields(A& archive, Step& v) {
  auto& [kind, task, condition, sections] = v;
  const typename A::Deeper deeper(archive);
  archive(kind, task, condition, sections);
}
QD_FIELDS(Task, kind, name, prologue, body, epilogue, loop, bounds, block_dim, vectorize, start_probes, start_counter,
          trip_counter, cost)
QD_FIELDS(Kernel, name, params, arrays, results, functions, locations, loops, formats, variants, probes, decisions,
          routines, insts, operands, blocks, body, tasks, schedule, global_temps, kept_temps, checkpoints, end_probes,
          begin_counter, end_counter, counters)
#undef QD_FIELDS

struct Writer {
  struct Deeper {
    explicit Deeper(Writer&) {}
  };
  std::string bytes;

  template <class... T>
  void operator()(T&... values) {
    (one(values), ...);
  }
  void raw(const void* data, size_t size) { bytes.append(static_cast<const char*>(data), size); }
  void size(size_t count) {
    const auto number = static_cast<uint32_t>(count);
    raw(&number, sizeof number);
  }
  void one(std::string& text) {
    size(text.size());
    bytes += text;
  }
  void one(bool value) { bytes += static_cast<char>(value); }
  template <class T>
  void one(std::vector<T>& values) {
    size(values.size());
    if constexpr (kIsBytes<T>) {
      raw(values.data(), values.size() * sizeof(T));
    } else {
      for (T& value : values) one(value);
    }
  }
  template <class T>
  void one(T& value) {
    if constexpr (kIsBytes<T>) {
      raw(&value, sizeof value);
    } else {
      fields(*this, value);
    }
  }
};

/// Whether bytes are a value of their type. For enumerations that is checked here; all other bytes are valid, and
/// ir::verify checks their meaning.
template <class T>
bool is_value(const T&) {
  static_assert(!std::is_enum_v<T>, "an enumeration needs its last value here");
  return true;
}
bool is_value(InstId) { return true; }
bool is_value(BlockId) { return true; }
bool is_value(Type v) { return v <= Type::F64; }
bool is_value(Array::Kind v) { return v <= Array::Kind::Stack; }
bool is_value(Format::Kind v) { return v <= Format::Kind::Overwrite; }
bool is_value(Bound::Kind v) { return v <= Bound::Kind::Param; }
bool is_value(Vectorize v) { return v <= Vectorize::No; }
bool is_value(Task::Kind v) { return v <= Task::Kind::Parallel; }
bool is_value(Step::Kind v) { return v <= Step::Kind::Fork; }
bool is_value(const Inst& v) { return is_operation(v.op) && is_value(v.type); }

struct Reader {
  /// Counts the depth of nesting. Bytes that nest too deeply were not written by pack().
  struct Deeper {
    explicit Deeper(Reader& reader) : reader(reader) { reader.good &= ++reader.depth <= kMaxStepDepth; }
    ~Deeper() { reader.depth--; }
    Reader& reader;
  };
  std::string_view bytes;
  bool good = true;
  int depth = 0;

  template <class... T>
  void operator()(T&... values) {
    (one(values), ...);
  }
  void raw(void* data, size_t size) {
    good &= size <= bytes.size();
    if (!good || size == 0) return;
    std::memcpy(data, bytes.data(), size);
    bytes.remove_prefix(size);
  }
  /// The size of a list. It is never larger than the number of bytes that are left.
  size_t size() {
    uint32_t count = 0;
    raw(&count, sizeof count);
    good &= count <= bytes.size();
    return good ? count : 0;
  }
  void one(std::string& text) {
    text.resize(size());
    raw(text.data(), text.size());
  }
  void one(bool& value) {
    uint8_t byte = 0;
    raw(&byte, 1);
    good &= byte <= 1;
    value = byte == 1;
  }
  template <class T>
  void one(std::vector<T>& values) {
    const size_t count = size();
    if constexpr (kIsBytes<T>) {
      good &= count <= bytes.size() / sizeof(T);
      values.resize(good ? count : 0);
      raw(values.data(), values.size() * sizeof(T));
      for (const T& value : values) good &= is_value(value);
    } else {
      for (size_t i = 0; i < count && good; ++i) one(values.emplace_back());
    }
  }
  template <class T>
  void one(T& value) {
    if constexpr (kIsBytes<T>) {
      raw(&value, sizeof value);
      good &= is_value(value);
    } else {
      fields(*this, value);
    }
  }
};

}  // namespace

std::string pack(const Kernel& kernel) {
  Writer writer;
  writer.one(const_cast<Kernel&>(kernel));  // not written to: fields() is for both directions
  return std::move(writer.bytes);
}

std::optional<Kernel> unpack(std::string_view bytes) {
  Reader reader{bytes};
  Kernel kernel;
  reader.one(kernel);
  if (!reader.good || !reader.bytes.empty()) return std::nullopt;
  return kernel;
}

}  // namespace qd::ir
