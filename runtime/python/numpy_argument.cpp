// Opens buffers, and copies arrays that are not in C order.
#include "runtime/python/numpy_argument.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "runtime/python/raise.h"

namespace qd::python {

namespace {

constexpr const char* kNotContiguous = "not contiguous";
constexpr const char* kType = "type";
constexpr const char* kRank = "rank";

/// The element type of a buffer's format; Void when kernels have no such type.
ir::Type element_type(const Py_buffer& buffer) {
  const char* format = buffer.format ? buffer.format : "B";
  if (*format == '@' || *format == '=' || (*format == '<' && std::endian::native == std::endian::little)) ++format;
  if (!format[0] || format[1]) return ir::Type::Void;
  switch (format[0]) {
    case '?': return ir::Type::U1;
    case 'e': return ir::Type::F16;
    case 'f': return ir::Type::F32;
    case 'd': return ir::Type::F64;
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
    case 'n':
      switch (buffer.itemsize) {
        case 1: return ir::Type::I8;
        case 2: return ir::Type::I16;
        case 4: return ir::Type::I32;
        default: return ir::Type::I64;
      }
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
    case 'N':
      switch (buffer.itemsize) {
        case 1: return ir::Type::U8;
        case 2: return ir::Type::U16;
        case 4: return ir::Type::U32;
        default: return ir::Type::U64;
      }
    default: return ir::Type::Void;
  }
}

}  // namespace

NumpyArguments::~NumpyArguments() {
  for (size_t i = 0; i < count_; ++i) PyBuffer_Release(&buffer(i));
}

const char* NumpyArguments::open(PyObject* object, bool of_numbers, ArrayView& view) {
  if (count_ >= kInPlace) more_.push_back(std::make_unique<Py_buffer>());
  Py_buffer& buffer = this->buffer(count_);
  if (PyObject_GetBuffer(object, &buffer, PyBUF_RECORDS) != 0) {
    forget_error();
    if (PyObject_GetBuffer(object, &buffer, PyBUF_RECORDS_RO) != 0) throw nb::python_error();
  }
  ++count_;
  view.read_only = buffer.readonly != 0;
  view.type = element_type(buffer);
  if (view.type == ir::Type::Void) return kType;
  if (buffer.ndim > kMaxRank) return kRank;
  view.rank = buffer.ndim;
  for (int axis = 0; axis < buffer.ndim; ++axis) {
    if (buffer.shape[axis] > std::numeric_limits<int32_t>::max()) return kRank;
    view.shape[axis] = static_cast<int32_t>(buffer.shape[axis]);
  }
  view.data = buffer.buf;
  if (PyBuffer_IsContiguous(&buffer, 'C')) return nullptr;
  if (!PyBuffer_IsContiguous(&buffer, 'F')) return kNotContiguous;
  if (of_numbers) {
    view.fortran_order = true;
  } else {
    view.data = copy_of(count_ - 1);
  }
  return nullptr;
}

/// Copies an array. An array that is passed twice has one copy.
char* NumpyArguments::copy_of(size_t number) {
  Py_buffer& buffer = this->buffer(number);
  for (Copy& copy : copies_) {
    const Py_buffer& known = this->buffer(copy.buffers[0]);
    const bool same = known.buf == buffer.buf && known.ndim == buffer.ndim && known.itemsize == buffer.itemsize;
    if (!same || !std::equal(buffer.shape, buffer.shape + buffer.ndim, known.shape)) continue;
    copy.buffers.push_back(number);
    return copy.data.get();
  }
  Copy copy{{number}, std::make_unique<char[]>(static_cast<size_t>(buffer.len))};
  if (PyBuffer_ToContiguous(copy.data.get(), &buffer, buffer.len, 'C') != 0) throw nb::python_error();
  return copies_.emplace_back(std::move(copy)).data.get();
}

void NumpyArguments::check_copies(const std::vector<Argument>& arguments, const std::string& kernel) {
  for (const Copy& copy : copies_) {
    const Py_buffer& copied = buffer(copy.buffers[0]);
    const auto* begin = static_cast<const char*>(copied.buf);
    auto check = [&](const void* other, size_t size) {
      if (static_cast<const char*>(other) >= begin + copied.len || begin >= static_cast<const char*>(other) + size)
        return;
      throw nb::value_error(
          fmt::format(
              "Kernel {}: an array of vectors or matrices in Fortran order shares memory with another argument; pass "
              "numpy.ascontiguousarray(...) of it",
              kernel)
              .c_str());
    };
    for (size_t i = 0; i < count_; ++i) {
      if (std::ranges::find(copy.buffers, i) == copy.buffers.end())
        check(buffer(i).buf, static_cast<size_t>(buffer(i).len));
    }
    for (const Argument& argument : arguments) {
      if (Ndarray* const* array = std::get_if<Ndarray*>(&argument); array && *array)
        check((*array)->memory()->address(), (*array)->memory()->size());
    }
  }
}

void NumpyArguments::copy_back() {
  for (Copy& copy : copies_) {
    Py_buffer& to = buffer(copy.buffers[0]);
    if (to.readonly) continue;  // the kernel has only read it
    if (PyBuffer_FromContiguous(&to, copy.data.get(), to.len, 'C') != 0) throw nb::python_error();
  }
}

void NumpyArguments::fail(const char* problem, const std::string& where) {
  const Py_buffer& buffer = this->buffer(count_ - 1);
  if (problem == kNotContiguous) {
    throw nb::value_error(
        fmt::format("{}: the array is not contiguous; pass numpy.ascontiguousarray(...) of it", where).c_str());
  }
  if (problem == kRank)
    throw KernelRuntimeTypeError(
        fmt::format("{}: the array has more than {} axes, or an axis of 2**31 or more", where, kMaxRank));
  const nb::object elements = attribute_or(buffer.obj, "dtype", nb::str(buffer.format ? buffer.format : "bytes"));
  const nb::object text = nb::module_::import_("qdcov._kernels.argument_texts").attr("refused_elements")(elements);
  throw KernelRuntimeTypeError(fmt::format("{}: {}", where, nb::cast<std::string>(text)));
}

}  // namespace qd::python
