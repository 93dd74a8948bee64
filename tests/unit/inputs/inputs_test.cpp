// Reports of other tools, with their unusual parts.
#include "report/inputs/inputs.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include <limits>

#include "report/inputs/input_file.h"
#include "tests/unit/data/scratch_folder.h"
#include "tests/unit/inputs/input_samples.h"

namespace qd::report {
namespace {

using ::qd::testing::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class Inputs : public ::qd::testing::ScratchFolder {
 protected:
  CoverageData read_text(const std::string& text) {
    write("in", text);
    return require_input(path("in"));
  }
  /// The message without the path.
  std::string error_of(const std::string& text) {
    std::string message = message_of<DataError>([&] { read_text(text); });
    size_t found = message.find(path("in"));
    return found == std::string::npos ? message : message.replace(found, path("in").size(), "in");
  }
};

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  size_t found = text.find(what);
  return found == std::string::npos ? "not found: " + what : text.replace(found, what.size(), with);
}

TEST_F(Inputs, LcovAsItIsWritten) {
  CoverageData data = read_text(testing::kLcov);
  ASSERT_EQ(data.imported.size(), 1u);
  const ImportedFile& file = data.imported.at("/src/a.cpp");
  EXPECT_THAT(file.sources, ElementsAre("lcov"));
  EXPECT_THAT(file.lines,
              ElementsAre(ImportedLine{3, 4}, ImportedLine{4, 4}, ImportedLine{5, 0}, ImportedLine{12, 1000}));
  EXPECT_THAT(file.branches, ElementsAre(ImportedBranch{4, 0, 0, "", 4}, ImportedBranch{4, 0, 1, "", 0},
                                         ImportedBranch{5, 1, 0, "exception jump to line 7, or not", std::nullopt}));
  EXPECT_THAT(file.functions, ElementsAre(ImportedFunction{3, 9, "f", 4}, ImportedFunction{12, 0, "g<int, long>", 0}));
}

// lcov --summary gives 1 of 1 line for this file, and `lcov -a` writes LF:1.
TEST_F(Inputs, LcovWhoseTotalsContradictItsLines) {
  CoverageData data = read_text("SF:/src/a.cpp\nDA:1,1\nLF:3\nLH:2\nBRF:4\nBRH:4\nFNF:2\nFNH:2\nend_of_record\n");
  EXPECT_THAT(data.imported.at("/src/a.cpp").lines, ElementsAre(ImportedLine{1, 1}));
  EXPECT_THAT(data.imported.at("/src/a.cpp").branches, ElementsAre());
}

TEST_F(Inputs, LcovThatWindowsWrote) {
  std::string text = "\xEF\xBB\xBF";
  for (char c : std::string("SF:C:\\work\\a.cpp\nDA:1,1\nend_of_record\nSF:\\\\server\\b.cpp\nDA:1,1\nend_of_record\n"))
    text += c == '\n' ? "\r\n" : std::string(1, c);
  CoverageData data = read_text(text);
  EXPECT_THAT(data.imported,
              ElementsAre(Pair("C:\\work\\a.cpp", ::testing::_), Pair("\\\\server\\b.cpp", ::testing::_)));
  EXPECT_EQ(data.imported.at("C:\\work\\a.cpp").hits(1), 1u);
}

TEST_F(Inputs, LcovWithBlanksAroundLinesAndFields) {
  std::string plain = testing::kLcov, blank = "\xEF\xBB\xBF \n\t\r\n";
  for (char c : plain) blank += c == '\n' ? "\t \r\n" : std::string(1, c);
  blank = replaced(replaced(blank, "DA:4,4", "  DA: 4 , 4"), "BRDA:4,0,1,0", "BRDA:4 ,0,1, 0 ");
  EXPECT_EQ(read_text(blank).imported, read_text(plain).imported);
}

TEST_F(Inputs, LcovWithAFileInSeveralRecords) {
  CoverageData data = read_text(
      "SF:/a\nFN:1,f\nFNDA:1,f\nDA:1,1\nDA:2,0\nend_of_record\nTN:\nSF:/b\nDA:1,1\nend_of_record\nSF:/"
      "a\nFNDA:2,f\nFN:1,f\nDA:1,5\nDA:3,1\nend_of_record\n");
  EXPECT_THAT(data.imported.at("/a").lines, ElementsAre(ImportedLine{1, 6}, ImportedLine{2, 0}, ImportedLine{3, 1}));
  EXPECT_THAT(data.imported.at("/a").functions, ElementsAre(ImportedFunction{1, 0, "f", 3}));
}

TEST_F(Inputs, LcovOfVersion22) {
  CoverageData data = read_text(
      "SF:/"
      "a\nFNL:0,3,9\nFNA:0,2,f<int>\nFNA:0,1,f<long>\nFNL:1,12\nFNA:1,0,g\nBRDA:4,e0,0,0\nMCDC:1,2,t,1,0,x\nDA:3,-"
      "5\nend_of_record\n");
  const ImportedFile& file = data.imported.at("/a");
  EXPECT_THAT(file.functions, ElementsAre(ImportedFunction{3, 9, "f<int>", 2}, ImportedFunction{3, 9, "f<long>", 1},
                                          ImportedFunction{12, 0, "g", 0}));
  EXPECT_THAT(file.branches, ElementsAre(ImportedBranch{4, 0, 0, "exception", 0}));
  EXPECT_THAT(file.lines, ElementsAre(ImportedLine{3, 0}, ImportedLine{4, 0}));
}

TEST_F(Inputs, LcovOfCodeWithoutALine) {
  CoverageData data =
      read_text("SF:/a\nFN:0,f\nFNDA:1,f\nFN:2,g\nFNDA:3,g\nFNL:0,0\nFNA:0,1,h\nDA:0,1\nDA:2,3\nend_of_record\n");
  EXPECT_THAT(data.imported.at("/a").functions, ElementsAre(ImportedFunction{2, 0, "g", 3}));
  EXPECT_THAT(data.imported.at("/a").lines, ElementsAre(ImportedLine{2, 3}));
}

TEST_F(Inputs, RelativePathsAreFromTheCurrentFolder) {
  CoverageData data = read_text("SF:sub\\..\\a b.cpp\nDA:1,1\nend_of_record\n");
  EXPECT_EQ(data.imported.begin()->first, (std::filesystem::canonical(".") / "a b.cpp").string());
}

TEST_F(Inputs, DamagedLcovSaysWhere) {
  EXPECT_EQ(error_of("SF:/a\nDA:1,1\n"),
            "Couldn't read 'in' as LCOV: line 2: the file ends within a record: 'end_of_record' is missing");
  EXPECT_EQ(error_of("SF:/a\nDA:x,1\nend_of_record\n"), "Couldn't read 'in' as LCOV: line 2: 'x' is no number");
  EXPECT_EQ(error_of("SF:/a\nDA:1,1.5x\nend_of_record\n"), "Couldn't read 'in' as LCOV: line 2: '1.5x' is no count");
  EXPECT_EQ(error_of("SF:/a\nDA:1\nend_of_record\n"), "Couldn't read 'in' as LCOV: line 2: a field is missing");
  EXPECT_EQ(error_of("TN:\nDA:1,1\n"),
            "Couldn't read 'in' as LCOV: line 2: this record belongs to a file, and there is no 'SF' before it");
  EXPECT_EQ(error_of("SF:/a\nSF:/b\n"),
            "Couldn't read 'in' as LCOV: line 2: 'SF' within a record: 'end_of_record' is missing before it");
  EXPECT_EQ(error_of("SF:/a\nhello\n"), "Couldn't read 'in' as LCOV: line 2: 'hello' is no record");
}

TEST_F(Inputs, LcovRecordsOfNoLineAreLeftOut) {
  const std::string good = "SF:/a\nFN:1,f\nFNDA:1,f\nBRDA:1,0,0,1\nDA:1,1\nDA:2,0\n", end = "end_of_record\n";
  const auto expected = read_text(good + end).imported;
  for (const char* odd : {"DA:-1,1", "DA:10000001,1", "DA:99999999999999999999,0", "FN:-1,g\nFNDA:3,g", "FNDA:1,g",
                          "BRDA:-5,0,0,-", "BRDA:16707566,4294967295,0,1", "FNL:0,-7\nFNA:0,1,g", "FNA:0,1,g"}) {
    const CoverageData data = read_text(good + odd + "\n" + end);
    EXPECT_EQ(data.imported, expected) << odd;
    EXPECT_THAT(data.damage,
                ::testing::StartsWith("1 record of '" + path("in") + "' is of no line and was left out: line "))
        << odd;
  }
  const CoverageData data = read_text(good + "DA:-1,1\nDA:-2,1\nDA:0,7\n" + end + "SF:\nDA:1,1\n" + end);
  EXPECT_EQ(data.imported, expected);
  EXPECT_EQ(data.damage, "3 records of '" + path("in") +
                             "' are of no line and were left out, the first: line 7: '-1' can be no line");
}

TEST_F(Inputs, CoberturaAsItIsWritten) {
  CoverageData data = read_text(testing::kCobertura);
  const ImportedFile& file = data.imported.at("/src/sub/a.cpp");
  EXPECT_THAT(file.lines, ElementsAre(ImportedLine{3, 4}, ImportedLine{4, 4}, ImportedLine{5, 0}, ImportedLine{9, 1}));
  EXPECT_THAT(file.branches,
              ElementsAre(ImportedBranch{4, 0, 0, "", 1}, ImportedBranch{4, 0, 1, "", 0},
                          ImportedBranch{5, 0, 0, "", std::nullopt}, ImportedBranch{5, 0, 1, "", std::nullopt},
                          ImportedBranch{5, 0, 2, "", std::nullopt}));
  EXPECT_THAT(file.functions, ElementsAre(ImportedFunction{3, 9, "f(int)", 4}));
}

TEST_F(Inputs, CoberturaFindsItsFilesUnderTheSources) {
  write("one/x.cpp", "");
  write("two/y.cpp", "");
  auto xml = [&](const std::string& name) {
    return "<coverage><sources><source>" + path("one") + "</source><source>" + path("two") +
           "</source></sources><packages><package><classes><class filename=\"" + name +
           "\"><lines><line number=\"1\" hits=\"1\"/></lines></class></classes></package></packages></coverage>";
  };
  EXPECT_EQ(read_text(xml("x.cpp")).imported.begin()->first, path("one/x.cpp"));
  EXPECT_EQ(read_text(xml("y.cpp")).imported.begin()->first, path("two/y.cpp"));
  EXPECT_EQ(read_text(xml("gone.cpp")).imported.begin()->first, path("one/gone.cpp"));
  EXPECT_EQ(read_text(xml("/abs/x.cpp")).imported.begin()->first, "/abs/x.cpp");
  EXPECT_EQ(read_text(xml("C:\\x.cpp")).imported.begin()->first, "C:\\x.cpp");
  write("two/x.cpp", "");  // it does not say which
  const CoverageData data = read_text(xml("x.cpp"));
  EXPECT_THAT(data.imported, ::testing::IsEmpty());
  EXPECT_THAT(data.ambiguous, ElementsAre(AmbiguousName{path("in"), "x.cpp", {path("one/x.cpp"), path("two/x.cpp")}}));
}

TEST_F(Inputs, CoberturaOfAnotherMachineIsOfTheCurrentFolder) {
  write("x.cpp", "");
  std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(path(""));
  CoverageData data = read_text(
      "<coverage><sources><source>/gone</source></sources><packages><class filename=\"x.cpp\"><line number=\"1\" "
      "hits=\"1\"/></class></packages></coverage>");
  std::filesystem::current_path(before);
  EXPECT_THAT(data.imported, ElementsAre(Pair(path("x.cpp"), ::testing::_)));
}

TEST_F(Inputs, CoberturaRefusesEntities) {
  std::string laughs =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE coverage [\n<!ENTITY a \"ha\">\n<!ENTITY b "
      "\"&a;&a;&a;&a;&a;&a;&a;&a;\">\n]>\n<coverage><packages>&b;</packages></coverage>";
  EXPECT_EQ(error_of(laughs), "Couldn't read 'in' as XML: line 3: it declares an entity, which no report needs");
  write("secret", "secret");
  std::string outside = "<?xml version=\"1.0\"?>\n<!DOCTYPE coverage [<!ENTITY x SYSTEM \"file://" + path("secret") +
                        "\">]>\n<coverage><packages>&x;</packages></coverage>";
  EXPECT_EQ(error_of(outside), "Couldn't read 'in' as XML: line 2: it declares an entity, which no report needs");
}

TEST_F(Inputs, DamagedCoberturaSaysWhere) {
  std::string text = testing::kCobertura;
  EXPECT_EQ(error_of(text.substr(0, text.size() - 20)), "Couldn't read 'in' as Cobertura XML: line 14: unclosed token");
  EXPECT_EQ(
      error_of("<html/>"),
      "Couldn't read 'in' as XML: line 1: its root is <html>, not <coverage> (Cobertura, Clover) or <report> (JaCoCo)");
  EXPECT_EQ(error_of("<coverage/>"), "Couldn't read 'in' as Cobertura XML: there is no <packages> in it");
  EXPECT_EQ(error_of(replaced(text, "number=\"4\"", "number=\"four\"")),
            "Couldn't read 'in' as Cobertura XML: line 10: 'four' is no line number");
  EXPECT_EQ(error_of(replaced(text, "hits=\"0\"", "")),
            "Couldn't read 'in' as Cobertura XML: line 11: '' is no number of hits");
  EXPECT_EQ(error_of(replaced(text, "(1/2)", "(x/2)")),
            "Couldn't read 'in' as Cobertura XML: line 10: '50% (x/2)' is no condition-coverage");
  EXPECT_EQ(error_of("<coverage><packages><class filename=\"a\"><method name=\"f\">\n<class filename=\"b\">"),
            "Couldn't read 'in' as Cobertura XML: line 2: a <class> within another");
  EXPECT_EQ(error_of("<coverage><packages><method name=\"f\"/>"),
            "Couldn't read 'in' as Cobertura XML: line 1: a <method> outside of a <class>");
}

TEST_F(Inputs, GcovAsItIsWritten) {
  CoverageData data = read_text(testing::kGcov);
  const ImportedFile& file = data.imported.at("/src/sub/a.cpp");
  EXPECT_THAT(file.sources, ElementsAre("gcov 12.2.0"));
  EXPECT_THAT(file.lines, ElementsAre(ImportedLine{3, 2}, ImportedLine{4, 2}));  // the instances of a template added up
  ASSERT_EQ(file.branches.size(), 2u);
  EXPECT_EQ(file.branches[0].taken, 2u);
  EXPECT_EQ(file.branches[1].taken, 0u);
  EXPECT_EQ(file.branches[1].text, "exception");
  EXPECT_THAT(file.functions, ElementsAre(ImportedFunction{3, 5, "void f<int>(int)", 2, {{3, 2}, {4, 2}}},
                                          ImportedFunction{3, 5, "void f<long>(long)", 0, {{3, 0}, {4, 0}}}));
}

TEST_F(Inputs, JsonDocumentsOneAfterTheOther) {
  CoverageData data =
      read_text(std::string(testing::kGcov) + "\n\n" + testing::kGcov + replaced(testing::kGcov, "sub/a", "sub/b"));
  EXPECT_EQ(data.imported.at("/src/sub/a.cpp").hits(3), 4u);
  EXPECT_EQ(data.imported.at("/src/sub/b.cpp").hits(3), 2u);
}

TEST_F(Inputs, FunctionsOnOneLineKeepTheirBranches) {
  std::string text = replaced(testing::kGcov, "\"function_name\": \"_Z1fIlEvT_\"},\n  {\"branches\": [], \"count\": 7",
                              "\"function_name\": \"_Z1g\"},\n  {\"branches\": [], \"count\": 7");
  text = replaced(text, "\"functions\": [",
                  "\"functions\": [{\"start_line\": 4, \"start_column\": 9, \"end_line\": 4, \"name\": \"_Z1g\", "
                  "\"execution_count\": 0, \"demangled_name\": \"g\"},");
  EXPECT_EQ(read_text(text).imported.at("/src/sub/a.cpp").branches.size(), 4u);
}

TEST_F(Inputs, GcovrLeavesOutWhatItExcluded) {
  CoverageData data = read_text(
      R"text({"gcovr/format_version": "0.6", "files": [{"file": "/src/a.cpp", "functions": [{"name": "f()", "lineno": 1, "execution_count": 3, "blocks": 1}],
    "lines": [{"line_number": 1, "count": 3, "branches": [{"count": 3, "fallthrough": true, "throw": false}]},
              {"line_number": 2, "count": 0, "branches": [], "gcovr/excluded": true}, {"line_number": 3, "count": 0, "branches": [], "gcovr/noncode": true}]}]})text");
  const ImportedFile& file = data.imported.at("/src/a.cpp");
  EXPECT_THAT(file.sources, ElementsAre("gcovr 0.6"));
  EXPECT_THAT(file.lines, ElementsAre(ImportedLine{1, 3}));
  EXPECT_THAT(file.functions, ElementsAre(ImportedFunction{1, 0, "f()", 3}));
}

