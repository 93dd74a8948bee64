// Captures: the kernel's reads of fields, templates and globals.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/frontend/interface/template_reads.h"
#include "runtime/frontend/state/kernel_builder.h"
#include "runtime/frontend/state/reporter.h"

namespace qd::frontend {

class Captures {
 public:
  Captures(const Options& options, ir::Kernel& kernel, Reporter& report)
      : options_(options), kernel_(kernel), report_(report) {}

  TemplateLog reads;
  std::vector<std::string> leaf_names;  // of the kernel's parameters

  /// The array of a field, into Kernel::arrays: one a field, in the order of first use.
  uint32_t array_of(const HostField& field);
  /// The array of the gradient of an array that launches bind. Behind the parameters' own arrays.
  uint32_t gradient_of(uint32_t array, const ir::Layout& layout);
  /// Path of a row of the template reads: "self.x.data[0]".
  std::string template_path(int32_t read) const;
  /// Checks a read from outside in a kernel with fastcache=True: an error unless allowed, a warning for constants.
  void check_pure(std::string_view name, const Value& value, const syntax::Range& range, bool is_static);
  void check_pure(const HostObject& object, std::string_view name, const Value& value, const syntax::Range& range,
                  bool is_static);
  /// Forgets the fields whose arrays begin at `arrays`.
  void forget_fields(size_t arrays) { forget_rows(fields_, arrays); }

 private:
  const Options& options_;
  ir::Kernel& kernel_;
  Reporter& report_;
  std::map<uint64_t, uint32_t> fields_;  // by identity, into Kernel::arrays
};

}  // namespace qd::frontend
