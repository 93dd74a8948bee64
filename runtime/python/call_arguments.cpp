// Splits the arguments of a call: scalars, arrays and templates stay whole, vectors, matrices and structs become their
// components. Builds results in the same way.
#include "runtime/python/call_arguments.h"

#include <fmt/format.h>
#include <nanobind/stl/vector.h>

#include "runtime/frontend/constants/compound_types.h"
#include "runtime/frontend/constants/python_values.h"
#include "runtime/python/memory_handle.h"
#include "runtime/python/raise.h"

namespace qd::python {

using frontend::Parameter;
using frontend::ParameterTree;

namespace {

std::string text(nb::handle object) { return nb::cast<std::string>(nb::repr(object)); }

/// An integer of at most 32 bits, Python's or numpy's.
std::optional<int64_t> small_integer(nb::handle object) {
  nb::object number = nb::steal(PyBool_Check(object.ptr()) ? nullptr : PyNumber_Index(object.ptr()));
  if (!number.is_valid()) forget_error();
  int overflow = 0;
  const int64_t value = number.is_valid() ? PyLong_AsLongLongAndOverflow(number.ptr(), &overflow) : 0;
  return number.is_valid() && !overflow && value == static_cast<int32_t>(value) ? std::optional<int64_t>(value)
                                                                                : std::nullopt;
}

}  // namespace

std::string CallArguments::where(const std::string& parameter) const {
  return fmt::format("Argument \"{}\" of kernel {}", parameter, kernel_.name());
}

std::string CallArguments::path(const ParameterTree& tree) const {
  const std::string& leaf = kernel_.signature().parameters[tree.first].name;
  if (tree.form == ParameterTree::Form::Tensor) return leaf.substr(0, leaf.rfind('['));
  // The names of the leaves of a part begin with the path of the part.
  size_t end = leaf.find(tree.name);
  return end == std::string::npos ? tree.name : leaf.substr(0, end + tree.name.size());
}

void CallArguments::mismatch(const ParameterTree& tree, const std::string& expected, nb::handle got) const {
  auto text = nb::cast<std::string>(nb::module_::import_("qdcov._kernels.argument_texts").attr("text")(got));
  throw KernelRuntimeTypeError(fmt::format("{}: expected {}, got {}", where(path(tree)), expected, text));
}

void CallArguments::add(const ParameterTree& tree, PyObject* object) {
  switch (tree.form) {
    case ParameterTree::Form::Leaf: {
      const Parameter& leaf = kernel_.signature().parameters[tree.first];
      const Classes& c = classes();
      if (tree.any_array && object != Py_None && !is_instance(object, c.array) && !is_instance(object, c.tensor) &&
          !is_instance(object, c.struct_array))
        mismatch(tree, "a qd.Tensor, a field or an ndarray", object);
      return add_leaf(leaf, object);
    }
    case ParameterTree::Form::Tensor: return add_tensor(tree, object);
    case ParameterTree::Form::View: return add_view(tree, object);
    case ParameterTree::Form::Struct:
    case ParameterTree::Form::Dataclass: return add_struct(tree, object);
  }
}

void CallArguments::add_leaf(const Parameter& parameter, PyObject* object) {
  switch (parameter.kind) {
    case Parameter::Kind::Scalar: leaves_.push_back(scalar(parameter, object)); break;
    case Parameter::Kind::Array: leaves_.push_back(array(parameter, object)); break;
    case Parameter::Kind::Template:
      if (is_container(object)) hold(object, alive_);  // the caller only holds the container
      leaves_.push_back(objects_.to_value(object));
      break;
  }
}

void CallArguments::add_tensor(const ParameterTree& tree, PyObject* object) {
  const ir::Type type = *kernel_.signature().parameters[tree.first].type;
  auto expected = [&] {
    return nb::cast<std::string>(
        nb::module_::import_("qdcov._kernels.argument_texts")
            .attr("kind_text")(nb::module_::import_("qdcov._dtypes").attr(std::string(ir::name(type)).c_str()),
                               nb::tuple(nb::cast(tree.shape))));
  };
  nb::object numbers = nb::borrow(object);
  const Classes& c = classes();
  if (!is_instance(object, c.matrix)) {
    const bool sequence =
        PyList_Check(object) || PyTuple_Check(object) || has_attribute(numbers, "__array_interface__");
    if (!sequence || is_instance(object, c.array) || is_instance(object, c.numpy_generic))
      mismatch(tree, expected(), object);
    try {
      numbers = c.matrix(numbers);
    } catch (nb::python_error& error) {
      if (ends_program(error)) throw;
      mismatch(tree, expected(), object);
    }
  }
  nb::tuple shape = nb::cast<nb::tuple>(numbers.attr("_values").attr("shape"));
  std::vector<int32_t> extents;
  for (nb::handle extent : shape) extents.push_back(nb::cast<int32_t>(extent));
  if (extents != tree.shape) mismatch(tree, expected(), object);
  nb::list flat = nb::cast<nb::list>(numbers.attr("_values").attr("ravel")().attr("tolist")());
  for (size_t i = 0; i < tree.count; ++i) {
    nb::object number = flat[i];
    if (!ir::is_float(type) && PyFloat_Check(number.ptr())) {
      // Converted by the rules of kernels.
      const frontend::Value integer = frontend::convert(PyFloat_AS_DOUBLE(number.ptr()), type);
      const bool* truth = std::get_if<bool>(&integer);
      leaves_.emplace_back(truth ? int64_t{*truth} : std::get<int64_t>(integer));
    } else {
      leaves_.push_back(scalar(kernel_.signature().parameters[tree.first + i], number.ptr()));
    }
  }
}

void CallArguments::add_view(const ParameterTree& tree, nb::handle object) {
  const Parameter& leaf = kernel_.signature().parameters[tree.first];
  auto of = [](ir::Type type, const std::vector<int32_t>& shape) {
    nb::object dtype = nb::module_::import_("qdcov._dtypes").attr(std::string(ir::name(type)).c_str());
    return "BufferView of " + nb::cast<std::string>(nb::module_::import_("qdcov._kernels.argument_texts")
                                                        .attr("kind_text")(dtype, nb::tuple(nb::cast(shape))));
  };
  auto expected = [&] {
    return leaf.type ? of(*leaf.type, leaf.element_shape.value_or(std::vector<int32_t>())) : std::string("BufferView");
  };
  if (!is_instance(object.ptr(), classes().view)) mismatch(tree, expected(), object);
  nb::object array = object.attr("arr");
  alive_.push_back(array);
  const Argument& memory = leaves_.emplace_back(this->array(leaf, array.ptr()));
  Ndarray* const* ndarray = std::get_if<Ndarray*>(&memory);
  if (!ndarray) mismatch(tree, expected(), array.ptr());  // the program may have set the attribute
  const bool fits = (!leaf.type || *leaf.type == (*ndarray)->type()) &&
                    (!leaf.element_shape || *leaf.element_shape == (*ndarray)->element_shape());
  if (!fits)
    throw KernelRuntimeTypeError(fmt::format("{}: expected {}, got {}", where(leaf.name), expected(),
                                             of((*ndarray)->type(), (*ndarray)->element_shape())));
  // The program may have set the attributes.
  const std::optional<int64_t> offset = small_integer(object.attr("offset")), size = small_integer(object.attr("size"));
  const std::vector<int32_t>& shape = (*ndarray)->shape();
  if (!offset || !size || shape.size() != 1 || *offset < 0 || *size < 0 || *offset + *size > shape[0]) {
    throw KernelRuntimeTypeError(fmt::format("{}: BufferView out of range: offset={}, size={}, ndarray of shape {}",
                                             where(leaf.name), text(object.attr("offset")), text(object.attr("size")),
                                             text(array.attr("shape"))));
  }
  leaves_.emplace_back(*offset);
  leaves_.emplace_back(*size);
}

void CallArguments::add_struct(const ParameterTree& tree, nb::handle object) {
  const frontend::StructType& type = *tree.structure;
  const Classes& c = classes();
  nb::object given = nb::borrow(object);
  if (type.dataclass) {
    nb::object cls = objects_.object_of({type.id, ""});
    if (!is_instance(object.ptr(), cls)) mismatch(tree, type.name, object);
  } else if (tree.is_array) {
    if (!is_instance(object.ptr(), c.struct_array)) mismatch(tree, fmt::format("ndarray of {}", type.name), object);
    given = object.attr("members");
  } else if (type.id != 0) {
    nb::object kind = objects_.object_of({type.id, ""});
    try {
      given = kind.attr("_cast")(object);
    } catch (nb::python_error& error) {
      if (ends_program(error)) throw;
      mismatch(tree, type.name, object);
    }
    alive_.push_back(given);
  }
  for (const ParameterTree& part : tree.parts) {
    nb::object member;
    if (tree.is_array) {
      if (nb::cast<int>(given.attr("__contains__")(part.name.c_str())) == 0)
        mismatch(tree, fmt::format("ndarray of {}", type.name), object);
      member = given[part.name.c_str()];
    } else if (type.dataclass) {
      member = nb::getattr(given, part.name.c_str());
    } else {
      member = given.attr("_get")(part.name.c_str());
    }
    alive_.push_back(member);
    add(part, member.ptr());
  }
}

/// An integer for messages. Of long ones the size: Python writes none of more than 4,300 digits.
static std::string integer_text(nb::handle integer) {
  const auto bits = nb::cast<size_t>(integer.attr("bit_length")());
  return bits > 128 ? fmt::format("an integer of {} bits", bits) : nb::cast<std::string>(nb::str(integer));
}

/// A scalar, unchanged. The launcher compares it with its parameter.
Argument CallArguments::scalar(const Parameter& parameter, PyObject* object) {
  if (PyFloat_Check(object)) return PyFloat_AS_DOUBLE(object);
  nb::object number;
  if (!PyLong_Check(object)) {
    const Classes& c = classes();
    if (is_instance(object, c.numpy_floating)) return nb::cast<double>(nb::float_(nb::handle(object)));
    if (!is_instance(object, c.numpy_integer) && !is_instance(object, c.numpy_bool)) return objects_.to_value(object);
    number = nb::steal(PyNumber_Long(object));
    if (!number.is_valid()) throw nb::python_error();
    object = number.ptr();
  }
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  const ir::Type type = *parameter.type;
  if (!overflow && (value >= 0 || type != ir::Type::U64)) return static_cast<int64_t>(value);
  if (type == ir::Type::U1) return int64_t{1};
  if (ir::is_float(type)) {
    double real = PyLong_AsDouble(object);
    if (real != -1.0 || !PyErr_Occurred()) return real;
    PyErr_Clear();
  }
  unsigned long long bits = overflow > 0 ? PyLong_AsUnsignedLongLong(object) : 0;
  bool fits = overflow > 0 && !PyErr_Occurred() && type == ir::Type::U64;
  PyErr_Clear();
  if (fits) return static_cast<int64_t>(bits);
  throw KernelRuntimeTypeError(fmt::format("{}: expected {}, got {}, which is out of its range", where(parameter.name),
                                           ir::name(type), integer_text(object)));
}

namespace {

/// Whether an array is one of another library and has to be asked for its memory: it lies on a GPU, or is no buffer.
/// Arrays of CuPy and JAX on a GPU pass for buffers, and raise an error when they are used as such.
bool is_foreign(PyObject* object) {
  auto has = [&](const char* name) { return has_attribute(object, name); };
  if (!PyObject_CheckBuffer(object)) return has("__dlpack__") || has("__cuda_array_interface__");
  if (is_instance(object, classes().numpy_array) || !has("__dlpack_device__")) return false;
  return nb::cast<bool>(nb::module_::import_("qdcov._arrays.exchange").attr("is_on_gpu")(nb::handle(object)));
}

}  // namespace

Argument CallArguments::array(const Parameter& parameter, PyObject* object) {
  if (ArrayHandle* handle = array_handle(object)) {
    if (handle->program == program_) return handle->array;
    throw KernelRuntimeError(fmt::format("{} belongs to an earlier qd.init()", where(parameter.name)));
  }
  if (is_instance(object, classes().tensor)) {
    nb::object inner = nb::handle(object).attr("_unwrap")();
    alive_.push_back(inner);
    return array(parameter, inner.ptr());
  }
  const bool of_numbers = !parameter.element_shape || parameter.element_shape->empty();
  if (is_foreign(object)) {
    ArrayView view = foreign_array(parameter, object);
    if (!parameter.needs_grad.value_or(has_gradients(mode_))) return view;
    nb::object grad = nb::module_::import_("qdcov._arrays.exchange").attr("gradient_of")(nb::handle(object));
    if (!grad.is_none()) view.gradient = &gradients_.emplace_back(foreign_array(parameter, grad.ptr()));
    return view;
  }
  if (!PyObject_CheckBuffer(object) || PyBytes_Check(object)) return objects_.to_value(object);
  return numpy_.add(object, of_numbers, [&] { return where(parameter.name); });
}

/// An array of another library.
ArrayView CallArguments::foreign_array(const Parameter& parameter, PyObject* object) {
  const bool of_numbers = !parameter.element_shape || parameter.element_shape->empty();
  alive_.push_back(nb::module_::import_("qdcov._arrays.exchange")
                       .attr("taken")(nb::handle(object), where(parameter.name), exchange_of(program_), of_numbers));
  PyObject* const taken = alive_.back().ptr();
  if (PyTuple_CheckExact(taken)) return device_array(nb::borrow<nb::tuple>(taken));
  return numpy_.add(taken, of_numbers, [&] { return where(parameter.name); });
}

/// An array in memory of the device, from the tuple of qdcov._arrays.device_arrays.
ArrayView CallArguments::device_array(const nb::tuple& taken) {
  ArrayView view;
  view.on_device = true;
  view.data = reinterpret_cast<void*>(nb::cast<uint64_t>(taken[0]));
  view.type = *ir::type_from_name(nb::cast<std::string>(taken[1]));
  for (nb::handle extent : taken[2]) view.shape[view.rank++] = nb::cast<int32_t>(extent);
  view.fortran_order = nb::cast<bool>(taken[3]);
  for (nb::handle stream : taken[4]) others_.push_back(nb::cast<uint64_t>(stream));
  view.read_only = nb::cast<bool>(taken[5]);
  return view;
}

void CallArguments::finish() {
  numpy_.copy_back();
  for (device::DriverStream stream : others_) program_->exchange()->order(0, stream);
}

namespace {

nb::object number_object(const Scalar& value, ir::Type type) {
  if (auto* number = std::get_if<double>(&value)) return nb::float_(*number);
  int64_t integer = std::get<int64_t>(value);
  if (type == ir::Type::U1) return nb::bool_(integer != 0);
  if (type == ir::Type::U64) return nb::int_(static_cast<uint64_t>(integer));
  return nb::int_(integer);
}

class ResultBuilder {
 public:
  ResultBuilder(const std::vector<ir::Type>& types, const std::vector<Scalar>& numbers, const Objects& objects)
      : types_(types), numbers_(numbers), objects_(objects) {}

