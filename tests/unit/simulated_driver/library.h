// The simulated drivers as a launcher sees them: functions of a library, found by their names.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/abi/task_arguments.h"
#include "runtime/codegen/target.h"

namespace qd::simulated::testing {

/// The address of a function of the library, which stays loaded. Throws std::runtime_error.
void* symbol(const std::string& name);

/// call<int>("cuInit", 0u): the parameters must have the very types of the function's.
template <class Result, class... Parameters>
Result call(const std::string& name, Parameters... parameters) {
  return reinterpret_cast<Result (*)(Parameters...)>(symbol(name))(parameters...);
}

using Variables = std::map<std::string, std::string>;

/// Environment variables while this lives; the library is reset then and afterwards.
class With {
 public:
  explicit With(Variables variables);
  ~With();

 private:
  Variables variables_;
};

/// A test with the library's state new, and the context of device 0 current.
class Simulated : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// Calls a function that must give 0.
  template <class... Parameters>
  void right(const std::string& name, Parameters... parameters) {
    ASSERT_EQ(call<int>(name, parameters...), 0) << name;
  }
  uint64_t allocate(size_t bytes);
  void* stream();
  void* event();
  /// The memory's numbers, when all that the default stream holds is done.
  template <class Number>
  std::vector<Number> read_numbers(uint64_t address, size_t count) {
    std::vector<Number> found(count);
    void* to = found.data();
    EXPECT_EQ(call<int>("cuMemcpyDtoHAsync_v2", to, address, count * sizeof(Number), kDefault), 0);
    return found;
  }
  std::vector<unsigned char> read(uint64_t address, size_t bytes) {
    return read_numbers<unsigned char>(address, bytes);
  }
  template <class Number>
  uint64_t on_device(const std::vector<Number>& numbers) {
    const uint64_t address = allocate(numbers.size() * sizeof(Number));
    const void* from = numbers.data();
    right("cuMemcpyHtoDAsync_v2", address, from, numbers.size() * sizeof(Number), kDefault);
    return address;
  }
  void finish(void* on = nullptr) { right("cuStreamSynchronize", on); }

  static constexpr void* kDefault = nullptr;
};

}  // namespace qd::simulated::testing
