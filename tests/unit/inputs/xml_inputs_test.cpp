// Clover's and JaCoCo's XML, with its unusual parts.
#include <gmock/gmock.h>

#include <filesystem>

#include "report/inputs/inputs.h"
#include "tests/unit/data/scratch_folder.h"
#include "tests/unit/inputs/input_samples.h"

namespace qd::report {
namespace {

using ::qd::testing::message_of;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class XmlInputs : public ::qd::testing::ScratchFolder {
 protected:
  CoverageData read_text(const std::string& text, const std::vector<std::string>& roots = {}) {
    write("in", text);
    return require_input(path("in"), {roots, {}});
  }
  /// The part of the message behind the path.
  std::string error_of(const std::string& text) {
    std::string message = message_of<DataError>([&] { read_text(text); });
    size_t found = message.find("' as ");
    return found == std::string::npos ? message : message.substr(found + 5);
  }
};

std::string clover(const std::string& lines, const std::string& path = "/a") {
  return "<coverage clover=\"4\"><project><file path=\"" + path + "\">" + lines + "</file></project></coverage>";
}
std::string jacoco(const std::string& in_package) {
  return "<report name=\"x\"><package name=\"p\">" + in_package + "</package></report>";
}

TEST_F(XmlInputs, CloverCountsWhatConditionsWere) {
  CoverageData data = read_text(testing::kClover);
  const ImportedFile& file = data.imported.at("/src/p/A.java");
  EXPECT_THAT(file.sources, ElementsAre("clover"));
  // One of the two statements of line 4 did not run; of line 5 only its conditions are known.
  EXPECT_THAT(file.lines, ElementsAre(ImportedLine{3, 2}, ImportedLine{4, 0}, ImportedLine{5, 2}));
  EXPECT_THAT(file.branches, ElementsAre(ImportedBranch{5, 0, 0, "true", 2}, ImportedBranch{5, 0, 1, "false", 0},
                                         ImportedBranch{5, 1, 0, "true", std::nullopt},
                                         ImportedBranch{5, 1, 1, "false", std::nullopt}));
  EXPECT_THAT(file.functions, ElementsAre(ImportedFunction{3, 0, "f(int)", 2}));
}

TEST_F(XmlInputs, IstanbulCountsBranches) {
  CoverageData data = read_text(testing::kIstanbul);
  const ImportedFile& file = data.imported.at("/src/a.js");
  EXPECT_THAT(file.lines, ElementsAre(ImportedLine{1, 1}, ImportedLine{2, 3}, ImportedLine{7, 0}));
  EXPECT_THAT(file.branches, ElementsAre(ImportedBranch{2, 0, 0, "", 1}, ImportedBranch{2, 0, 1, "", 0},
                                         ImportedBranch{2, 0, 2, "", 0}, ImportedBranch{2, 0, 3, "", 0}));
}

TEST_F(XmlInputs, PhpunitNamesNoVersion) {
  CoverageData data = read_text(testing::kPhpUnit);
  const ImportedFile& file = data.imported.at("/src/A.php");
  EXPECT_THAT(file.lines, ElementsAre(ImportedLine{5, 1}, ImportedLine{7, 1}, ImportedLine{9, 0}));
  EXPECT_THAT(file.functions, ElementsAre(ImportedFunction{5, 0, "f", 1}));
}

TEST_F(XmlInputs, AFileThatStandsTwiceAddsUp) {
  std::string file = "<file path=\"/a\"><line num=\"1\" type=\"stmt\" count=\"2\"/></file>";
  EXPECT_THAT(
      read_text("<coverage clover=\"4\"><project>" + file + file + "</project></coverage>").imported.at("/a").lines,
      ElementsAre(ImportedLine{1, 4}));
}

TEST_F(XmlInputs, DamagedCloverSaysWhere) {
  EXPECT_EQ(error_of("<coverage clover=\"4\"/>"), "Clover XML: there is no <project> in it");
  EXPECT_EQ(error_of("<coverage clover=\"4\">\n<line num=\"1\"/></coverage>"),
            "Clover XML: line 2: a <line> outside of a <file>");
  EXPECT_EQ(error_of(clover("<file name=\"b\"/>")), "Clover XML: line 1: a <file> within another");
  EXPECT_EQ(error_of(clover("<line num=\"x\" type=\"stmt\" count=\"1\"/>")),
            "Clover XML: line 1: 'x' is no line number");
  EXPECT_EQ(error_of(clover("<line num=\"1\" type=\"stmt\"/>")), "Clover XML: line 1: '' is no count");
  EXPECT_EQ(error_of(clover("<line num=\"1\" type=\"what\" count=\"1\"/>")),
            "Clover XML: line 1: 'what' is no type of a line");
  EXPECT_EQ(error_of(clover("<line num=\"1\" type=\"cond\" truecount=\"1\"/>")),
            "Clover XML: line 1: '' is no falsecount");
}

TEST_F(XmlInputs, JacocoAsItIsWritten) {
  CoverageData data = read_text(testing::kJacoco, {"/src"});
  const ImportedFile& file = data.imported.at("/src/com/example/A.java");
  EXPECT_THAT(file.sources, ElementsAre("jacoco"));
  EXPECT_THAT(file.lines, ElementsAre(ImportedLine{3, 1}, ImportedLine{4, 1}, ImportedLine{9, 0}));
  EXPECT_THAT(file.branches,
              ElementsAre(ImportedBranch{3, 0, 0, "", 1}, ImportedBranch{3, 0, 1, "", 0},
                          ImportedBranch{9, 0, 0, "", std::nullopt}, ImportedBranch{9, 0, 1, "", std::nullopt}));
  EXPECT_THAT(file.functions, ElementsAre(ImportedFunction{3, 0, "A.B.f", 1}, ImportedFunction{9, 0, "A.B.g", 0}));
}

TEST_F(XmlInputs, JacocoFindsPackagesUnderTheRoots) {
  std::string text =
      "<report name=\"x\"><group name=\"all\"><group name=\"m\"><package name=\"p\"><sourcefile name=\"A.java\"><line "
      "nr=\"1\" ci=\"1\"/></sourcefile></package></group></group></report>";
  write("all/m/src/main/java/p/A.java", "");
  write("src/test/java/p/A.java", "");
  write("other/p/A.java", "");
  std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(path(""));
  auto first = [&](const std::vector<std::string>& roots) { return read_text(text, roots).imported.begin()->first; };
  std::string in_module = first({}), named = first({"gone", "other"}), nowhere = first({"gone"});
  std::filesystem::remove_all(path("all"));
  std::string at_top = first({});
  std::filesystem::current_path(before);
  EXPECT_EQ(in_module, path("all/m/src/main/java/p/A.java"));
  EXPECT_EQ(at_top, path("src/test/java/p/A.java"));
  EXPECT_EQ(named, path("other/p/A.java"));
  EXPECT_EQ(nowhere, path("gone/p/A.java"));
}

TEST_F(XmlInputs, JacocoOfClassesWithoutLineNumbersIsOfNoFile) {
  EXPECT_THAT(read_text(jacoco("<class name=\"p/A\" sourcefilename=\"A.java\"><method name=\"f\"/></class><sourcefile "
                               "name=\"A.java\"/>"))
                  .imported,
              IsEmpty());
}

TEST_F(XmlInputs, DamagedJacocoSaysWhere) {
  EXPECT_EQ(error_of(jacoco("<line nr=\"1\"/>")), "JaCoCo XML: line 1: a <line> outside of a <sourcefile>");
  EXPECT_EQ(error_of("<report><sourcefile name=\"a\"/></report>"),
            "JaCoCo XML: line 1: a <sourcefile> outside of a <package>, or within another");
  EXPECT_EQ(error_of(jacoco("<package/>")), "JaCoCo XML: line 1: a <package> within another");
  EXPECT_EQ(error_of(jacoco("<method/>")), "JaCoCo XML: line 1: a <method> outside of a <class>");
  EXPECT_EQ(error_of(jacoco("<sourcefile name=\"a\"><line nr=\"x\"/></sourcefile>")),
            "JaCoCo XML: line 1: 'x' is no line number");
  EXPECT_EQ(error_of(jacoco("<sourcefile name=\"a\"><line nr=\"1\" mi=\"1\"/></sourcefile>")),
            "JaCoCo XML: line 1: '' is no count of 'ci'");
}

TEST_F(XmlInputs, NumbersOfBranchesThatCannotBeAreABranchThatWasNeverTaken) {
  auto of_jacoco = [](const std::string& branches) {
    return jacoco("<sourcefile name=\"a\"><line nr=\"1\" ci=\"1\" " + branches + "/></sourcefile>");
  };
  auto of_clover = [](const std::string& counts) {
    return clover("<line num=\"1\" type=\"cond\" count=\"1\" " + counts + "/>");
  };
  for (const std::string& text :
       {of_jacoco("mb=\"-1\" cb=\"2\""), of_jacoco("mb=\"1\" cb=\"-2\""), of_jacoco("mb=\"0\" cb=\"4000000000\""),
        of_jacoco("mb=\"99999999999999999999\" cb=\"1\""), of_jacoco("mb=\"0.5\" cb=\"1e9\""),
        of_clover("truecount=\"1\" falsecount=\"999999999\""), of_clover("truecount=\"-1\" falsecount=\"0\"")}) {
    const CoverageData data = read_text(text, {"/src"});
    EXPECT_THAT(data.imported.begin()->second.branches, ElementsAre(ImportedBranch{1, 0, 0, "", 0})) << text;
    EXPECT_THAT(data.damage, ::testing::HasSubstr("can be of no branches")) << text;
  }
}

TEST_F(XmlInputs, FilesWithoutANameAreLeftOut) {
  EXPECT_THAT(read_text(clover("<line num=\"1\" type=\"stmt\" count=\"1\"/>", "")).imported, IsEmpty());
  EXPECT_THAT(read_text(jacoco("<sourcefile><line nr=\"1\" ci=\"1\"/></sourcefile>")).imported, IsEmpty());
}

TEST_F(XmlInputs, BoundsHold) {
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += "<group>";
  EXPECT_EQ(error_of("<report>" + deep), "JaCoCo XML: line 1: its elements are nested too deep");
  EXPECT_EQ(error_of("<coverage clover=\"4\"><!--" + std::string(17u << 20, 'x') + "--></coverage>"),
            "Clover XML: line 1: a tag or comment is too long");
}

}  // namespace
}  // namespace qd::report
