#include "report/config/config.h"

#include <gmock/gmock.h>

#include "report/config/option_table.h"
#include "report/config/option_value.h"
#include "tests/unit/data/scratch_folder.h"

namespace qd::report {
namespace {

using ::qd::testing::message_of;
using ::testing::ElementsAre;
using ::testing::StartsWith;

class ReadConfig : public ::qd::testing::ScratchFolder {
 protected:
  void SetUp() override {
    ScratchFolder::SetUp();
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(path(""));
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    ScratchFolder::TearDown();
  }
  Config config(std::optional<std::string> rcfile = {}) {
    return read_config(rcfile, [this](const std::string& message) { warnings_.push_back(message); });
  }
  std::string error(std::optional<std::string> rcfile = {}) {
    return message_of<ConfigError>([&] { config(rcfile); });
  }

  std::vector<std::string> warnings_;

 private:
  std::filesystem::path before_;
};

TEST_F(ReadConfig, AnEmptyCoveragercHidesAllOthers) {
  write("setup.cfg", "[coverage:run]\nbranch = yes\n");
  EXPECT_TRUE(config().branch);
  write(".coveragerc", "");
  EXPECT_FALSE(config().branch);
}

TEST_F(ReadConfig, OtherFilesCountOnlyWithSettings) {
  write("setup.cfg", "[run]\nbranch = yes\n");  // not for coverage: there is no prefix
  write("tox.ini", "[coverage:run]\nparallel = on\n");
  write("pyproject.toml", "[tool.coverage.run]\nbranch = true\n");
  EXPECT_FALSE(config().branch);
  EXPECT_TRUE(config().parallel);
  EXPECT_EQ(config().config_file, path("tox.ini"));
}

TEST_F(ReadConfig, ANamedFileMustBeThere) {
  EXPECT_EQ(error("nope.cfg"), "Couldn't read 'nope.cfg' as a config file");
  EXPECT_EQ(config(".coveragerc").config_file, "");  // the default name is not "named"
}

TEST_F(ReadConfig, PatternsAreAddedToTheDefaults) {
  write(".coveragerc", "[report]\nexclude_also =\n    raise, really\n    if x:\npartial_branches = a\n");
  EXPECT_THAT(config().exclusions.exclude, ::testing::SizeIs(5));
  EXPECT_EQ(config().exclusions.exclude[3], "raise, really");
  EXPECT_THAT(config().exclusions.partial, ElementsAre("a"));
}

TEST_F(ReadConfig, PathsKeepTheOrderOfATomlFile) {
  write("pyproject.toml", "[tool.coverage.paths]\nzebra = ['z', '/z']\nape = ['a', '/a']\n");
  ASSERT_EQ(config().paths.size(), 2u);
  EXPECT_EQ(config().paths[0].first, "zebra");
}

TEST_F(ReadConfig, UnknownOptionsAreNamed) {
  write(".coveragerc", "[coverage:run]\nbranhc = 1\n");
  config();
  EXPECT_THAT(warnings_, ElementsAre("Unrecognized option '[coverage:run] branhc=' in config file .coveragerc"));
}

TEST_F(ReadConfig, ErrorsNameTheFile) {
  write(".coveragerc", "[run]\nbranch = maybe\n");
  EXPECT_EQ(error(), "Couldn't read config file .coveragerc: Not a boolean: maybe");
  write(".coveragerc", "[run]\nbranch\n");
  EXPECT_EQ(error(),
            "Couldn't read config file .coveragerc: Source contains parsing errors: '.coveragerc'\n\t[line  2]: "
            "'branch\\n'");
  write(".coveragerc", "[run]\ndata_file = ${QD_NO_SUCH?}\n");
  EXPECT_EQ(error(), "Variable QD_NO_SUCH is undefined: '${QD_NO_SUCH?}'");
  write(".coveragerc", "[run]\nconcurrency = gevent, greenlet\n");
  EXPECT_EQ(error(), "Conflicting concurrency settings: gevent, greenlet");
}

TEST_F(ReadConfig, OurOwnSectionMayStandInAnotherFile) {
  write(".coveragerc", "[run]\nbranch = true\n");
  write("pyproject.toml", "[tool.qd-cov]\nconditions = true\nfail_under_conditions = 92.1\nfail_under_mcdc = '50'\n");
  Config read = config();
  EXPECT_TRUE(read.branch);
  EXPECT_TRUE(read.conditions);
  EXPECT_EQ(read.gates.fail_under_conditions, "92.1");
  EXPECT_EQ(read.gates.fail_under_mcdc, "50");
  EXPECT_EQ(read.own.at("fail_under_mcdc").file, "pyproject.toml");
  write(".coveragerc", "[run]\nbranch = true\n[qd-cov]\nfail_under_conditions = 80\n");
  EXPECT_EQ(error(), "Settings of qd-cov stand in .coveragerc and in pyproject.toml: keep them in one of these files");
  write("named.ini", "[qd-cov]\nfail_under_conditions = 70\n");
  EXPECT_EQ(config("named.ini").gates.fail_under_conditions, "70");
  write("pyproject.toml", "[tool.coverage]\n");
  EXPECT_FALSE(config().conditions);
  EXPECT_EQ(config().gates.fail_under_conditions, "80");
  write(".coveragerc", "[qd-cov]\nconditions = maybe\n");
  EXPECT_EQ(error(), "Couldn't read config file .coveragerc: Option [qd-cov]conditions is not a boolean: 'maybe'");
  write(".coveragerc", "");
  write("pyproject.toml", "[tool.pytest\n");
  EXPECT_FALSE(config().conditions);  // coverage.py does not look at this file, and it is not about us
  write("pyproject.toml", "[tool.qd-cov\n");
  EXPECT_THAT(error(), StartsWith("Couldn't read config file pyproject.toml: "));
}

TEST(SubstituteVariables, KnowsCoveragePysForms) {
  setenv("QD_TEST_X", "value", 1);
  unsetenv("QD_TEST_NONE");
  EXPECT_EQ(substitute_variables("$QD_TEST_X/${QD_TEST_X}$$"), "value/value$");
  EXPECT_EQ(substitute_variables("[${QD_TEST_NONE-or this}|$QD_TEST_NONE|${QD_TEST_X-}]"), "[or this||value]");
  EXPECT_EQ(substitute_variables("a$ ${ ${QD_TEST_X ${}"), "a$ ${ ${QD_TEST_X ${}");
}

TEST(SetOption, TakesValuesAsTheyAre) {
  setenv("QD_TEST_X", "value", 1);
  Config config;
  set_option(config, "report:exclude_lines",
             {std::vector<ConfigValue>{{std::string("^$QD_TEST_X$")}, {std::string("$${QD_TEST_X}")}}});
  EXPECT_THAT(config.exclusions.exclude, ElementsAre("^$QD_TEST_X$", "$${QD_TEST_X}"));
  set_option(config, "html:title", {std::string("for $QD_TEST_X")});
  EXPECT_EQ(config.html_title, "for $QD_TEST_X");
  set_option(config, "report:fail_under", {int64_t{7}});
  EXPECT_EQ(config.gates.fail_under, 7);
  set_option(config, "run:plugins", {std::vector<ConfigValue>()});
  EXPECT_TRUE(config.plugins.empty());
  EXPECT_EQ(message_of<ConfigError>([&] { set_option(config, "report:precision", {std::string("two")}); }),
            "A plugin set what can't be used: Option [report]precision couldn't convert to an integer: 'two'");
}

}  // namespace
}  // namespace qd::report
