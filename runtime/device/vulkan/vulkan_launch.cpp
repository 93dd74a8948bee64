// Tasks are dispatched one after the other; those of a fork, too, which may run in any order.
#include "runtime/device/vulkan/vulkan_launch.h"

#include <algorithm>
#include <utility>

#include "runtime/device/seeds.h"

namespace qd::device::vulkan {
namespace {

/// Number of groups of a task whose number of iterations only the device knows. Fewer would leave a part of a large GPU
/// without work; groups without an iteration end at once.
constexpr uint32_t kUnknownGroups = 2048;
constexpr uint32_t kUnknownGroupsOfProcessor = 64;
/// Largest number of groups of a task: its invocations run several iterations each.
constexpr uint32_t kMostGroups = 65535;
/// The same on the processor of the host, where a group costs more than an iteration. If the driver ends loops early
/// and an iteration has loops, each invocation has one.
constexpr uint32_t kMostGroupsOfProcessor = 256;
/// Time for which passes of a loop of the schedule are recorded ahead, together.
constexpr std::chrono::milliseconds kBetweenConditions{10};

/// Whether a schedule has Run steps alone.
bool is_plain(const ir::Schedule& schedule) {
  return std::ranges::all_of(schedule, [](const ir::Step& step) { return step.kind == ir::Step::Kind::Run; });
}

}  // namespace

struct VulkanLaunch::Context {
  CommandRecorder& recorder;
  const PhysicalDevice& device;
  uint64_t& seed;
  const Run& run;
};

VulkanLaunch::VulkanLaunch(const VulkanExecutable& executable, const Invocation& invocation)
    : executable_(executable),
      report_(executable.kernel(), invocation),
      forms_(forms_of(executable, invocation.arrays)),
      piece_(executable.take_buffer()),
      buffer_(executable.kernel().buffer_layout(), piece_.host(), piece_.address()) {
  buffer_.fill(invocation, executable_.kernel().kept_temps(), executable_.tables());
}

bool VulkanLaunch::record(CommandRecorder& recorder, const PhysicalDevice& device, uint64_t& seed, const Run& run) {
  Context context{recorder, device, seed, run};
  if (!steps(context, executable_.kernel().schedule())) return false;
  recorder.set_flag(piece_, buffer_.layout().over);
  return true;
}

bool VulkanLaunch::steps(Context& context, const ir::Schedule& schedule) {
  for (const ir::Step& step : schedule) {
    switch (step.kind) {
      case ir::Step::Kind::Run:
        if (!task(context, step.task)) return false;
        break;
      case ir::Step::Kind::DoWhile:
        if (can_run_ahead(step)) {
          if (!passes(context, step)) return false;
          break;
        }
        do {
          if (!steps(context, step.sections[0]) || !catch_up(context)) return false;
        } while (!buffer_.failed() && buffer_.holds(step.condition));
        break;
      case ir::Step::Kind::If:
        if (!catch_up(context)) return false;
        if (!buffer_.failed() && !steps(context, step.sections[buffer_.holds(step.condition) ? 0 : 1])) return false;
        break;
      case ir::Step::Kind::Fork:
        if (!sections(context, step)) return false;
        break;
    }
  }
  return true;
}

/// Records a fork: the next tasks of all sections beside each other.
bool VulkanLaunch::sections(Context& context, const ir::Step& fork) {
  if (!std::ranges::all_of(fork.sections, is_plain)) {
    return std::ranges::all_of(fork.sections, [&](const ir::Schedule& section) { return steps(context, section); });
  }
  bool more = true;
  for (size_t round = 0; more; ++round) {
    more = false;
    auto order = CommandRecorder::Order::Behind;
    for (const ir::Schedule& section : fork.sections) {
      if (round >= section.size()) continue;
      more = true;
      if (!task(context, section[round].task, order)) return false;
      if (grid(context.device, section[round].task).groups > 0) order = CommandRecorder::Order::Beside;
    }
  }
  return true;
}

/// Whether passes of a loop can be recorded ahead: the condition is 0 or 1, and the host needs nothing between passes:
/// it measures nothing, follows no asserts, and no random numbers are drawn, whose seeds come from the host.
bool VulkanLaunch::can_run_ahead(const ir::Step& loop) const {
  if (report_.invocation().times || executable_.kernel().may_stop() || !executable_.kernel().is_truth(loop.condition))
    return false;
  bool can = true;
  ir::walk_steps(loop.sections[0], [&](const ir::Step& step, int) {
    can &= step.kind == ir::Step::Kind::Run ? !executable_.tasks()[step.task].draws : step.kind == ir::Step::Kind::Fork;
  });
  return can;
}

/// Records several passes at once. The first takes place in any case. Behind each pass its condition, which is 0 or 1,
/// becomes one of the numbers of groups of all tasks in the next one: so none of them runs behind the last pass.
bool VulkanLaunch::passes(Context& context, const ir::Step& loop) {
  const LaunchBufferLayout& layout = buffer_.layout();
  std::vector<size_t> places;
  ir::walk_steps(loop.sections[0], [&](const ir::Step& step, int) {
    if (step.kind != ir::Step::Kind::Run) return;
    buffer_.set_groups(step.task, grid(context.device, step.task).groups);
    places.push_back(layout.groups_of(step.task) + offsetof(GroupCounts, z));
  });
  const size_t tasks = places.size();
  places.push_back(0);
  size_t ahead = 1;
  do {
    const auto begin = std::chrono::steady_clock::now();
    const size_t began = report_.began_count();
    for (size_t pass = 0; pass < ahead; ++pass) {
      guarded_ = pass > 0;
      if (!steps(context, loop.sections[0])) return false;
      places.back() = layout.passes + pass * sizeof(uint32_t);
      context.recorder.copy(piece_, layout.temps + loop.condition * sizeof(uint64_t), places);
    }
    guarded_ = false;
    if (!catch_up(context)) return false;
    size_t took_place = 1;
    while (took_place < ahead && buffer_.held_behind(took_place - 1)) ++took_place;
    report_.resize_began(began + took_place * tasks);
    if (std::chrono::steady_clock::now() - begin < kBetweenConditions) ahead = std::min(2 * ahead, kMostPasses);
  } while (!buffer_.failed() && buffer_.holds(loop.condition));
  return true;
}

bool VulkanLaunch::catch_up(Context& context) {
  if (context.run() != CommandRecorder::End::Over) return false;
  take_times(context.recorder);
  return true;
}

bool VulkanLaunch::task(Context& context, uint32_t number, CommandRecorder::Order order) {
  const VulkanExecutable::LoadedTask& task = executable_.tasks()[number];
  const bool measures = report_.invocation().times && context.device.tick > 0;
  if (measures && !context.recorder.can_measure(1) && !catch_up(context)) return false;
  const Grid grid = this->grid(context.device, number);
  const TaskArguments constants{.launch = piece_.address(),
                                .seed = task.draws ? next_seed(context.seed) : 0,
                                .group_stride = grid.group_stride,
                                .step = grid.step,
                                .rounds = grid.rounds,
                                .unused = 0};
  const CommandRecorder::Program program = this->program(number);
  // The validation layer takes two storage buffers with the same memory for a conflict, and on the processor tasks run
  // one after the other in any case.
  if (!program.buffers.empty()) order = CommandRecorder::Order::Behind;
  const uint32_t begin = measures ? context.recorder.note_time() : 0;
  if (grid.groups > 0 && guarded_) {
    context.recorder.dispatch_indirect(program, piece_, buffer_.layout().groups_of(number), &constants,
                                       sizeof constants, order);
  } else if (grid.groups > 0) {
    context.recorder.dispatch(program, grid.groups, &constants, sizeof constants, order);
  }
  if (measures) measured_.push_back({number, begin, context.recorder.note_time()});
  report_.began(number);
  if (report_.follows_failures()) {
    const LaunchBufferLayout& layout = buffer_.layout();
    const size_t to[] = {layout.failed + number * sizeof(uint32_t)};
    context.recorder.copy(piece_, layout.messages + offsetof(DeviceMessages, failed), to);
  }
  return true;
}

VulkanLaunch::Grid VulkanLaunch::grid(const PhysicalDevice& device, uint32_t number) const {
  const LoadedKernel::Task& task = executable_.kernel().tasks()[number];
  if (!task.parallel) return {};
  const uint32_t local_size = executable_.tasks()[number].local_size;
  const std::optional<int64_t> n = LoadedKernel::iterations(task, report_.invocation());
  const uint32_t unknown = device.code.is_processor ? kUnknownGroupsOfProcessor : kUnknownGroups;
  const int64_t all = n ? (*n + local_size - 1) / local_size : unknown;
  const uint32_t loop_limit = device.code.loop_limit;
  const bool few =
      device.code.is_processor && (loop_limit == 0 || (!task.loops && all / kMostGroupsOfProcessor < loop_limit / 2));
  const auto groups = static_cast<uint32_t>(
      std::min<int64_t>(std::min(device.max_groups, few ? kMostGroupsOfProcessor : kMostGroups), all));
  if (!few || !n || task.blocks || *n == 0 || *n > INT32_MAX)
    return {groups, local_size, groups * local_size, UINT32_MAX};
  // The memory that a group reads and writes lies together, for the processor's caches.
  const auto rounds = static_cast<uint32_t>((all + groups - 1) / groups);
  return {static_cast<uint32_t>((all + rounds - 1) / rounds), rounds * local_size, local_size, rounds};
}

void VulkanLaunch::take_times(const CommandRecorder& recorder) {
  for (const Measured& row : measured_) {
    const int64_t begin = recorder.time_of(row.begin);
    report_.invocation().times->push_back({row.task, begin, recorder.time_of(row.end) - begin});
  }
  measured_.clear();
}

void VulkanLaunch::stop(LaunchOutcome::Status status, std::string error) {
  if (stopped() || over()) return;
  report_.stop(status, std::move(error));
  buffer_.stop();
}

}  // namespace qd::device::vulkan
