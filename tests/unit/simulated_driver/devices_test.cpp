// Devices, contexts, HIP's names, and the target of the code.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <cstring>

#include "tests/unit/simulated_driver/kernels.h"

namespace qd::simulated::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr int kInvalidValue = 1, kNotInitialized = 3, kInvalidDevice = 101, kInvalidImage = 200, kInvalidContext = 201,
              kInvalidHandle = 400, kNotFound = 500;

class DevicesOfSimulatedDriver : public WithKernel {
 protected:
  static std::string name(int device) {
    char text[64] = {};
    EXPECT_EQ(call<int>("cuDeviceGetName", +text, 64, device), 0);
    return text;
  }
};

TEST_F(DevicesOfSimulatedDriver, AreTwoWhereTheEnvironmentSaysSo) {
  const With two(Variables{{"QD_SIMULATED_DEVICES", "2"}, {"QD_SIMULATED_COMPUTE", "86"}});
  int count = 0, value = 0;
  EXPECT_EQ(call<int>("cuDeviceGetCount", &count), kNotInitialized);
  SetUp();
  right("cuDeviceGetCount", &count);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(name(1), "Simulated GPU 1");
  right("cuDeviceGetAttribute", &value, 76, 1);
  EXPECT_EQ(value, 6);
  EXPECT_EQ(call<int>("cuDeviceGet", &value, 2), kInvalidDevice);

  const uint64_t address = allocate(10);
  void *own = stream(), *context = nullptr, *top = nullptr;
  right("cuDevicePrimaryCtxRetain", &context, 1);
  right("cuCtxPushCurrent_v2", context);
  right("cuCtxGetCurrent", &top);
  EXPECT_EQ(top, context);
  EXPECT_EQ(call<int>("cuStreamSynchronize", own), kInvalidHandle);
  EXPECT_EQ(call<int>("cuMemsetD8Async", address, static_cast<unsigned char>(1), size_t{10}, kDefault), kInvalidValue);
  right("cuCtxPopCurrent_v2", &top);
  finish(own);
}

TEST_F(DevicesOfSimulatedDriver, WantAContext) {
  void* context = nullptr;
  right("cuCtxPopCurrent_v2", &context);
  uint64_t address = 0;
  EXPECT_EQ(call<int>("cuMemAlloc_v2", &address, size_t{10}), kInvalidContext);
  EXPECT_EQ(call<int>("cuCtxPopCurrent_v2", &context), kInvalidContext);
  EXPECT_EQ(call<int>("cuCtxPushCurrent_v2", static_cast<void*>(&address)), kInvalidContext);
}

TEST_F(DevicesOfSimulatedDriver, EndWhatAContextOwns) {
  stream();
  allocate(10);
  right("cuDevicePrimaryCtxRelease_v2", 0);
  for (const char* kind : {"memory", "stream", "context"}) EXPECT_EQ(call<long>("qd_simulated_live", kind), 0) << kind;
}

TEST_F(DevicesOfSimulatedDriver, KnowTheirModules) {
  load(kAddOne);
  void* function = nullptr;
  EXPECT_EQ(call<int>("cuModuleGetFunction", &function, module_, "no_such_kernel"), kNotFound);
  void** no_values = nullptr;
  int* no_options = nullptr;
  const void* image = ".version 7.8";
  EXPECT_EQ(call<int>("cuModuleLoadDataEx", &function, image, 0u, no_options, no_values), kInvalidImage);
  right("cuModuleUnload", module_);
  EXPECT_EQ(call<int>("cuModuleUnload", module_), kInvalidHandle);
  EXPECT_EQ(call<long>("qd_simulated_live", "module"), 0);
}

/// The same through HIP's functions, on subgroups of 64.
TEST_F(DevicesOfSimulatedDriver, AreHipsToo) {
  call<void>("qd_simulated_reset");
  void* x = nullptr;
  right("hipMalloc", &x, size_t{8});
  right("hipMemsetD8Async", x, static_cast<unsigned char>(2), size_t{8}, kDefault);
  uint32_t number = 0;
  void* to = &number;
  right("hipMemcpyDtoHAsync", to, x, size_t{4}, kDefault);
  EXPECT_EQ(number, 0x02020202u);
  std::vector<char> properties(4096);
  void* place = properties.data();
  right("hipGetDeviceProperties", place, 0);
  EXPECT_THAT(properties.data() + 396, StartsWith("gfx90a"));
  right("hipGetDevicePropertiesR0600", place, 0);
  EXPECT_THAT(properties.data() + 1160, StartsWith("gfx90a"));
  EXPECT_EQ(std::string(call<const char*>("hipGetErrorName", kInvalidHandle)), "hipErrorInvalidHandle");
  int lanes = 0;
  right("hipDeviceGetAttribute", &lanes, 87, 0);
  EXPECT_EQ(lanes, 64);
}

TEST_F(DevicesOfSimulatedDriver, HaveATargetForEachMaker) {
  const auto* cuda = call<const codegen::Target*>("qd_simulated_target", "cuda");
  const auto* hip = call<const codegen::Target*>("qd_simulated_target", "hip");
  EXPECT_EQ(call<const codegen::Target*>("qd_simulated_target", "vulkan"), nullptr);
  EXPECT_THAT(cuda->processor(), StartsWith("simulated cuda, subgroups of 32, "));
  EXPECT_THAT(hip->processor(), StartsWith("simulated hip, subgroups of 64, "));
  EXPECT_NE(cuda->compiler(), hip->compiler());
  EXPECT_TRUE(cuda->plan().blocks);
  EXPECT_EQ(compiled(kTurn).binary.code, compiled(kTurn).binary.code);
}

/// Code contains no address of the library, so another process can load it from a cache.
TEST_F(DevicesOfSimulatedDriver, HaveCodeWithoutAddresses) {
  constexpr uint64_t kLargest = uint64_t{1} << 28;
  Dl_info info = {};
  ASSERT_NE(dladdr(symbol("cuInit"), &info), 0);
  const auto library = reinterpret_cast<uint64_t>(info.dli_fbase);
  for (std::string_view kernel : {kAddOne, kTurn, kLanes}) {
    const std::string code = compiled(kernel).binary.code;
    for (size_t i = 0; i + 8 <= code.size(); ++i) {
      uint64_t word = 0;
      std::memcpy(&word, code.data() + i, sizeof word);
      ASSERT_GE(word - library, kLargest) << i;
    }
  }
}

}  // namespace
}  // namespace qd::simulated::testing
