#include "runtime/python/dict_version.h"

#include <nanobind/nanobind.h>

#include <unordered_map>

namespace qd::python {

namespace nb = nanobind;

#if PY_VERSION_HEX < 0x030c0000

uint64_t dict_version(PyObject* dict) { return reinterpret_cast<PyDictObject*>(dict)->ma_version_tag; }

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

uint64_t dict_version(PyObject* dict) { return watched_dicts.version(dict); }

#endif

}  // namespace qd::python
