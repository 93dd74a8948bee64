// The cache of analyses: hits, evictions, and that no damage to its file does harm.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "report/analysis/cache/analysis_cache.h"

namespace qd::report {
namespace {

namespace fs = std::filesystem;

class AnalysisCacheTest : public testing::Test {
 protected:
  AnalysisCacheTest() {
    std::string name = (fs::temp_directory_path() / "qd-cache-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    path_ = folder_ / "some.analyses";
  }
  ~AnalysisCacheTest() override { fs::remove_all(folder_); }

  static SourceAnalysis analyzed(const std::string& text, const AnalysisOptions& options = {}) {
    return analyze_source(text, "a.py", {}, options);
  }
  void keep(const std::vector<std::string>& texts, const AnalysisOptions& options = {},
            AnalysisCache::Limits limits = {}) {
    AnalysisCache cache(path_, "settings", limits);
    for (const std::string& text : texts)
      if (!cache.find(text, options)) cache.add(text, options, analyzed(text, options));
    cache.save();
  }
  bool has(const std::string& text, const AnalysisOptions& options = {}) {
    std::optional<SourceAnalysis> found = AnalysisCache(path_, "settings").find(text, options);
    if (found) {
      EXPECT_EQ(*found, analyzed(text, options));
    }
    return found.has_value();
  }
  std::string file() {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  long n_files() { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }
  void write_file(const std::string& bytes) { std::ofstream(path_, std::ios::binary) << bytes; }

  fs::path folder_, path_;
};

const std::string kText =
    "def f(a):\n    if a:\n        with a:\n            return (a,\n                1)\n    return 2\n";

TEST_F(AnalysisCacheTest, FindsWhatWasAddedBefore) {
  EXPECT_FALSE(has(kText));
  keep({kText, "a = 1\n"});
  EXPECT_TRUE(has(kText));
  EXPECT_TRUE(has("a = 1\n"));
  EXPECT_FALSE(has("a = 2\n"));
  EXPECT_EQ(n_files(), 1);
}

TEST_F(AnalysisCacheTest, OtherSettingsAndOptionsAreOtherAnalyses) {
  keep({kText});
  EXPECT_FALSE(AnalysisCache(path_, "other settings").find(kText, {}));
  EXPECT_FALSE(has(kText, {.arcs = false}));
  EXPECT_FALSE(has(kText, {.conditions = true}));
  EXPECT_FALSE(has(kText, {.kernels = true}));
  EXPECT_FALSE(has(kText, {.regions = true}));
  EXPECT_FALSE(has(kText, {.descriptions = true}));
  EXPECT_FALSE(has(kText, {.python_minor = 10}));
}

TEST_F(AnalysisCacheTest, AnAnalysisThatKnowsMoreWillDo) {
  keep({kText}, {.regions = true, .descriptions = true});
  EXPECT_TRUE(has(kText));
  EXPECT_TRUE(has(kText, {.regions = true}));
  EXPECT_TRUE(has(kText, {.descriptions = true}));
  EXPECT_TRUE(has(kText, {.regions = true, .descriptions = true}));
}

TEST_F(AnalysisCacheTest, IsNotWrittenWhenNothingIsNew) {
  keep({kText});
  auto inode = [&] { return fs::last_write_time(path_); };
  fs::last_write_time(path_, fs::file_time_type::clock::now() - std::chrono::hours(1));
  auto before = inode();
  keep({kText});
  EXPECT_EQ(inode(), before);
}

TEST_F(AnalysisCacheTest, UseOfAnOldFileShows) {
  keep({kText});
  fs::last_write_time(path_, fs::file_time_type::clock::now() - std::chrono::hours(24 * 20));
  EXPECT_TRUE(has(kText));
  EXPECT_GT(fs::last_write_time(path_), fs::file_time_type::clock::now() - std::chrono::hours(1));
}

TEST_F(AnalysisCacheTest, WhatWasOfNoUseGoes) {
  AnalysisCache::Limits limits{.bytes = 1 << 20, .age = 2};
  keep({"old = 1\n", "a = 0\n"}, {}, limits);
  for (int i = 1; i <= 2; ++i) keep({"a = 0\n", "a = " + std::to_string(i) + "\n"}, {}, limits);
  EXPECT_TRUE(has("old = 1\n"));
  keep({"a = 0\n", "a = 3\n"}, {}, limits);
  EXPECT_FALSE(has("old = 1\n"));
  EXPECT_TRUE(has("a = 0\n"));
  EXPECT_TRUE(has("a = 1\n"));
}

TEST_F(AnalysisCacheTest, TheFileHasALimitAndWhatIsInUseStays) {
  keep({"old = 1\n"});
  size_t one = file().size();
  AnalysisCache::Limits limits{.bytes = 3 * one, .age = 100};
  for (int i = 0; i < 20; ++i) {
    keep({"a = " + std::to_string(i) + "\n", "used = 1\n"}, {}, limits);
    EXPECT_LE(file().size(), limits.bytes);
    EXPECT_TRUE(has("used = 1\n"));
  }
  EXPECT_FALSE(has("old = 1\n"));
}

TEST_F(AnalysisCacheTest, AFileThatIsTooLargeIsNotRead) {
  keep({kText});
  EXPECT_FALSE(AnalysisCache(path_, "settings", {.bytes = file().size() - 1, .age = 1}).find(kText, {}));
}

TEST_F(AnalysisCacheTest, EveryFlippedByteAndEveryCutIsHarmless) {
  keep({kText, "a = 1\n"}, {.regions = true, .descriptions = true});
  std::string good = file();
  AnalysisOptions options{.regions = true, .descriptions = true};
  int found = 0;
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x55);
    write_file(bad);
    found += has(kText, options);  // compares, too
    write_file(good.substr(0, i));
    EXPECT_FALSE(has(kText, options));
  }
  EXPECT_GT(found, 0);  // when the other entry was hit
  write_file(good + "more");
  EXPECT_FALSE(has(kText, options));
  keep({kText}, options);
  EXPECT_TRUE(has(kText, options));
}

TEST_F(AnalysisCacheTest, BytesThatNobodyPackedAreRefused) {
  AnalysisOptions options{.conditions = true, .kernels = true, .regions = true, .descriptions = true};
  std::string good = pack_analysis(analyzed(kText, options), options);
  for (size_t i = 0; i < good.size(); ++i)
    for (int change : {0x01, 0x40, 0x80, 0xff}) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ change);
      SourceAnalysis source;
      unpack_analysis(bad, options, source);  // anything, but no crash
      EXPECT_FALSE(unpack_analysis(good.substr(0, i), options, source));
    }
}