TEST_F(Inputs, LlvmCovAsItIsWritten) {
  CoverageData data = read_text(testing::kLlvm);
  const ImportedFile& file = data.imported.at("/src/a.cpp");
  EXPECT_THAT(file.sources, ElementsAre("llvm-cov 2.0.1"));
  EXPECT_THAT(file.lines, ElementsAre(ImportedLine{3, 2}, ImportedLine{4, 2}, ImportedLine{5, 2}, ImportedLine{6, 2},
                                      ImportedLine{7, 2}, ImportedLine{9, 0}));
  EXPECT_THAT(file.branches,
              ElementsAre(ImportedBranch{4, 7, 0, "true", 2},
                          ImportedBranch{4, 7, 1, "false", 0},  // and none of the constant on line 6
                          ImportedBranch{5, 3, 0, "1:18 true", 0}, ImportedBranch{5, 3, 1, "1:18 false", 2}));
  EXPECT_THAT(file.functions, ElementsAre(ImportedFunction{3, 7, "f(int)", 2}));
}

TEST_F(Inputs, DamagedJsonSaysWhere) {
  std::string text = testing::kGcov;
  EXPECT_THAT(error_of(text.substr(0, 400)),
              HasSubstr("Couldn't read 'in' as JSON: line 4: syntax error while parsing"));
  EXPECT_EQ(error_of("{}"), "Couldn't read 'in' as JSON: it is no report of gcov, gcovr or 'llvm-cov export'");
  EXPECT_EQ(error_of(replaced(text, "\"count\": 2, \"line_number\": 3", "\"line_number\": 3")),
            "Couldn't read 'in' as JSON: line 10: 'count' is missing");
  EXPECT_EQ(error_of(replaced(text, "\"line_number\": 3", "\"line_number\": \"3\"")),
            "Couldn't read 'in' as JSON: line 10: '\"3\"' is no line");
  std::string llvm = testing::kLlvm;
  EXPECT_THAT(error_of(replaced(llvm, "[[3,12", "[[0,12")), ::testing::EndsWith(": '0' is no line"));
  size_t segments = llvm.find("\"segments\""), summary = llvm.find("\"summary\"");
  EXPECT_EQ(error_of(llvm.substr(0, segments) + llvm.substr(summary)),
            "Couldn't read 'in' as JSON: line 4: it has no lines: it was made with -summary-only");
}

