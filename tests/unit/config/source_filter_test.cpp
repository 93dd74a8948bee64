#include "report/config/source_filter.h"

#include <gmock/gmock.h>

#include "tests/unit/data/scratch_folder.h"

namespace qd::report {
namespace {

class SourceFilterTest : public ::qd::testing::ScratchFolder {
 protected:
  Config config_;
};

TEST_F(SourceFilterTest, WithoutASourceInstalledCodeIsLeftOut) {
  SourceFilter filter(config_);
  EXPECT_TRUE(filter.measures(path("sim.py")));
  EXPECT_FALSE(filter.measures(path(".venv/lib/python3.11/site-packages/x.py")));
  EXPECT_FALSE(filter.measures("/usr/lib/python3.11/random.py"));
  EXPECT_TRUE(filter.measures("/usr/lib/python3.x/random.py"));
  config_.cover_pylib = true;
  EXPECT_TRUE(SourceFilter(config_).measures("/usr/lib/python3.11/random.py"));
}

TEST_F(SourceFilterTest, AFolderHoldsItsTreeAndNoNamesake) {
  write("pk/a.py", "");
  config_.source = {path("pk")};
  SourceFilter filter(config_);
  EXPECT_TRUE(filter.measures(path("pk/deep/a.py")));
  EXPECT_FALSE(filter.measures(path("pk2/a.py")));
  EXPECT_FALSE(filter.measures(path("pk/.venv/lib/python3.11/site-packages/x.py")));
}

TEST_F(SourceFilterTest, APackageIsKnownByItsFolders) {
  write("deep/pk/__init__.py", "");
  write("deep/pk/sub/__init__.py", "");
  config_.source_pkgs = {"pk.sub"};
  SourceFilter filter(config_);
  EXPECT_TRUE(filter.measures(path("deep/pk/sub/a.py")));
  EXPECT_TRUE(filter.measures(path("deep/pk/sub/__init__.py")));
  EXPECT_FALSE(filter.measures(path("deep/pk/a.py")));
  EXPECT_FALSE(filter.measures(path("pk/sub/a.py"))) << "there is no __init__.py";
}

TEST_F(SourceFilterTest, IncludeCountsOnlyWithoutASourceAndOmitAlways) {
  write("pk/a.py", "");
  config_.run_include = {"*/other/*"};
  config_.run_omit = {"*/x.py"};
  EXPECT_TRUE(SourceFilter(config_).measures(path("other/a.py")));
  EXPECT_FALSE(SourceFilter(config_).measures(path("other/x.py")));
  EXPECT_FALSE(SourceFilter(config_).measures(path("pk/a.py")));
  config_.source = {path("pk")};
  EXPECT_FALSE(SourceFilter(config_).measures(path("other/a.py")));
  EXPECT_TRUE(SourceFilter(config_).measures(path("pk/a.py")));
}

}  // namespace
}  // namespace qd::report
