// Every setting of the table of our own, in every kind of file: accepted and refused values.
#include "report/config/own_options.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "report/config/config.h"
#include "report/config/config_file.h"
#include "report/config/lowered_settings.h"
#include "tests/unit/data/scratch_folder.h"

namespace qd::report {
namespace {

using ::qd::testing::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;

struct Form {
  const char* file;
  const char* own;   // the line before the settings
  const char* diff;  // the same of those of diff
  bool is_toml;
};
constexpr Form kForms[] = {{"pyproject.toml", "[tool.qd-cov]\n", "[tool.qd-cov.diff]\n", true},
                           {"qd-cov.toml", "", "[diff]\n", true},
                           {".coveragerc.toml", "[tool.qd-cov]\n", "[tool.qd-cov.diff]\n", true},
                           {".coveragerc", "[qd-cov]\n", "[qd-cov:diff]\n", false},
                           {"setup.cfg", "[qd-cov]\n", "[qd-cov:diff]\n", false},
                           {"tox.ini", "[qd-cov]\n", "[qd-cov:diff]\n", false}};

class OwnOptions : public ::qd::testing::ScratchFolder {
 protected:
  void SetUp() override {
    ScratchFolder::SetUp();
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(path(""));
    unsetenv("QD_NONE");
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    ScratchFolder::TearDown();
  }

  /// Reads a file with one line in the option's section.
  Config read(const Form& form, const OwnOption& option, const std::string& line) {
    write(form.file, std::string(*option.section ? form.diff : form.own) + line + "\n");
    Config config = read_config({}, [](const std::string& message) { ADD_FAILURE() << message; });
    std::filesystem::remove(form.file);
    return config;
  }
  std::string error(const Form& form, const OwnOption& option, const std::string& line) {
    std::string message = message_of<ConfigError>([&] { read(form, option, line); });
    std::filesystem::remove(form.file);
    return message;
  }

