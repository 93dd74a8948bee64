// Unused names that many threads take at the same time.
#include "report/data/unused_name.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>
#include <vector>

#include "report/data/coverage_data.h"
#include "scratch_folder.h"

namespace qd::report {
namespace {

namespace fs = std::filesystem;

class UnusedNameTest : public testing::ScratchFolder {};

TEST_F(UnusedNameTest, EachFileGetsANameOfItsOwn) {
  constexpr int kThreads = 8, kFiles = 50;
  std::vector<std::vector<std::string>> taken(kThreads);
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < kFiles; ++i) {
          const std::string from = path("from-" + random_word());
          std::ofstream(from) << t << ' ' << i;
          taken[static_cast<size_t>(t)].push_back(move_to_unused(from, path("name")));
        }
      });
  }
  std::set<std::string> names, contents;
  for (const auto& list : taken)
    for (const std::string& name : list) {
      names.insert(name);
      std::string text;
      std::ifstream in(name);
      std::getline(in, text);
      contents.insert(text);
    }
  EXPECT_EQ(names.size(), size_t{kThreads} * kFiles);
  EXPECT_EQ(contents.size(), size_t{kThreads} * kFiles);
  EXPECT_TRUE(names.contains(path("name")) && names.contains(path("name.1")));
}

TEST_F(UnusedNameTest, DataFilesOfManyProcessesOfOneNumber) {
  constexpr int kThreads = 8, kFiles = 10;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < kFiles; ++i) {
          CoverageData data;
          data.add_line("/a.py", 1 + t * kFiles + i);
          write_new_data(path("_qd_kcov.1"), data);
        }
      });
  }
  CoverageData all;
  size_t files = 0;
  for (const auto& entry : fs::directory_iterator(path("."))) {
    all.update(read_data(entry.path().string()));
    ++files;
  }
  EXPECT_EQ(files, size_t{kThreads} * kFiles) << "and nothing else";
  int lines = 0;
  for (int line = 1; line <= kThreads * kFiles; ++line) lines += all.files.at("/a.py").lines.at(0).contains(line);
  EXPECT_EQ(lines, kThreads * kFiles);
}

TEST_F(UnusedNameTest, NothingIsReplaced) {
  std::ofstream(path("from")) << "x";
  fs::create_directory(path("name"));
  fs::create_symlink("nowhere", path("name.1"));
  EXPECT_EQ(move_to_unused(path("from"), path("name")), path("name.2"));
  EXPECT_EQ(move_to_unused(path("gone"), path("other")), "");
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace qd::report