TEST_F(Inputs, JsonRecordsOfNoLineAreLeftOut) {
  const std::string gcov = testing::kGcov, llvm = testing::kLlvm;
  for (const char* number : {"-3", "16707566", "99999999999999999999"}) {
    const CoverageData data =
        read_text(replaced(gcov, "\"line_number\": 3", std::string("\"line_number\": ") + number));
    EXPECT_EQ(data.imported.at("/src/sub/a.cpp").lines.back(), (ImportedLine{4, 2})) << number;
    EXPECT_THAT(data.damage, HasSubstr(std::string("is of no line and was left out: sub/a.cpp: '"))) << number;
  }
  const auto whole = read_text(llvm).imported.at("/src/a.cpp");
  for (const char* place : {"[[4,7", "\"source_region\":[5"}) {
    std::string odd = place;
    odd.replace(odd.find_first_of("45"), 1, "-1");
    const auto data = read_text(replaced(llvm, place, odd));
    EXPECT_EQ(data.imported.at("/src/a.cpp").lines, whole.lines) << place;
    EXPECT_EQ(data.imported.at("/src/a.cpp").branches.size(), whole.branches.size() - 2) << place;
    EXPECT_THAT(data.damage, HasSubstr("'-1' can be no line")) << place;
  }
}

TEST_F(Inputs, NumbersOfHits) {
  const std::pair<const char*, std::optional<uint64_t>> cases[] = {{"0", 0},
                                                                   {"7", 7},
                                                                   {"1.0", 1},
                                                                   {"0.0", 0},
                                                                   {"1e3", 1000},
                                                                   {"-5", 0},
                                                                   {"-1.5", 0},
                                                                   {"x", {}},
                                                                   {"", {}},
                                                                   {"1.0x", {}},
                                                                   {"nan", {}},
                                                                   {"inf", {}},
                                                                   {"1e999", {}},
                                                                   {" 1", {}},
                                                                   {"0.4", 0},
                                                                   {"18446744073709551615", UINT64_MAX},
                                                                   {"1e30", UINT64_MAX}};
  for (const auto& [text, hits] : cases) EXPECT_EQ(hit_count(text), hits) << text;
  const std::pair<const char*, std::optional<int32_t>> lines[] = {
      {"1", 1},    {"0", 0}, {"-0", 0}, {"-1", kNoLine}, {"10000000", 10000000},           {"10000001", kNoLine},
      {"1.0", {}}, {"", {}}, {"-", {}}, {"x", {}},       {"99999999999999999999", kNoLine}};
  for (const auto& [text, line] : lines) EXPECT_EQ(line_number(text), line) << text;
}

