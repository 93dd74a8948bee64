#include "runtime/python/object_version.h"

#include <nanobind/nanobind.h>

#include <unordered_map>

namespace qd::python {

namespace nb = nanobind;

// The version of a dict, which every change of it changes; no two dicts have the same. Up to Python 3.11 each dict has
// a version of its own (PEP 509). Later Pythons tell watchers of changes instead: the first question makes the dict a
// watched one.
#if PY_VERSION_HEX < 0x030c0000

static uint64_t dict_version(PyObject* dict) { return reinterpret_cast<PyDictObject*>(dict)->ma_version_tag; }

#else

namespace {

/// Moves the items of an instance's dict into a table of its own. From 3.13 on they may lie in the instance, and then
/// Python sets attributes there without telling watchers. dict.popitem does it (CPython's Objects/dictobject.c). False
/// after an error.
bool own_table(PyObject* dict) {
  if (PyDict_GET_SIZE(dict) == 0) return true;
  const auto last = nb::steal<nb::tuple>(PyObject_CallMethod(dict, "popitem", nullptr));
  return last.is_valid() && PyDict_SetItem(dict, PyTuple_GET_ITEM(last.ptr(), 0), PyTuple_GET_ITEM(last.ptr(), 1)) == 0;
}

/// Versions of the watched dicts, by their addresses. A dict that ends is taken out.
class WatchedDicts {
 public:
  uint64_t version(PyObject* dict) {
    if (const auto known = versions_.find(dict); known != versions_.end()) return known->second;
    ++latest_;
    if (watcher_ == kNone) watcher_ = PyDict_AddWatcher(changed);
    if (watcher_ < 0 || !own_table(dict) || PyDict_Watch(watcher_, dict) != 0) {
      PyErr_Clear();  // all of the interpreter's watchers are taken: each question finds another version
      return latest_;
    }
    return versions_[dict] = latest_;
  }

 private:
  static constexpr int kNone = -2;
  static int changed(PyDict_WatchEvent event, PyObject* dict, PyObject*, PyObject*);

  std::unordered_map<PyObject*, uint64_t> versions_;
  uint64_t latest_ = 0;
  int watcher_ = kNone;
};

// Never destroyed: dicts change until the interpreter is gone.
WatchedDicts& watched_dicts = *new WatchedDicts();

int WatchedDicts::changed(PyDict_WatchEvent event, PyObject* dict, PyObject*, PyObject*) {
  if (event == PyDict_EVENT_DEALLOCATED) {
    watched_dicts.versions_.erase(dict);
  } else {
    watched_dicts.versions_[dict] = ++watched_dicts.latest_;
  }
  return 0;
}

}  // namespace

static uint64_t dict_version(PyObject* dict) { return watched_dicts.version(dict); }

#endif

namespace {

/// The dict of an object, made if it has none yet; null for an object without one.
PyObject* dict_of(PyObject* object) {
  const nb::object dict = nb::steal(PyObject_GenericGetDict(object, nullptr));
  if (!dict.is_valid()) PyErr_Clear();
  return dict.ptr();  // the object owns it
}

/// The version of a class. Python gives it one when it looks up an attribute.
unsigned int version_of_class(PyTypeObject* type) {
  static PyObject* const any = PyUnicode_InternFromString("__class__");
  _PyType_Lookup(type, any);
  return type->tp_version_tag;
}

}  // namespace

std::optional<ObjectVersion> ObjectVersion::of(PyObject* object) {
  ObjectVersion version;
  version.type_ = Py_TYPE(object);
  if (version.type_->tp_getattro != PyObject_GenericGetAttr) return std::nullopt;
  version.type_version_ = version_of_class(version.type_);
  version.dict_ = dict_of(object);
  if (!version.dict_ || version.type_version_ == 0) return std::nullopt;
  version.take_items();
  return version;
}

bool ObjectVersion::has_class_and_dict(PyObject* object) const {
  return Py_TYPE(object) == type_ && type_->tp_version_tag == type_version_ && dict_of(object) == dict_;
}

bool ObjectVersion::items_hold() const { return dict_version(dict_) == items_; }

void ObjectVersion::take_items() { items_ = dict_version(dict_); }

bool ObjectVersion::covers(PyObject* name, PyObject* found) const {
  PyObject* const of_class = _PyType_Lookup(type_, name);
  if (of_class && Py_TYPE(of_class)->tp_descr_set) return false;
  if (PyObject* const item = PyDict_GetItem(dict_, name)) return item == found;
  return of_class == found && !Py_TYPE(of_class)->tp_descr_get;
}

PyObject* attribute_of_class(PyObject* object, PyObject* name) {
  PyObject* const dict = dict_of(object);
  return dict && PyDict_Contains(dict, name) != 0 ? nullptr : _PyType_Lookup(Py_TYPE(object), name);
}

bool is_property(PyTypeObject* type, PyObject* name) {
  PyObject* const attribute = _PyType_Lookup(type, name);
  return attribute && Py_TYPE(attribute)->tp_descr_set;
}

}  // namespace qd::python
