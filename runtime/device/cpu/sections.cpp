// Sections run in rounds. In each round, each section runs its next task, and the parts of all these tasks are one
// range of the thread pool:
//
//   section 1:  task a, 4 parts    task c, 1 part                    round 1: a a a a b b
//   section 2:  task b, 2 parts    task d, 8 parts    task e         round 2: c d d d d d d d d
//                                                                    round 3: e
//
// So threads are busy although a task may have work for one of them only, and no thread waits for another section
// but at the end of a round.
#include "runtime/device/cpu/task_run.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "runtime/device/cpu/chunks.h"

namespace qd::device {
namespace {

/// Goes through the steps of a section, from task to task.
class Section {
 public:
  Section(const ir::Schedule& steps, uint32_t number) : number_(number) { enter(steps); }

  uint32_t number() const { return number_; }

  /// The task that runs next; nothing at the end. The one before has ended.
  std::optional<uint32_t> next(const CpuLaunch& launch) {
    while (!frames_.empty() && !launch.over()) {
      Frame& frame = frames_.back();
      if (frame.next == frame.steps->size()) {
        if (frame.loop && launch.holds(*frame.loop)) {
          frame.next = 0;
        } else {
          frames_.pop_back();
        }
        continue;
      }
      const ir::Step& step = (*frame.steps)[frame.next++];
      switch (step.kind) {
        case ir::Step::Kind::Run: return step.task;
        case ir::Step::Kind::DoWhile: enter(step.sections[0], &step); break;
        case ir::Step::Kind::If: enter(step.sections[launch.holds(step) ? 0 : 1]); break;
        case ir::Step::Kind::Fork:  // within a section, sections take turns
          for (size_t i = step.sections.size(); i-- > 0;) enter(step.sections[i]);
          break;
      }
    }
    return std::nullopt;
  }

 private:
  struct Frame {
    const ir::Schedule* steps;
    size_t next;
    const ir::Step* loop;  // the DoWhile whose body they are; null: of none
  };
  void enter(const ir::Schedule& steps, const ir::Step* loop = nullptr) { frames_.push_back({&steps, 0, loop}); }

  uint32_t number_;
  std::vector<Frame> frames_;
};

/// The tasks of a round.
class Round {
 public:
  struct Part {
    TaskRun* task;
    int64_t begin, end;
  };

  void add(CpuState& state, CpuLaunch& launch, uint32_t task, uint32_t section) {
    TaskRun& run = tasks_.emplace_back(state, launch, task, section, true);
    may_last_ |= run.may_last();
    const int64_t chunk = std::max<int64_t>(1, run.chunk(state.pool.threads()));
    for (int64_t begin = 0; begin < run.iterations(); begin += chunk)
      parts_.push_back({&run, begin, std::min(begin + chunk, run.iterations())});
  }

  void run(ThreadPool& pool, CpuLaunch& launch) {
    const ThreadPool::Waiting waiting{CpuLaunch::visit, &launch};
    auto run_parts = [](void* data, int64_t begin, int64_t end) {
      const std::vector<Part>& parts = static_cast<Round*>(data)->parts_;
      for (auto i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
        parts[i].task->run_part(parts[i].begin, parts[i].end);
    };
    pool.run(static_cast<int64_t>(parts_.size()), 1, run_parts, this, may_last_ ? &waiting : nullptr);
  }

 private:
  std::deque<TaskRun> tasks_;  // these do not move
  std::vector<Part> parts_;
  bool may_last_ = false;
};

struct NextTask {
  uint32_t task;
  uint32_t section;
};

/// Whether several threads run these tasks sooner than one.
bool worth_a_round(const CpuLaunch& launch, const std::vector<NextTask>& tasks) {
  if (tasks.size() < 2) return false;
  int64_t work = 0;
  for (const NextTask& next : tasks) {
    const CpuExecutable::LoadedTask& task = launch.executable.tasks()[next.task];
    if (task.loops) return true;  // its work is unknown, and it was written to run beside the other tasks
    work += work_of(task, iterations_of(task, launch.context));
  }
  return worth_threads(work);
}

void take_turns(CpuState& state, CpuLaunch& launch, Section section) {
  while (const auto task = section.next(launch)) run_task(state, launch, *task, section.number());
}

}  // namespace

void run_sections(CpuState& state, CpuLaunch& launch, const ir::Step& fork) {
  launch.begin_fork();
  std::vector<Section> sections;
  for (const ir::Schedule& steps : fork.sections)
    sections.emplace_back(steps, static_cast<uint32_t>(sections.size()) + 1);
  if (state.pool.threads() == 1 || launch.times) {
    for (Section& section : sections) take_turns(state, launch, section);
    return;
  }
  std::vector<NextTask> tasks;
  do {
    tasks.clear();
    for (Section& section : sections) {
      if (const auto task = section.next(launch)) tasks.push_back({*task, section.number()});
    }
    if (worth_a_round(launch, tasks)) {
      Round round;
      for (const NextTask& next : tasks) round.add(state, launch, next.task, next.section);
      round.run(state.pool, launch);
    } else {
      for (const NextTask& next : tasks) {
        if (launch.over()) return;
        run_task(state, launch, next.task, next.section);
      }
    }
  } while (!tasks.empty());
}

}  // namespace qd::device