 private:
  std::filesystem::path before_;
};

/// A value as TOML and as INI have it.
std::pair<std::string, StringList> good_value(const OwnOption& option, bool is_toml) {
  const bool is_version = option.name == std::string("coverage_version");
  switch (option.kind) {
    case OwnKind::Flag: return {"true", {"true"}};
    case OwnKind::Text: {
      const std::string text = is_version ? "7.4" : "fail";
      return {is_toml ? "\"" + text + "\"" : text, {text}};
    }
    case OwnKind::Texts:
    case OwnKind::List: return {is_toml ? "[\"a\", \"b\"]" : "a, b", {"a", "b"}};
    case OwnKind::Number: return {"90.5", {"90.5"}};
    case OwnKind::Numbers: return {is_toml ? "[90, \"a=95\"]" : "90, a = 95", {"90", "a=95"}};
  }
  return {};
}

StringList bad_values(const OwnOption& option, bool is_toml) {
  StringList bad = {is_toml ? "\"${QD_NONE}\"" : "${QD_NONE}", is_toml ? "\"$QD_NONE\"" : "$QD_NONE"};
  const bool is_list = option.kind == OwnKind::Texts || option.kind == OwnKind::List;
  if (!is_list || option.is_gate()) bad.push_back(is_toml ? "\"\"" : "");
  if (option.is_gate() && (is_toml || is_list || option.kind == OwnKind::Numbers)) bad.push_back(is_toml ? "[]" : ",");
  if (!is_toml) {
    if (option.kind == OwnKind::Flag) bad.insert(bad.end(), {"maybe", "2"});
    return bad;
  }
  bad.insert(bad.end(), {"1979-05-27", "{a = {b = 1}}"});
  if (option.kind != OwnKind::Numbers) bad.insert(bad.end(), {"{a = 1}", "[1]", "[{a = 1}]"});
  if (option.kind != OwnKind::Flag) bad.push_back("true");
  if (option.kind != OwnKind::Number && option.kind != OwnKind::Numbers) bad.insert(bad.end(), {"1", "90.5", "nan"});
  return bad;
}

TEST_F(OwnOptions, AreTakenFromEveryFile) {
  for (const Form& form : kForms)
    for (const OwnOption& option : own_options()) {
      const auto [text, values] = good_value(option, form.is_toml);
      const Config config = read(form, option, fmt::format("{} = {}", option.name, text));
      ASSERT_TRUE(config.own.contains(option.key())) << form.file << option.key();
      EXPECT_EQ(config.own.at(option.key()).values, values) << form.file << option.key();
      EXPECT_EQ(config.own.at(option.key()).file, form.file);
    }
}

TEST_F(OwnOptions, RefuseValuesOfAnotherKind) {
  for (const Form& form : kForms)
    for (const OwnOption& option : own_options())
      for (const std::string& value : bad_values(option, form.is_toml))
        EXPECT_THAT(error(form, option, fmt::format("{} = {}", option.name, value)),
                    AllOf(HasSubstr(form.file), HasSubstr(option.name)))
            << value;
}

TEST_F(OwnOptions, AreNotMistyped) {
  for (const Form& form : kForms)
    for (const OwnOption& option : own_options()) {
      const std::string name = option.name;
      std::string dashes = name, without = name;
      std::replace(dashes.begin(), dashes.end(), '_', '-');
      std::erase(without, '_');
      for (const std::string& typed : {dashes, without, name + "s", name.substr(0, name.size() - 1), "un" + name}) {
        if (typed == name || find_own_option(option.section, typed)) continue;
        EXPECT_THAT(error(form, option, fmt::format("{} = {}", typed, good_value(option, form.is_toml).first)),
                    AllOf(HasSubstr("Unrecognized option"), HasSubstr(form.file), HasSubstr(typed + "=")));
      }
    }
}

TEST_F(OwnOptions, BelongToOneSection) {
  for (const Form& form : kForms)
    for (const OwnOption& option : own_options()) {
      const OwnOption elsewhere{*option.section ? "" : "diff", option.name, option.kind, option.set};
      if (find_own_option(elsewhere.section, option.name)) continue;
      EXPECT_THAT(error(form, elsewhere, fmt::format("{} = {}", option.name, good_value(option, form.is_toml).first)),
                  AllOf(HasSubstr("Unrecognized option"), HasSubstr(form.file)));
    }
}

/// Two values of a setting with a role, of which the first asks for more. Empty: not there.
std::pair<std::string, std::string> more_and_less(const OwnOption& option) {
  switch (option.role) {
    case OwnRole::None: return {};
    case OwnRole::Least: return {"90", "80.5"};
    case OwnRole::Most: return {"3", "20"};
    case OwnRole::Wanted:
      return option.kind == OwnKind::Flag ? std::pair("true", "false") : std::pair("['cpu', 'vulkan']", "['cpu']");
    case OwnRole::Shares: return {"[90, 'a=95', 'b=3']", "[90, 'a=94', 'b=3']"};
    case OwnRole::NoData: return {"'fail'", "'warn'"};
    case OwnRole::Lines: return {"'statement'", "'exact'"};
    case OwnRole::Compared: return {"'a'", "'b'"};
    case OwnRole::Narrowing: return {"['a', 'b']", "['a']"};
    case OwnRole::Loosening:
      return option.kind == OwnKind::Flag     ? std::pair("false", "true")
             : option.kind == OwnKind::Number ? std::pair("9", "10")
                                              : std::pair("['a']", "['a', 'b']");
  }
  return {};
}

TEST_F(OwnOptions, AreToldWhenTheyAskForLess) {
  const Form& form = kForms[0];
  auto config = [&](const OwnOption& option, const std::string& value) {
    return read(form, option, value.empty() ? "" : fmt::format("{} = {}", option.name, value));
  };
  for (const OwnOption& option : own_options()) {
    if (option.role == OwnRole::None) continue;
    const auto [more, less] = more_and_less(option);
    const Config before = config(option, more), now = config(option, less), none = config(option, "");
    EXPECT_THAT(lowered_settings(before, now), ::testing::ElementsAre(HasSubstr(option.name)));
    EXPECT_EQ(lowered_settings(now, now), StringList{});
    if (option.role == OwnRole::Compared) continue;
    EXPECT_EQ(lowered_settings(now, before), StringList{}) << option.name;
    if (!option.is_gate()) continue;
    EXPECT_THAT(lowered_settings(before, none), ::testing::Contains(HasSubstr(option.name)));
    EXPECT_EQ(lowered_settings(none, before), StringList{}) << option.name;
  }
}

TEST(TakeGates, ExclusionsAreThoseOfTheBase) {
  const Config base;
  Config now;
  now.exclusions.exclude = {"all"};
  now.exclusions.throw_branches = true;
  take_gates(now, base);
  EXPECT_EQ(now.exclusions.exclude, base.exclusions.exclude);
  EXPECT_FALSE(now.exclusions.throw_branches);
}

TEST(DeepToml, CountsWhatNests) {
  EXPECT_EQ(line_of_deep_toml("a.b = [1.5, 2.5]\n[x.y]\nc = {d = '...[[['}\n"), std::nullopt);
  std::string wide;
  for (int i = 0; i < 500; ++i) wide += "[a.b.c]\nx.y = [1.5, {z.w = 1.5}, [1.5]] # [[[[\ns = \"\"\"[[\\\"\"\"\"\"\n";
  EXPECT_EQ(line_of_deep_toml(wide), std::nullopt);
  std::string parts = "a", lists = "x = ";
  for (int i = 1; i < kDeepestToml; ++i) parts += ".a";
  EXPECT_EQ(line_of_deep_toml("\n[" + parts + "]\n"), std::nullopt);
  EXPECT_EQ(line_of_deep_toml("\n[" + parts + ".a]\n"), 2);
  EXPECT_EQ(line_of_deep_toml("\n[" + parts + "]\n\nx = 1\nx.y = 1\n"), 5);
  for (int i = 0; i <= kDeepestToml; ++i) lists += "[\n";
  EXPECT_EQ(line_of_deep_toml(lists), kDeepestToml + 1);
}

}  // namespace
}  // namespace qd::report
