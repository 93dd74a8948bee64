// Versions of Python objects: an object whose version is the same has the same attributes.
#pragma once

#include <Python.h>

#include <cstdint>
#include <optional>

namespace qd::python {

/// The version of an object with attributes. For example, after `config.n = 3` the object `config` has another one.
/// Needs the GIL.
///
/// It is that of the object's dict, and that of its class for what the class gives. No two objects have the same, also
/// one after the other at one address. Objects that the attributes are have versions of their own.
class ObjectVersion {
 public:
  /// The version of an object now. Nothing for an object without a dict, for one whose class looks up attributes in a
  /// way of its own, and when Python has run out of versions of classes.
  static std::optional<ObjectVersion> of(PyObject* object);

  /// Whether an object has this version.
  bool holds(PyObject* object) const { return has_class_and_dict(object) && items_hold(); }
  /// Whether the object's class is unchanged, and its dict the same one.
  bool has_class_and_dict(PyObject* object) const;
  /// Whether the dict's items are unchanged.
  bool items_hold() const;
  /// Takes the items as they are now.
  void take_items();
  PyTypeObject* type() const { return type_; }
  PyObject* dict() const { return dict_; }
  /// Whether the object found under a name is that of the dict, or of the class, so that the version tells of another
  /// one. False for what a descriptor makes, such as a property.
  bool covers(PyObject* name, PyObject* found) const;

 private:
  ObjectVersion() = default;
  PyTypeObject* type_ = nullptr;  // not owned, as the dict
  unsigned int type_version_ = 0;
  PyObject* dict_ = nullptr;
  uint64_t items_ = 0;
};

/// The attribute that an object's class gives it, not owned; null when there is none, or the object has one of its own.
PyObject* attribute_of_class(PyObject* object, PyObject* name);

/// Whether instances of a class have this attribute from it, whatever their dicts have.
bool is_property(PyTypeObject* type, PyObject* name);

}  // namespace qd::python