TEST_F(Inputs, GzipIsReadAndCutOffGzipIsAnError) {
  gzFile file = gzopen(path("in.gz").c_str(), "wb");
  gzwrite(file, testing::kGcov, sizeof testing::kGcov - 1);
  gzclose(file);
  EXPECT_EQ(require_input(path("in.gz")).imported.size(), 1u);
  std::string bytes = read("in.gz");
  write("in.gz", bytes.substr(0, bytes.size() - 12));
  EXPECT_THAT(message_of<DataError>([&] { require_input(path("in.gz")); }),
              HasSubstr("its compressed data is cut off"));
}

TEST_F(Inputs, WhatIsNoneIsToldByItsContent) {
  write("empty.info", "");
  write("data", std::string("SQLite format 3\0", 16));
  write("text", "hello");
  for (const char* name : {"empty.info", "data", "text"}) EXPECT_EQ(read_input(path(name)), std::nullopt) << name;
  EXPECT_EQ(
      message_of<DataError>([&] { require_input(path("text")); }),
      "Couldn't read '" + path("text") +
          "': it is none of LCOV, Cobertura XML, Clover XML, JaCoCo XML, gcov JSON, gcovr JSON and llvm-cov JSON");
  EXPECT_EQ(message_of<DataError>([&] { read_input(path("gone")); }),
            "Couldn't read '" + path("gone") + "': No such file or directory");
  EXPECT_EQ(message_of<DataError>([&] { read_input(path("")); }), "Couldn't read '" + path("") + "': Is a directory");
}

}  // namespace
}  // namespace qd::report
