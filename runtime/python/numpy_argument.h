// Arrays that a call passes through Python's buffer protocol: those of numpy, and others.
#pragma once

#include <array>

#include "runtime/python/objects.h"

namespace qd::python {

/// The buffers of one call; they are released when it ends.
class NumpyArguments {
 public:
  NumpyArguments() = default;
  ~NumpyArguments();
  NumpyArguments(const NumpyArguments&) = delete;
  NumpyArguments& operator=(const NumpyArguments&) = delete;

  /// The memory of an array: the array's own, or a copy if it is in Fortran order and not `of_numbers`. `where` names
  /// the argument in messages.
  template <class Where>
  ArrayView add(PyObject* object, bool of_numbers, Where&& where) {
    ArrayView view;
    if (const char* problem = open(object, of_numbers, view)) fail(problem, where());
    return view;
  }
  /// Checks, before the launch, that no argument shares memory with a copied one. Throws ValueError.
  void check_copies(const std::vector<Argument>& arguments, const std::string& kernel);
  /// Called after the launch: writes the copies back.
  void copy_back();

 private:
  struct Copy {
    std::vector<size_t> buffers;  // of the same array
    std::unique_ptr<char[]> data;
  };
  /// Opens a buffer. Returns null, or the reason why it cannot be used.
  const char* open(PyObject* object, bool of_numbers, ArrayView& view);
  char* copy_of(size_t buffer);
  [[noreturn]] void fail(const char* problem, const std::string& where);

  static constexpr size_t kInPlace = 8;
  std::array<Py_buffer, kInPlace> first_;
  std::vector<std::unique_ptr<Py_buffer>> more_;
  size_t count_ = 0;
  std::vector<Copy> copies_;

  Py_buffer& buffer(size_t i) { return i < kInPlace ? first_[i] : *more_[i - kInPlace]; }
};

}  // namespace qd::python
