// Faults of kernels, which end no process and stay with the context; and calls that fail because a test wants it.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csetjmp>
#include <csignal>

#include "tests/unit/simulated_driver/kernels.h"

namespace qd::simulated::testing {
namespace {

constexpr int kIllegalAddress = 700;

class FaultsOfSimulatedDevice : public WithKernel {
 protected:
  /// Runs a kernel whose second array lies there.
  int run_with(uint64_t y) {
    load(kAddOne);
    bind({{on_device(std::vector<int32_t>(600)), 600}, {y, 600}});
    EXPECT_EQ(launch(600), 0);
    return call<int>("cuStreamSynchronize", kDefault);
  }
  void again() {
    call<void>("qd_simulated_reset");
    SetUp();
  }
};

TEST_F(FaultsOfSimulatedDevice, AreIllegalAddresses) {
  EXPECT_EQ(run_with(0x1000), kIllegalAddress);
  again();
  const uint64_t freed = allocate(1 << 20);
  right("cuMemFree_v2", freed);
  EXPECT_EQ(run_with(freed), kIllegalAddress);
  again();
  EXPECT_EQ(run_with(allocate(2000)), kIllegalAddress);  // 600 numbers do not fit
  again();
  EXPECT_EQ(run_with(allocate(2400)), 0);
}

TEST_F(FaultsOfSimulatedDevice, StayWithTheContext) {
  void *own = stream(), *mark = event();
  EXPECT_EQ(run_with(0x1000), kIllegalAddress);
  uint64_t address = 0;
  EXPECT_EQ(call<int>("cuMemAlloc_v2", &address, size_t{10}), kIllegalAddress);
  EXPECT_EQ(call<int>("cuStreamQuery", own), kIllegalAddress);
  EXPECT_EQ(call<int>("cuEventRecord", mark, own), kIllegalAddress);
  EXPECT_EQ(call<int>("cuStreamDestroy_v2", own), kIllegalAddress);
  EXPECT_EQ(call<int>("cuModuleUnload", module_), kIllegalAddress);
  const char* name = nullptr;
  right("cuGetErrorName", kIllegalAddress, &name);
  EXPECT_STREQ(name, "CUDA_ERROR_ILLEGAL_ADDRESS");
}

/// Memory that is freed before a copy that was enqueued.
TEST_F(FaultsOfSimulatedDevice, AreCopiesOfWhatWasFreedTooEarly) {
  const With lagging(Variables{{"QD_SIMULATED_SEED", "1"}});
  SetUp();
  const uint64_t address = allocate(100);
  right("cuMemsetD8Async", address, static_cast<unsigned char>(1), size_t{100}, kDefault);
  right("cuMemFree_v2", address);
  EXPECT_EQ(call<int>("cuStreamSynchronize", kDefault), kIllegalAddress);
}

sigjmp_buf after_own_fault;

TEST_F(FaultsOfSimulatedDevice, OfTheHostAreTheHosts) {
  struct sigaction own = {}, before = {};
  own.sa_handler = [](int) { siglongjmp(after_own_fault, 1); };
  sigaction(SIGSEGV, &own, &before);
  EXPECT_EQ(run_with(0x1000), kIllegalAddress);
  if (sigsetjmp(after_own_fault, 1) == 0) {
    *reinterpret_cast<volatile int*>(0x1000) = 1;
    ADD_FAILURE() << "no fault";
  }
  again();
  EXPECT_EQ(run_with(0x1000), kIllegalAddress);
  sigaction(SIGSEGV, &before, nullptr);
}

TEST_F(FaultsOfSimulatedDevice, ComeByRequest) {
  uint64_t address = 0;
  EXPECT_EQ(call<int>("qd_simulated_fail", "cuMemAlloc_v2=2@2,cuStreamQuery=719@3+"), 1);
  std::vector<int> results;
  for (int i = 0; i < 3; ++i) results.push_back(call<int>("cuMemAlloc_v2", &address, size_t{10}));
  EXPECT_EQ(results, (std::vector{0, 2, 0}));
  results.clear();
  for (int i = 0; i < 4; ++i) results.push_back(call<int>("cuStreamQuery", kDefault));
  EXPECT_EQ(results, (std::vector{0, 0, 719, 719}));
  EXPECT_EQ(call<unsigned long>("qd_simulated_calls", "cuMemAlloc"), 3u);

  EXPECT_EQ(call<int>("qd_simulated_fail", "cuStreamQuery=600"), 1);
  EXPECT_EQ(call<int>("cuStreamQuery", kDefault), 600);
  for (const char* wrong : {"cuStreamQuery", "cuStreamQuery=x", "cuStreamQuery=1@0", "cuStreamQuery=1@2-"})
    EXPECT_EQ(call<int>("qd_simulated_fail", wrong), 0) << wrong;
  EXPECT_EQ(call<int>("cuStreamQuery", kDefault), 0);
}

TEST_F(FaultsOfSimulatedDevice, ComeByTheEnvironment) {
  const With failing(Variables{{"QD_SIMULATED_FAIL", "cuMemHostAlloc=2@1"}});
  SetUp();
  void* pinned = nullptr;
  EXPECT_EQ(call<int>("cuMemHostAlloc", &pinned, size_t{10}, 0u), 2);
  EXPECT_EQ(call<int>("cuMemHostAlloc", &pinned, size_t{10}, 0u), 0);
}

TEST_F(FaultsOfSimulatedDevice, MeetWhoeverIsForked) {
  const uint64_t address = allocate(10);
  const pid_t child = fork();
  if (child == 0) {
    uint64_t other = 0;
    const bool refused = call<int>("cuMemAlloc_v2", &other, size_t{10}) == 3 && call<int>("cuInit", 0u) == 3 &&
                         call<int>("cuMemFree_v2", address) == 3;
    _exit(refused ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  right("cuMemFree_v2", address);
}

}  // namespace
}  // namespace qd::simulated::testing
