// Value serializer: writes values of environments as numbers and bytes that do not depend on the process.
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

/// Gives functions, environments, fields and objects of the host numbers, in the order in which they are met. The
/// numbers are the same in each process that gives the same answers.
class ValueSerializer {
 public:
  /// The kernel gets number 0 among functions, its environment number 0 among environments.
  ValueSerializer(const frontend::FunctionSource& kernel, frontend::Environment& environment);

  /// Serialises a value as bytes that do not depend on the process: a func by the text of its source, a field by its
  /// description and its number. Nothing for a value without such bytes: ndarrays, objects whose attributes a kernel
  /// reads, types with methods.
  std::optional<std::string> bytes_of(const frontend::Value& value);
  size_t number_of(frontend::Environment& environment);
  /// Serialises a call of the host; nothing when one of its values has no bytes that call_of can read.
  std::optional<std::string> bytes_of(const frontend::HostCall& call);
  /// Reads the call, with this process's objects; nothing when the bytes are none.
  std::optional<frontend::HostCall> call_of(std::string_view bytes) const;

  struct Function {
    std::string file;
    int32_t first_line = 0;
    std::string name;
  };
  const std::vector<Function>& functions() const { return functions_; }
  const std::vector<frontend::HostObject>& objects() const { return objects_; }
  const std::vector<frontend::Environment*>& environments() const { return environments_; }
  /// The identities of the fields that were met.
  const std::vector<uint64_t>& fields() const { return fields_; }

 private:
  std::optional<frontend::Value> value_of(BytesIn& in) const;
  std::optional<frontend::Value> value_without_member(BytesIn& in) const;
  size_t number_of(const frontend::Func& func);
  size_t number_of(const frontend::HostObject& object);
  void put(BytesOut& out, const frontend::HostField& field);
  /// Writes a struct type; false for one with methods, which have environments of their own.
  bool put(BytesOut& out, const frontend::StructType& type);

  std::vector<Function> functions_;
  std::map<std::pair<const void*, const void*>, size_t> function_numbers_;  // by definition and environment
  std::vector<frontend::Environment*> environments_;
  std::vector<std::shared_ptr<frontend::Environment>> kept_;
  std::vector<frontend::HostObject> objects_;
  std::vector<uint64_t> structs_;  // classes of the host
  std::vector<uint64_t> fields_;
};

/// A hash of all of a function that the front end reads: its lines, from the first decorator on, and its kind. Not its
/// place.
std::array<uint64_t, 2> source_hash(const frontend::FunctionSource& source);

}  // namespace qd
