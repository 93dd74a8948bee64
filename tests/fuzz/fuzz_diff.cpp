// libFuzzer target: any bytes as a unified diff, read as git's own output and as a file that was kept. It is
// refused with a message, or the result is in order and lies within the files that there are.
//
// Run: build/fuzz/tests/fuzz/fuzz_diff -max_len=4096 some_folder tests/fuzz/corpus/diff
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>

#include "report/diff/diff_file.h"
#include "report/diff/line_tracker.h"
#include "report/diff/patch.h"
#include "tests/fuzz/file_in_memory.h"

using namespace qd::report;
using qd::fuzz::require;

namespace {

constexpr int32_t kLines = 12;  // of each file that a diff can be of

/// The top of a working tree with f.py and pkg/g.py, whose lines are "line 1" to "line 12".
const std::string& working_tree() {
  static const qd::fuzz::TemporaryFolder folder;
  static const bool made = [] {
    std::filesystem::create_directory(folder.path() + "/pkg");
    for (const char* name : {"/f.py", "/pkg/g.py"}) {
      std::ofstream file(folder.path() + name);
      for (int32_t line = 1; line <= kLines; ++line) file << "line " << line << "\n";
    }
    return true;
  }();
  require(made);
  return folder.path();
}

/// Invariants of every change, in any form of diff. `n_lines`: the number of the new file's lines, where it is known.
void check(const ChangedFile& file, int32_t n_lines) {
  require(!file.path.empty());
  require(std::adjacent_find(file.added.begin(), file.added.end(), std::greater_equal<>()) == file.added.end());
  require(std::is_sorted(file.removed_after.begin(), file.removed_after.end()));
  int64_t n_added = 0;
  int32_t new_end = 1;
  for (const ChangedSpan& span : file.spans) {
    require(span.n_old >= 0 && span.n_new >= 0 && span.n_old + int64_t{span.n_new} > 0);
    require(span.new_first >= new_end);
    new_end = span.new_first + span.n_new;
    n_added += span.n_new;
  }
  require(n_added == static_cast<int64_t>(file.added.size()));
  if (!file.added.empty()) require(file.added.front() >= 1 && file.added.back() <= n_lines);
}

void check_all(const std::function<std::vector<ChangedFile>()>& read, int32_t n_lines) {
  try {
    for (const ChangedFile& file : read()) check(file, file.kind == ChangeKind::Deleted ? INT32_MAX : n_lines);
  } catch (const std::runtime_error& error) {
    require(error.what()[0] != '\0');
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check_all([&] { return parse_patch(text); }, INT32_MAX);
  check_all([&] { return parse_diff_file(text, working_tree(), working_tree() + "/pkg"); }, kLines);
  return 0;
}
