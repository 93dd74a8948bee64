#include "runtime/python/template_reader.h"

#include <algorithm>
#include <utility>

#include "runtime/python/kept_arguments.h"
#include "runtime/python/raise.h"

namespace qd::python {

using frontend::HostArray;
using frontend::HostField;
using frontend::HostObject;
using frontend::TemplateRead;
using frontend::Value;

namespace {

constexpr size_t kNone = SIZE_MAX;
constexpr size_t kMostLaunches = 4;

/// The item of a tuple or list, or the member of an array of structs; null when there is none.
nb::object item_of(PyObject* container, uint32_t item) {
  if (is_instance(container, classes().struct_array)) {
    const nb::list members(nb::handle(container).attr("members").attr("values")());
    return item < members.size() ? nb::object(members[item]) : nb::object();
  }
  if (PyTuple_Check(container) && item < PyTuple_GET_SIZE(container))
    return nb::borrow(PyTuple_GET_ITEM(container, item));
  if (PyList_Check(container) && item < PyList_GET_SIZE(container)) return nb::borrow(PyList_GET_ITEM(container, item));
  return {};
}

/// The number of a Python object, for a value that is passed at each launch. Nothing when it is of another kind than
/// `before`, or too large for it.
std::optional<Value> number(PyObject* object, const Value& before) {
  if (std::holds_alternative<bool>(before))
    return PyBool_Check(object) ? std::optional<Value>(object == Py_True) : std::nullopt;
  if (std::holds_alternative<double>(before))
    return PyFloat_Check(object) ? std::optional<Value>(PyFloat_AS_DOUBLE(object)) : std::nullopt;
  if (!PyLong_Check(object) || PyBool_Check(object)) return std::nullopt;
  int overflow = 0;
  const int64_t now = PyLong_AsLongLongAndOverflow(object, &overflow);
  const bool was_small = static_cast<int32_t>(std::get<int64_t>(before)) == std::get<int64_t>(before);
  const bool is_small = static_cast<int32_t>(now) == now;
  return overflow || was_small != is_small ? std::nullopt : std::optional<Value>(now);
}

/// Whether another object has the identity now that the code depends on.
bool is_gone(const TemplateRead& read) { return read.witness && read.witness->gone(); }

bool is_leaf(const TemplateRead& read) { return read.array >= 0 || read.param >= 0; }

/// Whether an object of this class is compared by its identity alone, and has the same one for good.
bool is_plain(HostObject::Kind kind) {
  using Kind = HostObject::Kind;
  switch (kind) {
    case Kind::Module:
    case Kind::Constants:
    case Kind::Class:
    case Kind::Function:
    case Kind::Kernel:
    case Kind::Enumeration:
    case Kind::EnumerationMember: return true;
    case Kind::Other:
    case Kind::Array:
    case Kind::NotYet: return false;
  }
  return false;
}

/// Whether an object gives this value for good, as long as array_changes() is the same. Objects whose attributes are
/// read have rows of their own; so have arrays and objects in tuples.
bool lasts(PyObject* object, const Value& value) {
  if (object == Py_None || PyLong_Check(object) || PyFloat_Check(object) || PyUnicode_Check(object)) return true;
  if (PyTuple_Check(object)) {
    const auto* tuple = std::get_if<frontend::Tuple>(&value);
    if (!tuple || static_cast<size_t>(PyTuple_GET_SIZE(object)) != tuple->items.size()) return false;
    for (size_t i = 0; i < tuple->items.size(); ++i) {
      if (!lasts(PyTuple_GET_ITEM(object, i), tuple->items[i])) return false;
    }
    return true;
  }
  const Classes& c = classes();
  if (std::holds_alternative<HostField>(value) || std::holds_alternative<HostArray>(value))
    return inherits(object, c.array) || inherits(object, c.tensor);
  if (auto* known = std::get_if<HostObject>(&value)) return known->cls != 0 || is_plain(known->kind);
  return std::holds_alternative<ir::Type>(value) || std::holds_alternative<frontend::Builtin>(value) ||
         inherits(object, c.numpy_generic);
}

/// Keeps arrays until the launch is done: another thread may release one while the kernel runs.
std::shared_ptr<const void> kept(std::vector<nb::object> arrays) {
  if (arrays.empty()) return nullptr;
  return {new std::vector<nb::object>(std::move(arrays)), [](const void* objects) {
            GilAcquire gil;
            delete static_cast<const std::vector<nb::object>*>(objects);
          }};
}

bool has_class(const Value& value) {
  auto* object = std::get_if<HostObject>(&value);
  return object && object->cls != 0;
}

}  // namespace

TemplateReader::TemplateReader(std::shared_ptr<Objects> objects, const frontend::TemplateReads& reads)
    : objects_(std::move(objects)), reads_(reads), owns_(reads.size()) {
  size_t leaves = 0;
  for (const TemplateRead& read : reads) {
    names_.push_back(read.attribute.empty() ? nb::object()
                                            : nb::steal(PyUnicode_InternFromString(read.attribute.c_str())));
    leaf_numbers_.push_back(is_leaf(read) ? leaves++ : kNone);
    if (read.object >= 0) owns_[static_cast<size_t>(read.object)] = true;
    if (read.object >= 0) continue;
    roots_.push_back(names_.size() - 1);
    keeps_ &= has_class(read.value) || std::holds_alternative<HostArray>(read.value);
  }
}

TemplateReader::~TemplateReader() {
  GilAcquire gil;
  names_.clear();
}

bool TemplateReader::hold(const std::vector<const Value*>& roots, frontend::TemplateLeaves& leaves) {
  GilAcquire gil;
  for (const std::shared_ptr<const Launch>& launch : launches_) {
    if (!is_for(*launch, roots)) continue;
    if (const std::optional<bool> answer = compare(std::shared_ptr(launch), leaves)) return *answer;
    break;
  }
  return read_all(roots, leaves);
}

std::optional<bool> TemplateReader::hold_again(frontend::TemplateLeaves& leaves) {
  GilAcquire gil;
  const auto launch = std::ranges::find(launches_, leaves.launch);
  return launch == launches_.end() ? std::nullopt : compare(std::shared_ptr(*launch), leaves);
}

/// Whether the arguments of a launch are those of an earlier one.
bool TemplateReader::is_for(const Launch& launch, const std::vector<const Value*>& roots) const {
  for (size_t i = 0; i < roots_.size(); ++i) {
    const Value& root = *roots[reads_[roots_[i]].argument];
    auto* object = std::get_if<HostObject>(&root);
    auto* array = std::get_if<HostArray>(&root);
    if (!object && !array) return false;
    if ((object ? object->id : array->id) != launch.roots[i]) return false;
  }
  return true;
}

/// Compares the objects of a launch with those of an earlier one with the same arguments. Nothing, and the earlier one
/// is forgotten, when one has changed.
std::optional<bool> TemplateReader::compare(std::shared_ptr<const Launch> launch, frontend::TemplateLeaves& leaves) {
  const Answer answer = compare(*launch, leaves);
  if (answer == Answer::Unknown) {
    std::erase(launches_, launch);
    return std::nullopt;
  }
  leaves.launch = std::move(launch);
  return answer == Answer::Yes;
}

TemplateReader::Answer TemplateReader::compare(const Launch& launch, frontend::TemplateLeaves& leaves) const {
  if (launch.array_changes != array_changes()) return Answer::Unknown;
  std::vector<Now> changing;  // by row
  std::shared_ptr<Values> values;
  for (const Owner& owner : launch.owners) {
    const TemplateRead& its_row = reads_[owner.row];
    // An object is checked behind the one that holds it, so that it is alive.
    const bool read_again = !changing.empty() && changing[owner.row].object.is_valid();
    const nb::object object = nb::borrow(read_again ? changing[owner.row].object.ptr() : owner.object);
    if (Py_TYPE(object.ptr()) != owner.type) return Answer::Unknown;
    if (its_row.same && !read_again && is_gone(its_row)) return Answer::Unknown;
    if (owner.version && !owner.version->holds(object.ptr())) return Answer::Unknown;
    for (size_t row : owner.changing) {
      changing.resize(reads_.size());
      changing[row] = read(row, Now{object});
      std::optional<Value> leaf;
      if (!changing[row].object.is_valid() || !fits(reads_[row], changing[row].object, leaf)) return Answer::No;
      if (!leaf) continue;
      if (!values) values = std::make_shared<Values>(*launch.leaves);
      (*values)[leaf_numbers_[row]] = std::move(*leaf);
    }
  }
  std::vector<nb::object> arrays;
  for (const auto& [row, array] : launch.arrays) {
    const bool read_again = !changing.empty() && changing[row].object.is_valid();
    arrays.push_back(read_again ? changing[row].object : nb::borrow(array));
  }
  leaves.alive = kept(std::move(arrays));
  leaves.values = values ? std::move(values) : launch.leaves;
  return Answer::Yes;
}

/// Reads all rows.
bool TemplateReader::read_all(const std::vector<const Value*>& roots, frontend::TemplateLeaves& leaves) {
  Launch launch{{}, {}, {}, nullptr, array_changes()};
  Values values;
  std::vector<Now> rows(reads_.size());
  std::vector<size_t> owners(reads_.size(), kNone);  // of rows: the place among the owners
  std::vector<nb::object> arrays;
  for (size_t row = 0; row < reads_.size(); ++row) {
    const TemplateRead& read = reads_[row];
    Now& now = rows[row];
    if (read.object < 0) {
      now.value = roots[read.argument];
    } else {
      now = this->read(row, rows[static_cast<size_t>(read.object)]);
    }
    if (now.value) {
      // The variant has this kind: the key of the arguments says so.
      if (auto* object = std::get_if<HostObject>(now.value)) {
        if (read.object < 0) launch.roots.push_back(object->id);
        if (read.same && (object->id != std::get<HostObject>(read.value).id || is_gone(read))) return false;
        now.object = nb::borrow(reinterpret_cast<PyObject*>(object->id));
        now.value = nullptr;
      } else {
        auto* array = std::get_if<HostArray>(now.value);
        if (read.object < 0 && array) launch.roots.push_back(array->id);
        if (read.array >= 0) values.push_back(*now.value);
        continue;
      }
    } else {
      std::optional<Value> leaf;
      if (!now.object.is_valid() || !fits(read, now.object, leaf)) return false;
      if (leaf) values.push_back(std::move(*leaf));
    }
    PyObject* const object = now.object.ptr();
    if (read.array >= 0) {
      arrays.push_back(now.object);
      launch.arrays.emplace_back(row, object);
    }
    if (const size_t owner = read.object < 0 ? kNone : owners[static_cast<size_t>(read.object)]; owner != kNone) {
      if (!is_covered(launch.owners[owner], row, object)) launch.owners[owner].changing.push_back(row);
    }
    if (!owns_[row] && !has_class(read.value)) continue;
    owners[row] = launch.owners.size();
    // The version is that before the rows of the object are read: code of the program may run meanwhile.
    launch.owners.push_back({row, object, Py_TYPE(object), owns_[row] ? ObjectVersion::of(object) : std::nullopt, {}});
  }
  launch.leaves = std::make_shared<const Values>(std::move(values));
  leaves.values = launch.leaves;
  leaves.alive = kept(std::move(arrays));
  if (!keeps_) return true;
  if (launches_.size() == kMostLaunches) launches_.pop_back();
  launches_.insert(launches_.begin(), std::make_shared<const Launch>(std::move(launch)));
  leaves.launch = launches_.front();
  return true;
}

/// Whether a row gives the same value as long as its owner is the same, with the same version.
bool TemplateReader::is_covered(const Owner& owner, size_t row, PyObject* object) const {
  const TemplateRead& read = reads_[row];
  if (read.method) return owner.version.has_value();
  const bool found_again = read.attribute.empty() ? PyTuple_Check(owner.object) != 0
                                                  : owner.version && owner.version->covers(names_[row].ptr(), object);
  return found_again && lasts(object, read.value);
}

/// Reads one row of its owner; neither object nor value when there is none.
TemplateReader::Now TemplateReader::read(size_t row, const Now& owner) const {
  const TemplateRead& read = reads_[row];
  if (owner.value) {
    auto* structure = std::get_if<frontend::ConstantStruct>(owner.value);
    return {{}, &(structure ? structure->members : std::get<frontend::Tuple>(*owner.value).items)[read.item]};
  }
  if (read.attribute.empty()) return {item_of(owner.object.ptr(), read.item)};
  if (read.method) return {nb::borrow(attribute_of_class(owner.object.ptr(), names_[row].ptr()))};
  Now now{nb::steal(PyObject_GetAttr(owner.object.ptr(), names_[row].ptr()))};
  if (!now.object.is_valid()) forget_error();
  return now;
}

/// Whether an object has the value that the variant was compiled for, as far as the code depends on it. `leaf`: the
/// value for a launch, of a row that has one.
bool TemplateReader::fits(const TemplateRead& read, const nb::object& found, std::optional<Value>& leaf) const {
  PyObject* const object = found.ptr();
  if (read.method) return reinterpret_cast<uint64_t>(object) == std::get<HostObject>(read.value).id && !is_gone(read);
  if (auto* before = std::get_if<HostObject>(&read.value); before && before->cls != 0) {
    if (reinterpret_cast<uint64_t>(Py_TYPE(object)) != before->cls) return false;
    return !read.same || (reinterpret_cast<uint64_t>(object) == before->id && !is_gone(read));
  }
  if (!read.baked && read.param >= 0) {
    leaf = number(object, read.value);
    return leaf.has_value();
  }
  if (auto* whole = std::get_if<int64_t>(&read.value); whole && PyLong_CheckExact(object) && !read.value.member) {
    int overflow = 0;
    if (PyLong_AsLongLongAndOverflow(object, &overflow) != *whole || overflow) return false;
    if (read.param >= 0) leaf = read.value;
    return true;
  }
  Value value = objects_->to_value(found);
  if (!frontend::same_value(value, read.value)) return false;
  if (is_leaf(read)) leaf = std::move(value);
  return true;
}

}  // namespace qd::python
