// Template reader: reads the attributes of templates again at a launch, as far as they may have changed.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/frontend/interface/template_reads.h"
#include "runtime/python/object_version.h"
#include "runtime/python/objects.h"

namespace qd::python {

/// The reads of one variant of a kernel. For example, a kernel that was compiled with `self` has read self.n, self.x
/// and self.config.size:
///
///     solver.step()          # all three are read
///     solver.step()          # the versions of two objects are compared
///     solver.config.size = 8
///     solver.step()          # all are read
///
/// Properties, and objects that may change unseen themselves, such as lists and vectors, are read at each launch.
/// Nothing is kept alive.
class TemplateReader : public frontend::TemplateReader {
 public:
  /// `reads` belongs to the caller, and outlives this.
  TemplateReader(std::shared_ptr<Objects> objects, const frontend::TemplateReads& reads);
  ~TemplateReader() override;

  bool hold(const std::vector<const frontend::Value*>& roots, frontend::TemplateLeaves& leaves) override;
  std::optional<bool> hold_again(frontend::TemplateLeaves& leaves) override;

 private:
  using Values = std::vector<frontend::Value>;
  /// A value at a launch: a Python object, or a value that the launch has converted already.
  struct Now {
    nb::object object;
    const frontend::Value* value = nullptr;
  };
  /// An object with the rows that are read of it.
  struct Owner {
    size_t row;
    PyObject* object;  // not owned
    PyTypeObject* type;
    std::optional<ObjectVersion> version;  // of an object with attributes that its version covers
    std::vector<size_t> changing;          // the rows that are read at each launch
  };
  /// The objects of a launch at which the reads did hold.
  struct Launch {
    std::vector<uint64_t> roots;                       // the identities of the arguments, in the order of their rows
    std::vector<Owner> owners;                         // an object stands before those that are read of it
    std::vector<std::pair<size_t, PyObject*>> arrays;  // not owned, with their rows
    std::shared_ptr<const Values> leaves;
    uint64_t array_changes;
  };
  enum class Answer : uint8_t { Yes, No, Unknown };

  bool read_all(const std::vector<const frontend::Value*>& roots, frontend::TemplateLeaves& leaves);
  std::optional<bool> compare(std::shared_ptr<const Launch> launch, frontend::TemplateLeaves& leaves);
  Answer compare(const Launch& launch, frontend::TemplateLeaves& leaves) const;
  bool is_for(const Launch& launch, const std::vector<const frontend::Value*>& roots) const;
  Now read(size_t row, const Now& owner) const;
  bool fits(const frontend::TemplateRead& read, const nb::object& object, std::optional<frontend::Value>& leaf) const;
  bool is_covered(const Owner& owner, size_t row, PyObject* object) const;

  const std::shared_ptr<Objects> objects_;
  const frontend::TemplateReads& reads_;
  std::vector<nb::object> names_;                        // of the attributes, interned
  std::vector<size_t> leaf_numbers_;                     // of rows: the place among the leaves, or kNone
  std::vector<bool> owns_;                               // whether others are read of a row
  std::vector<size_t> roots_;                            // the rows that are arguments
  bool keeps_ = true;                                    // whether all arguments are objects or arrays
  std::vector<std::shared_ptr<const Launch>> launches_;  // the latest first
};

}  // namespace qd::python