TEST_F(AnalysisCacheTest, NoFolderNoCache) {
  path_ = folder_ / "not" / "there" / "some.analyses";
  keep({kText});
  EXPECT_FALSE(has(kText));
  path_ = folder_;  // a folder instead of a file
  keep({kText});
  EXPECT_FALSE(has(kText));
  EXPECT_EQ(n_files(), 0);
}

class CacheFolderTest : public AnalysisCacheTest {
 protected:
  CacheFolderTest() { setenv("QD_COV_CACHE_DIR", (folder_ / "cache").c_str(), 1); }
  ~CacheFolderTest() override { unsetenv("QD_COV_CACHE_DIR"); }
};

TEST_F(CacheFolderTest, IsMadeAndTagged) {
  fs::path path = analysis_cache_path("/some/project/.coverage");
  EXPECT_EQ(path.parent_path(), folder_ / "cache");
  EXPECT_TRUE(fs::exists(folder_ / "cache" / "CACHEDIR.TAG"));
  EXPECT_NE(path, analysis_cache_path("/some/other/.coverage"));
  EXPECT_EQ(path, analysis_cache_path("/some/project/tests/../.coverage"));
}

TEST_F(CacheFolderTest, FilesThatNobodyUsesGo) {
  fs::path path = analysis_cache_path("/some/project/.coverage");
  for (const char* name :
       {"a.analyses", "0123456789abcdef.analyses", "0123456789abcdef.analyses.1.tmp", "precious.txt"})
    std::ofstream(folder_ / "cache" / name) << "x";
  auto old = fs::file_time_type::clock::now() - std::chrono::hours(24 * 31);
  for (const char* name : {"0123456789abcdef.analyses", "0123456789abcdef.analyses.1.tmp", "precious.txt"})
    fs::last_write_time(folder_ / "cache" / name, old);
  analysis_cache_path("/some/project/.coverage");
  EXPECT_TRUE(fs::exists(folder_ / "cache" / "a.analyses"));
  EXPECT_TRUE(fs::exists(folder_ / "cache" / "precious.txt"));
  EXPECT_FALSE(fs::exists(folder_ / "cache" / "0123456789abcdef.analyses"));
  EXPECT_FALSE(fs::exists(folder_ / "cache" / "0123456789abcdef.analyses.1.tmp"));
}

TEST_F(CacheFolderTest, NoneWhereNoneCanBe) {
  std::ofstream(folder_ / "file") << "x";
  setenv("QD_COV_CACHE_DIR", (folder_ / "file").c_str(), 1);
  EXPECT_EQ(analysis_cache_path(".coverage"), "");
  setenv("QD_COV_CACHE_DIR", (folder_ / "file" / "cache").c_str(), 1);
  EXPECT_EQ(analysis_cache_path(".coverage"), "");
}

TEST(BuildId, IsThatOfTheLinker) { EXPECT_GE(build_id().size(), 8u); }

}  // namespace
}  // namespace qd::report
