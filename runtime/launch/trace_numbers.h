// What environments give, by numbers and bytes that do not depend on the process.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/frontend/frontend.h"
#include "runtime/launch/bytes.h"

namespace qd {

/// Functions, environments, fields and objects of the host by numbers, in the order in which they are met: the same in
/// each process that gives the same answers.
class TraceNumbers {
 public:
  /// The kernel is function 0, its environment number 0.
  TraceNumbers(const frontend::FunctionSource& kernel, frontend::Environment& environment);

  /// A value in bytes that do not depend on the process: funcs by the text of their source, fields by what they are and
  /// their number. Nothing for what cannot be told so: ndarrays, objects that a kernel looks into, types with methods.
  std::optional<std::string> bytes_of(const frontend::Value& value);
  size_t number_of(frontend::Environment& environment);

  struct Function {
    std::string file;
    int32_t first_line = 0;
    std::string name;
  };
  const std::vector<Function>& functions() const { return functions_; }
  const std::vector<frontend::HostObject>& objects() const { return objects_; }
  const std::vector<frontend::Environment*>& environments() const { return environments_; }
  /// Their identities.
  const std::vector<uint64_t>& fields() const { return fields_; }

 private:
  size_t number_of(const frontend::Func& func);
  size_t number_of(const frontend::HostObject& object);
  void put(BytesOut& out, const frontend::Field& field);
  /// The type as bytes; false for one with methods, which have environments of their own.
  bool put(BytesOut& out, const frontend::StructType& type);

  std::vector<Function> functions_;
  std::map<std::pair<const void*, const void*>, size_t> function_numbers_;  // by definition and environment
  std::vector<frontend::Environment*> environments_;
  std::vector<std::shared_ptr<frontend::Environment>> kept_;
  std::vector<frontend::HostObject> objects_;
  std::vector<uint64_t> structs_;  // classes of the host
  std::vector<uint64_t> fields_;
};

/// A hash of all that the front end sees of a function: its lines, from the first decorator on, and what it is; not
/// where it is.
std::array<uint64_t, 2> source_hash(const frontend::FunctionSource& source);

}  // namespace qd
