// Versions of Python's dicts: a dict whose version is the same has the same items.
#pragma once

#include <Python.h>

#include <cstdint>

namespace qd::python {

/// The version of a dict, which every change of it changes; no two dicts have the same. Needs the GIL.
///
/// Up to Python 3.11 each dict has a version of its own (PEP 509). Later Pythons tell watchers of changes instead: the
/// first question makes the dict a watched one.
uint64_t dict_version(PyObject* dict);

}  // namespace qd::python
