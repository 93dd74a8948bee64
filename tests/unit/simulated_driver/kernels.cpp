#include "tests/unit/simulated_driver/kernels.h"

#include <cstring>

#include "runtime/passes/pipeline.h"

namespace qd::simulated::testing {

const std::string_view kAddOne =
    "kernel add_one\narray 0 x i32 rank 1 parameter\narray 1 y i32 rank 1 parameter\n"
    "function 0 \"/k.py\" add_one 1\nlocation 0 function 0 line 3 col 4\nlocation 1 function 0 line 4 col 4\n"
    "probe 0 function 0 5 -> 6\nprobe 1 function 0 5 -> 7\nloop 0 parallel\n"
    R"(body {
  %0 = const i32 0
  %1 = shape i32 0 0
  %2 = const i32 1
  %3 = for 0 [%0, %1) {
    %4 = loop_index i32 %3 0
    %5 = element_ptr i32 0 [%4]
    %6 = load i32 %5
    %7 = add i32 %6, %2
    %8 = element_ptr i32 1 [%4]
    store %8, %7
    %10 = const i32 5
    %11 = gt u1 %6, %10
    if %11 {
      probe 0
    } else {
      probe 1
    }
  }
}
)";

const std::string_view kTurn =
    "kernel turn\narray 0 x i32 rank 1 parameter\narray 1 y i32 rank 1 parameter\n"
    "function 0 \"/k.py\" turn 1\nlocation 0 function 0 line 3 col 4\nloop 0 parallel block_dim 128\n"
    R"(body {
  %0 = const i32 0
  %1 = shape i32 0 0
  %2 = for 0 [%0, %1) {
    %3 = shared i32 128
    %4 = thread i32
    %5 = loop_index i32 %2 0
    %6 = element_ptr i32 0 [%5]
    %7 = load i32 %6
    %8 = local_ptr i32 %3, %4
    store %8, %7
    %10 = shared i32 128
    %11 = local_ptr i32 %10, %4
    store %11, %7
    barrier block
    %14 = const i32 127
    %15 = sub i32 %14, %4
    %16 = local_ptr i32 %3, %15
    %17 = load i32 %16
    %18 = local_ptr i32 %10, %15
    %19 = load i32 %18
    %20 = add i32 %17, %19
    %21 = element_ptr i32 1 [%5]
    store %21, %20
  }
}
)";

const std::string_view kLanes =
    "kernel lanes\narray 0 x i32 rank 1 parameter\narray 1 y i32 rank 1 parameter\n"
    "function 0 \"/k.py\" lanes 1\nlocation 0 function 0 line 3 col 4\nloop 0 parallel block_dim 128\n"
    R"(body {
  %0 = const i32 0
  %1 = shape i32 0 0
  %2 = const i32 1
  %3 = for 0 [%0, %1) {
    %4 = loop_index i32 %3 0
    %5 = element_ptr i32 0 [%4]
    %6 = load i32 %5
    %7 = lane i32
    %8 = add i32 %7, %2
    %9 = shuffle i32 %6, %8
    %10 = gt u1 %6, %9
    %11 = ballot i64 %10
    %12 = const i64 32
    %13 = shr i64 %11, %12
    %14 = bit_xor i64 %11, %13
    %15 = cast i32 %14
    %16 = add i32 %15, %9
    %17 = element_ptr i32 1 [%4]
    store %17, %16
  }
}
)";

const std::string_view kWait =
    "kernel wait\narray 0 x i32 rank 1 parameter\narray 1 y i32 rank 1 parameter\n"
    "function 0 \"/k.py\" wait 1\nlocation 0 function 0 line 3 col 4\nloop 0 parallel\n"
    R"(body {
  %0 = const i32 0
  %1 = const i32 1
  %2 = shape i32 1 0
  %3 = for 0 [%0, %2) {
    %4 = loop_index i32 %3 0
    loop {
      %6 = element_ptr i32 0 [%0]
      %7 = atomic or i32 %6, %0
      %8 = eq u1 %7, %1
      if %8 {
        break
      }
    }
    %11 = const i32 2
    %12 = element_ptr i32 1 [%4]
    store %12, %11
  }
}
)";

Ready compiled(std::string_view text, const char* maker) {
  const auto* target = call<const codegen::Target*>("qd_simulated_target", maker);
  Ready ready{ir::parse(std::string(text)), {}, {}};
  auto lower = [&](ir::Kernel& kernel) { ready.map = instrument::lower_probes(kernel, passes::LaunchCounts::Device); };
  passes::run(ready.kernel, {.plan = target->plan(), .lower_probes = lower});
  ready.binary = target->compile(ready.kernel, {});
  return ready;
}

void WithKernel::load(std::string_view text, const char* maker) {
  ready_ = compiled(text, maker);
  const void* image = ready_.binary.code.data();
  void** no_values = nullptr;
  int* no_options = nullptr;
  right("cuModuleLoadDataEx", &module_, image, 0u, no_options, no_values);
  const char* name = ready_.binary.symbols.back().c_str();
  right("cuModuleGetFunction", &function_, module_, name);
  const ir::Task& task = ready_.kernel.tasks.back();
  group_size_ = task.block_dim == 0 ? 256 : static_cast<uint32_t>(task.block_dim);
}

void WithKernel::bind(const std::vector<std::pair<uint64_t, int32_t>>& arrays, const std::vector<uint64_t>& params) {
  std::vector<ArraySlot> slots;
  for (auto [address, length] : arrays) {
    ArraySlot slot = {};
    slot.data = reinterpret_cast<void*>(address);
    slot.shape[0] = length;
    slots.push_back(slot);
  }
  const DeviceMessages messages{0, 0, 0, 16};
  std::vector<uint64_t> room(2 + 16 + kFailWords);
  std::memcpy(room.data(), &messages, sizeof messages);
  counters_ = on_device(std::vector<uint64_t>(ready_.kernel.counters + 1));
  DeviceLaunch launch{};
  launch.arrays = on_device(slots);
  launch.params = on_device(params.empty() ? std::vector<uint64_t>(1) : params);
  launch.results = on_device(std::vector<uint64_t>(ready_.kernel.results.size() + 1));
  launch.temps = on_device(std::vector<uint64_t>(ready_.kernel.global_temps + 1));
  launch.counters = counters_;
  launch.messages = on_device(room);
  launch_ = on_device(std::vector<DeviceLaunch>{launch});
  finish();
}

int WithKernel::launch(uint32_t iterations, void* on) {
  return launch_groups((iterations + group_size_ - 1) / group_size_, group_size_, on);
}

int WithKernel::launch_groups(uint32_t groups, uint32_t threads, void* on) {
  TaskArguments arguments{launch_, 7, threads, groups * threads, 1, 0};
  void* parameters[] = {&arguments.launch, &arguments.seed, &arguments.group_stride, &arguments.step,
                        &arguments.rounds};
  void** extra = nullptr;
  return call<int>("cuLaunchKernel", function_, groups, 1u, 1u, threads, 1u, 1u, 0u, on, +parameters, extra);
}

std::vector<uint64_t> WithKernel::counters() { return read_numbers<uint64_t>(counters_, ready_.kernel.counters); }

}  // namespace qd::simulated::testing