  nb::object make(const frontend::ResultTree& tree) const {
    if (tree.tuple) return nb::tuple(parts(tree));
    if (tree.structure) {
      nb::list members = parts(tree);
      if (tree.structure->id != 0)
        return nb::steal(
            PyObject_CallObject(objects_.object_of({tree.structure->id, ""}).ptr(), nb::tuple(members).ptr()));
      nb::dict types;
      for (size_t i = 0; i < tree.parts.size(); ++i) types[tree.parts[i].name.c_str()] = members[i];
      return nb::module_::import_("qdcov").attr("Struct")(types);
    }
    if (tree.shape.empty()) return number_object(numbers_[tree.first], types_[tree.first]);
    nb::list rows;
    const size_t width = tree.shape.size() == 2 ? static_cast<size_t>(tree.shape[1]) : tree.count;
    for (size_t row = 0; row < tree.count / width; ++row) {
      nb::list numbers;
      for (size_t i = 0; i < width; ++i)
        numbers.append(number_object(numbers_[tree.first + row * width + i], types_[tree.first]));
      rows.append(numbers);
    }
    nb::object dtype = nb::module_::import_("qdcov._dtypes").attr(std::string(ir::name(types_[tree.first])).c_str());
    return classes().matrix(tree.shape.size() == 2 ? nb::object(rows) : nb::object(rows[0]), dtype);
  }

 private:
  nb::list parts(const frontend::ResultTree& tree) const {
    nb::list list;
    for (const frontend::ResultTree& part : tree.parts) {
      nb::object object = make(part);
      if (!object.is_valid()) throw nb::python_error();
      list.append(object);
    }
    return list;
  }

  const std::vector<ir::Type>& types_;
  const std::vector<Scalar>& numbers_;
  const Objects& objects_;
};

}  // namespace

nb::object result_object(const frontend::Signature& signature, const std::vector<Scalar>& numbers,
                         const Objects& objects) {
  if (!signature.result) return nb::none();
  nb::object made = ResultBuilder(signature.results, numbers, objects).make(*signature.result);
  if (!made.is_valid()) throw nb::python_error();
  return made;
}

}  // namespace qd::python
