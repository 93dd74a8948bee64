#include "tests/unit/simulated_driver/library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>

namespace qd::simulated::testing {

void* symbol(const std::string& name) {
  static void* const library = dlopen(QD_SIMULATED_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) throw std::runtime_error(dlerror());
  void* address = dlsym(library, name.c_str());
  if (!address) throw std::runtime_error("the library has no function " + name);
  return address;
}

With::With(Variables variables) : variables_(std::move(variables)) {
  for (const auto& [name, value] : variables_) setenv(name.c_str(), value.c_str(), 1);
  call<void>("qd_simulated_reset");
}

With::~With() {
  for (const auto& [name, value] : variables_) unsetenv(name.c_str());
  call<void>("qd_simulated_reset");
}

void Simulated::SetUp() {
  call<void>("qd_simulated_reset");
  right("cuInit", 0u);
  void* context = nullptr;
  right("cuDevicePrimaryCtxRetain", &context, 0);
  right("cuCtxPushCurrent_v2", context);
}

void Simulated::TearDown() {
  call<int>("qd_simulated_fail", "");
  call<void>("qd_simulated_reset");
}

uint64_t Simulated::allocate(size_t bytes) {
  uint64_t address = 0;
  EXPECT_EQ(call<int>("cuMemAlloc_v2", &address, bytes), 0);
  return address;
}

void* Simulated::stream() {
  void* made = nullptr;
  EXPECT_EQ(call<int>("cuStreamCreateWithPriority", &made, 1u, 0), 0);
  return made;
}

void* Simulated::event() {
  void* made = nullptr;
  EXPECT_EQ(call<int>("cuEventCreate", &made, 0u), 0);
  return made;
}

}  // namespace qd::simulated::testing
