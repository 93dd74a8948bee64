// Stages of a change. A line is followed back from the working tree to the index, and from there to HEAD. It comes from
// the step in which it is new.
#include "report/diff/tree_diff.h"

#include <algorithm>
#include <map>

#include "report/diff/line_tracker.h"

namespace qd::report {
namespace {

enum class Stage : uint8_t { Committed, Staged, Unstaged };

/// Change of one file by one step.
struct Step {
  const ChangedFile* file = nullptr;  // null: unchanged
  LineTracker map;

  Step(const std::vector<ChangedFile>& files, const std::string& path) {
    for (const ChangedFile& one : files)
      if (one.path == path) file = &one;
    if (file != nullptr) map = LineTracker(file->spans);
  }
  bool adds(int32_t line) const {
    return file != nullptr && std::binary_search(file->added.begin(), file->added.end(), line);
  }
  bool removes_after(int32_t line) const {
    return file != nullptr && std::binary_search(file->removed_after.begin(), file->removed_after.end(), line);
  }
};

}  // namespace

void ignore_stages(std::vector<ChangedFile>& files, const std::vector<ChangedFile>& staged,
                   const std::vector<ChangedFile>& unstaged, bool ignore_staged, bool ignore_unstaged) {
  for (ChangedFile& file : files) {
    Step from_index(unstaged, file.path), from_head(staged, file.path);
    auto ignored = [&](Stage stage) {
      return stage == Stage::Staged ? ignore_staged : stage == Stage::Unstaged && ignore_unstaged;
    };
    auto origin = [&](int32_t line, bool removed_after) {
      auto here = [&](const Step& step, int32_t at) { return removed_after ? step.removes_after(at) : step.adds(at); };
      if (here(from_index, line)) return Stage::Unstaged;
      if (line == 0) return here(from_head, 0) ? Stage::Staged : Stage::Committed;
      auto index_line = from_index.map.old_line(line);
      if (!index_line) return Stage::Unstaged;  // lines were removed after a line that is new itself
      return here(from_head, *index_line) ? Stage::Staged : Stage::Committed;
    };
    std::erase_if(file.added, [&](int32_t line) { return ignored(origin(line, false)); });
    std::erase_if(file.removed_after, [&](int32_t line) { return ignored(origin(line, true)); });
  }
}

}  // namespace qd::report
