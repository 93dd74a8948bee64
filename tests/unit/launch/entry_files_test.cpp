// The offline cache's files: hits, distrusted files, and evictions when there is too much.
#include "runtime/launch/entry_files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace qd {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = EntryFiles::Kind;
using Cleaning = CacheOptions::Cleaning;

constexpr EntryFiles::Key kKey = {0x0123456789abcdef, 42};

class EntryFilesTest : public ::testing::Test {
 protected:
  EntryFilesTest() {
    std::string name = (fs::temp_directory_path() / "qd-entries-XXXXXX").string();
    folder = mkdtemp(name.data());
    options.folder = (folder / "cache").string();
  }
  ~EntryFilesTest() override { fs::remove_all(folder); }

  std::vector<fs::path> entries() const {
    std::vector<fs::path> found;
    for (const auto& file : fs::recursive_directory_iterator(options.folder)) {
      if (file.is_regular_file() && file.path().filename() != "lock") found.push_back(file.path());
    }
    std::ranges::sort(found);
    return found;
  }
  static std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void write(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }
  /// Puts an entry whose file is as old as it is said to be.
  fs::path put_aged(EntryFiles& files, uint64_t number, size_t size, int seconds_ago) const {
    const std::vector<fs::path> before = entries_or_none();
    files.put({number, 0}, Kind::Code, std::string(size, 'x'));
    for (const fs::path& path : entries()) {
      if (std::ranges::find(before, path) != before.end()) continue;
      fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::seconds(seconds_ago));
      return path;
    }
    return {};
  }
  std::vector<fs::path> entries_or_none() const {
    return fs::exists(options.folder) ? entries() : std::vector<fs::path>();
  }

  fs::path folder;
  CacheOptions options;
};

