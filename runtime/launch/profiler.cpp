// Sums the times of tasks by kernel.
#include "runtime/launch/profiler.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/ir/walk.h"

namespace qd {
namespace {

/// Begin of a task in the source: its loop, or its first instruction with an effect.
const ir::Location* location_of(const ir::Kernel& kernel, const ir::Task& task) {
  const ir::Inst* first = task.loop == ir::InstId::None ? nullptr : &kernel[task.loop];
  if (!first) {
    ir::walk(kernel, task.body, [&](ir::InstId id) {
      const bool noticed = ir::has_effect(kernel[id].op, ir::kWrites | ir::kFaults | ir::kTells | ir::kControl);
      if (!first && noticed) first = &kernel[id];
    });
  }
  return first && first->location < kernel.locations.size() ? &kernel.locations[first->location] : nullptr;
}

std::string name_of(const ir::Kernel& kernel, const ir::Task& task) {
  std::string name = task.kind == ir::Task::Kind::Parallel ? "for" : "serial";
  const bool given =
      std::ranges::any_of(kernel.loops, [&](const ir::LoopInfo& loop) { return loop.name == task.name; });
  if (given) name += fmt::format(" ({})", task.name);
  const ir::Location* place = location_of(kernel, task);
  if (!place) return fmt::format("{} {}", kernel.name, name);
  const std::string& function = kernel.functions[place->function].name;
  return fmt::format("{}:{} {}", function, place->line, name);
}

}  // namespace

void TimeStatistics::add(int64_t time) {
  min = count == 0 ? time : std::min(min, time);
  max = std::max(max, time);
  total += time;
  ++count;
}

const Profiler::Rows& Profiler::rows_of(const KernelCode& code) {
  auto [found, fresh] = by_code_.try_emplace(code.id());
  Rows& rows = found->second;
  if (!fresh) return rows;
  const ir::Kernel& kernel = code.kernel();
  const ir::Function& function = kernel.functions[0];
  auto [place, first] =
      by_place_.try_emplace({function.file, function.first_line}, static_cast<uint32_t>(kernels_.size()));
  if (first) kernels_.push_back({function, {}, {}});
  rows.kernel = place->second;
  std::vector<Task>& tasks = kernels_[rows.kernel].tasks;
  for (const ir::Task& task : kernel.tasks) {
    // Variants of a kernel share the rows of tasks that have the same name; tasks of one variant never share one.
    const std::string name = name_of(kernel, task);
    uint32_t row = 0;
    while (row < tasks.size() && (tasks[row].name != name || std::ranges::count(rows.tasks, row) > 0)) ++row;
    if (row == tasks.size()) tasks.push_back({name, {}});
    rows.tasks.push_back(row);
  }
  return rows;
}

void Profiler::add(const KernelCode& code, const std::vector<device::TaskTime>& times) {
  std::lock_guard lock(mutex_);
  const Rows& rows = rows_of(code);
  Kernel& kernel = kernels_[rows.kernel];
  int64_t total = 0;
  for (const device::TaskTime& task : times) {
    const uint32_t row = rows.tasks[task.task];
    kernel.tasks[row].times.add(task.time);
    total += task.time;
    if (records_.empty() && dropped_ == 0) origin_ = task.begin;
    origin_ = std::min(origin_, task.begin);  // of launches of several threads, the first to begin may end later
    records_.push_back({rows.kernel, row, task.begin, task.time});
    if (records_.size() > kMostRecords) {
      records_.pop_front();
      ++dropped_;
    }
  }
  kernel.launches.add(total);
}

std::vector<Profiler::Kernel> Profiler::kernels() const {
  std::lock_guard lock(mutex_);
  return kernels_;
}

Profiler::Records Profiler::records() const {
  std::lock_guard lock(mutex_);
  Records records{{records_.begin(), records_.end()}, dropped_};
  for (Record& record : records.list) record.begin -= origin_;
  return records;
}

void Profiler::clear() {
  std::lock_guard lock(mutex_);
  kernels_.clear();
  by_place_.clear();
  by_code_.clear();
  records_.clear();
  dropped_ = 0;
}

}  // namespace qd
