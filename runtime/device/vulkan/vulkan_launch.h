// A launch on a Vulkan device while it runs: it records its tasks by the schedule.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/abi/task_arguments.h"
#include "runtime/device/launches/launch_report.h"
#include "runtime/device/vulkan/command_recorder.h"
#include "runtime/device/vulkan/vulkan_executable.h"

namespace qd::device::vulkan {

class VulkanLaunch {
 public:
  using Run = std::function<CommandRecorder::End()>;

  /// Prepares a launch. Throws std::bad_alloc.
  VulkanLaunch(const VulkanExecutable& executable, const Invocation& invocation);

  /// Records the tasks. `run` runs the commands recorded so far, if the schedule depends on conditions. Returns whether
  /// the schedule has come to its end. `seed`: of random numbers; gets another value.
  bool record(CommandRecorder& recorder, const PhysicalDevice& device, uint64_t& seed, const Run& run);
  /// Whether all commands of the launch have run.
  bool over() const { return buffer_.over(); }
  const std::string& kernel() const { return executable_.kernel().name(); }
  /// Makes the launch end early, if it is not over; it does when its running tasks end by themselves.
  void stop(LaunchOutcome::Status status, std::string error);
  bool stopped() const { return report_.stopped(); }
  /// Reads the results and messages of the launch, when it is over.
  void finish() { report_.finish(buffer_, executable_.loops_ended_error()); }
  /// Takes in the times that were measured in the commands which have just run.
  void take_times(const CommandRecorder& recorder);
  /// Ends a launch that did not come to its end.
  void end(LaunchOutcome::Status status, const std::string& error) { report_.end(status, error); }
  /// Gives its memory back. Not to be called while the device may use it.
  void release() { executable_.give_back(piece_); }

 private:
  struct Context;
  bool steps(Context& context, const ir::Schedule& schedule);
  bool task(Context& context, uint32_t number, CommandRecorder::Order order = CommandRecorder::Order::Behind);
  bool sections(Context& context, const ir::Step& fork);
  bool can_run_ahead(const ir::Step& loop) const;
  bool passes(Context& context, const ir::Step& loop);
  /// Runs the recorded commands. Returns whether the launch goes on.
  bool catch_up(Context& context);
  /// Division of a task's iterations: the number of groups, and the rest as in TaskArguments.
  struct Grid {
    uint32_t groups = 1, group_stride = 0, step = 0, rounds = 0;
  };
  Grid grid(const PhysicalDevice& device, uint32_t task) const;
  /// Program of a task, with the storage buffers of this launch. Throws std::runtime_error.
  struct Form {
    CommandRecorder::Program program;
    std::vector<VkDescriptorBufferInfo> buffers;
  };
  static Form form_of(const VulkanExecutable& executable, size_t task, const ArraySlot* arrays);
  static std::vector<Form> forms_of(const VulkanExecutable& executable, const ArraySlot* arrays);
  CommandRecorder::Program program(uint32_t task) const;

  const VulkanExecutable& executable_;
  LaunchReport report_;
  const std::vector<Form> forms_;  // of each task; empty when none has storage buffers
  const Piece piece_;
  const LaunchBuffer buffer_;
  bool guarded_ = false;  // the commands recorded now take place only if the condition holds
  struct Measured {
    uint32_t task, begin, end;  // numbers of CommandRecorder::note_time
  };
  std::vector<Measured> measured_;
};

}  // namespace qd::device::vulkan