TEST_F(EntryFilesTest, FindsWhatWasPut) {
  const std::string bytes("a\0b", 3);
  {
    EntryFiles files(options, "v1");
    EXPECT_EQ(files.find(kKey, Kind::Code), std::nullopt);
    files.put(kKey, Kind::Code, bytes);
    EXPECT_EQ(files.find(kKey, Kind::Code), bytes);
    files.put(kKey, Kind::Kernel, "");
    EXPECT_EQ(files.find(kKey, Kind::Kernel), "");
  }
  EntryFiles later(options, "v1");
  EXPECT_EQ(later.find(kKey, Kind::Code), bytes);
  EXPECT_EQ(later.find({kKey[0], 43}, Kind::Code), std::nullopt);
  EXPECT_EQ(EntryFiles(options, "v2").find(kKey, Kind::Code), std::nullopt);
  EXPECT_THAT(later.take_warnings(), IsEmpty());
  EXPECT_EQ(fs::status(entries()[0]).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(EntryFilesTest, EveryChangedByteIsNoticed) {
  EntryFiles files(options, "v1");
  files.put(kKey, Kind::Code, "the machine code");
  const fs::path path = entries()[0];
  const std::string good = contents(path);
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    write(path, bad);
    ASSERT_EQ(files.find(kKey, Kind::Code), std::nullopt) << i;
    write(path, good.substr(0, i));
    ASSERT_EQ(files.find(kKey, Kind::Code), std::nullopt) << i;
  }
  write(path, good + "x");
  EXPECT_EQ(files.find(kKey, Kind::Code), std::nullopt);
  EXPECT_EQ(files.take_warnings().size(), 2 * good.size() + 1);
  files.put(kKey, Kind::Code, "the machine code");
  EXPECT_EQ(contents(path), good) << "the same bytes at any time";
  EXPECT_EQ(files.find(kKey, Kind::Code), "the machine code");
}

TEST_F(EntryFilesTest, AnotherKeysEntryIsNone) {
  EntryFiles files(options, "v1");
  files.put({1, 1}, Kind::Code, "one");
  const fs::path one = entries()[0];
  files.put({2, 2}, Kind::Code, "two");
  for (const fs::path& path : entries()) {
    if (path != one) fs::copy_file(one, path, fs::copy_options::overwrite_existing);
  }
  EXPECT_EQ(files.find({2, 2}, Kind::Code), std::nullopt);
  EXPECT_THAT(files.take_warnings(), ElementsAre(HasSubstr("is damaged; the kernel is compiled again")));
}

TEST_F(EntryFilesTest, WhatOthersCouldHaveWrittenIsNotTrusted) {
  EntryFiles files(options, "v1");
  files.put(kKey, Kind::Code, "code");
  const fs::path path = entries()[0], elsewhere = folder / "elsewhere";
  fs::permissions(path, fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(files.find(kKey, Kind::Code), std::nullopt);
  EXPECT_THAT(files.take_warnings(), ElementsAre(HasSubstr("could have been written by someone else")));
  files.put(kKey, Kind::Code, "code");
  EXPECT_EQ(files.find(kKey, Kind::Code), "code");
  fs::rename(path, elsewhere);
  fs::create_symlink(elsewhere, path);
  EXPECT_EQ(files.find(kKey, Kind::Code), std::nullopt);
  EXPECT_THAT(files.take_warnings(), ElementsAre(HasSubstr("cannot read")));
  files.put(kKey, Kind::Code, "code");
  EXPECT_EQ(files.find(kKey, Kind::Code), "code");
  if (geteuid() == 0) {
    ASSERT_EQ(chown(path.c_str(), 12345, 12345), 0);
    EXPECT_EQ(files.find(kKey, Kind::Code), std::nullopt);
  }
}

TEST_F(EntryFilesTest, AFolderThatCannotBeMadeIsOneWarning) {
  write(folder / "cache", "a file");
  for (int program = 0; program < 2; ++program) {
    EntryFiles files(options, "v1");
    EXPECT_EQ(files.find(kKey, Kind::Code), std::nullopt);
    files.put(kKey, Kind::Code, "code");
    files.put({3, 3}, Kind::Code, "code");
    EXPECT_EQ(files.take_warnings().size(), program == 0);
  }
}

TEST_F(EntryFilesTest, TheLeastRecentlyUsedGo) {
  options.max_bytes = 10'000;
  EntryFiles files(options, "v1");
  std::vector<fs::path> paths;
  for (int i = 0; i < 9; ++i) paths.push_back(put_aged(files, static_cast<uint64_t>(i), 1000, 100 - i));
  write(folder / "cache" / "notes.txt", std::string(5000, 'n'));
  EXPECT_TRUE(files.find({0, 0}, Kind::Code)) << "used now";
  EXPECT_EQ(entries().size(), 10u);
  put_aged(files, 9, 1000, 0);
  std::vector<bool> there;
  for (const fs::path& path : paths) there.push_back(fs::exists(path));
  // Ten of 1040 bytes are too much; seven of them are three quarters of the limit.
  EXPECT_THAT(there, ElementsAre(true, false, false, false, true, true, true, true, true));
  EXPECT_TRUE(fs::exists(folder / "cache" / "notes.txt"));
  files.put({99, 0}, Kind::Code, std::string(20'000, 'x'));
  EXPECT_EQ(files.find({99, 0}, Kind::Code), std::nullopt) << "too large to be kept";
}

TEST_F(EntryFilesTest, TheOldestGo) {
  options.max_bytes = 10'000;
  options.cleaning = Cleaning::Fifo;
  options.cleaning_factor = 0;
  EntryFiles files(options, "v1");
  std::vector<fs::path> paths;
  for (int i = 0; i < 9; ++i) paths.push_back(put_aged(files, static_cast<uint64_t>(i), 1000, 100 - i));
  EXPECT_TRUE(files.find({0, 0}, Kind::Code)) << "used now, and yet the oldest";
  put_aged(files, 9, 1000, 0);
  EXPECT_FALSE(fs::exists(paths[0]));
  for (size_t i = 1; i < paths.size(); ++i) EXPECT_TRUE(fs::exists(paths[i])) << i;
}

TEST_F(EntryFilesTest, NothingGoesByItself) {
  options.max_bytes = 100;
  options.cleaning = Cleaning::Never;
  EntryFiles old(options, "v0"), files(options, "v1");
  old.put(kKey, Kind::Code, "old");
  for (uint64_t i = 0; i < 20; ++i) files.put({i, 0}, Kind::Code, std::string(1000, 'x'));
  EXPECT_EQ(entries().size(), 21u);
}

TEST_F(EntryFilesTest, OtherBuildsEntriesGo) {
  options.cleaning = Cleaning::Version;
  EntryFiles old(options, "v0"), files(options, "v1");
  old.put(kKey, Kind::Code, "old");
  fs::create_directory(folder / "cache" / "mine");
  write(folder / "cache" / "mine" / "00000000000000000000000000000000.code", "a user's own");
  EXPECT_EQ(entries().size(), 2u);
  files.put(kKey, Kind::Code, "new");
  EXPECT_EQ(old.find(kKey, Kind::Code), std::nullopt);
  EXPECT_EQ(files.find(kKey, Kind::Code), "new");
  EXPECT_EQ(entries().size(), 2u) << "a folder with another name is not ours";
}

TEST_F(EntryFilesTest, WhatADeadProcessLeftGoes) {
  EntryFiles(options, "v1").put(kKey, Kind::Code, "code");
  const std::string name = entries()[0].string();
  write(name + ".123.0.tmp", "half of");
  write(name + ".124.0.tmp", "half of");
  fs::last_write_time(name + ".123.0.tmp", fs::file_time_type::clock::now() - std::chrono::hours(2));
  EntryFiles(options, "v1").put({5, 5}, Kind::Code, "code");
  EXPECT_FALSE(fs::exists(name + ".123.0.tmp"));
  EXPECT_TRUE(fs::exists(name + ".124.0.tmp")) << "somebody may be writing it";
}

TEST_F(EntryFilesTest, OneCleansAtATime) {
  options.max_bytes = 3'000;
  EntryFiles(options, "v1").put(kKey, Kind::Code, std::string(1000, 'x'));
  const int lock = open((folder / "cache" / "lock").c_str(), O_RDWR);
  ASSERT_EQ(flock(lock, LOCK_EX), 0);
  EntryFiles files(options, "v1");
  for (uint64_t i = 0; i < 5; ++i) files.put({i, 0}, Kind::Code, std::string(1000, 'x'));
  EXPECT_EQ(entries().size(), 6u);
  close(lock);
  EntryFiles(options, "v1").put({7, 0}, Kind::Code, std::string(1000, 'x'));
  EXPECT_EQ(entries().size(), 2u);
}

}  // namespace
}  // namespace qd
