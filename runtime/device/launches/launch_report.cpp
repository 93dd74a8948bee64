#include "runtime/device/launches/launch_report.h"

#include <algorithm>

#include "runtime/ir/counters.h"
#include "runtime/ir/iterations.h"

namespace qd::device {

LaunchReport::LaunchReport(const LoadedKernel& kernel, const Invocation& invocation)
    : kernel_(kernel),
      invocation_(invocation),
      follows_failures_(kernel.may_stop() && (kernel.counts_starts() || invocation.times)) {
  for (const LoadedKernel::Task& task : kernel.tasks()) {
    if (task.large) ir::require_countable(LoadedKernel::iterations(task, invocation).value_or(0));
  }
}

/// Removes tasks that have not begun: those behind the one in which an assert failed.
void LaunchReport::leave_out_skipped(const LaunchBuffer& buffer) {
  if (!follows_failures_ || !buffer.failed()) return;
  const auto failed = std::ranges::find_if(began_, [&](uint32_t task) { return buffer.failed_by(task); });
  const auto skipped = static_cast<size_t>(began_.end() - failed);
  if (skipped < 2) return;
  began_.resize(began_.size() - skipped + 1);
  if (invocation_.times && invocation_.times->size() > began_.size()) invocation_.times->resize(began_.size());
}

void LaunchReport::add_counters(const LaunchBuffer& buffer) {
  uint64_t* to = invocation_.counters;
  if (!to) return;
  const uint64_t* from = buffer.counters();
  for (uint32_t i = 0; i < kernel_.buffer_layout().counter_count; ++i)
    to[i] = ir::combined(kernel_.combine_rule(i), to[i], from[i]);
  auto add = [&](uint32_t counter, int64_t count) {
    if (counter != ir::kNoCounter) to[counter] += static_cast<uint64_t>(count);
  };
  add(kernel_.begin_counter(), 1);
  if (!buffer.failed()) add(kernel_.end_counter(), 1);
  for (uint32_t number : began_) {
    const LoadedKernel::Task& task = kernel_.tasks()[number];
    add(task.start_counter, 1);
    if (task.trip_counter != ir::kNoCounter)
      add(task.trip_counter, LoadedKernel::iterations(task, invocation_).value_or(0));
  }
}

void LaunchReport::finish(const LaunchBuffer& buffer, const std::string& loops_ended) {
  LaunchOutcome& outcome = *invocation_.outcome;
  std::copy_n(buffer.results(), kernel_.buffer_layout().result_count, invocation_.results);
  if (invocation_.kept) std::copy_n(buffer.temps(), kernel_.kept_temps(), invocation_.kept);
  leave_out_skipped(buffer);
  outcome.tasks = static_cast<int>(began_.size());
  if (buffer.assert_failed()) outcome.status = LaunchOutcome::Status::Failed;
  read_messages(buffer.messages(), [&](uint32_t format) { return kernel_.first_warning(format); }, outcome);
  add_counters(buffer);
  if (stopped_) {
    end(stopped_->status, stopped_->error);
  } else if (buffer.loops_ended()) {
    end(LaunchOutcome::Status::Lost, loops_ended);
  }
}

void LaunchReport::end(LaunchOutcome::Status status, const std::string& error) {
  invocation_.outcome->status = status;
  invocation_.outcome->error = error;
}

}  // namespace qd::device
