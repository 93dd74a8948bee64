// Reading the printed form: mistakes are named with their line, and no text crashes the parser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>

#include "runtime/ir/kernel.h"

namespace qd::ir {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Parse, NamesTheLineOfAMistake) {
  struct Case {
    const char* text;
    const char* error;
  };
  constexpr Case kCases[] = {
      {"", "line 1: expected 'kernel', but the text ends"},
      {"kernel k\nbogus 1", "line 2: expected a table, a body or a task, got 'bogus'"},
      {"kernel k\nparam 1 a i32", "line 2: rows of a table must be in order: this is row 0"},
      {"kernel k\nparam 0 a int", "line 2: expected a type, got 'int'"},
      {"kernel k\nbody {", "line 2: expected a word, but the text ends"},
      {"kernel k\nbody {\n}\nbody {\n}", "line 4: a second body"},
      {"kernel k\nbody {\n  %0 = break\n}", "line 3: this operation has no result to name"},
      {"kernel k\nbody {\n  const i32 0\n}", "line 3: this operation needs a name"},
      {"kernel k\nbody {\n  %0 = const i32 0\n  %0 = const i32 1\n}", "line 4: %0 is defined twice"},
      {"kernel k\nbody {\n  %0 = const i32 99999999999999999999\n}", "line 3: expected a number that fits"},
      {"kernel k\nbody {\n  %0 = const u8 -1\n}", "line 3: expected a number that fits"},
      {"kernel k\nbody {\n  %99999999 = const u8 1\n}", "value numbers are too large"},
      {"kernel \"k", "line 1: string without an end"},
      {"kernel \"\\q\"", "line 1: unknown escape in a string"},
      {"kernel k $", "line 1: unexpected character '$'"},
      {"kernel k %", "line 1: % needs the number of a value"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.text);
    EXPECT_THAT([&] { parse(c.text); }, ThrowsMessage<std::runtime_error>(HasSubstr(c.error)));
  }
}

TEST(Parse, NestingHasALimit) {
  std::string text = "kernel k body {";
  for (int i = 0; i < 100'000; i++) text += " loop {";
  EXPECT_THAT([&] { parse(text); }, ThrowsMessage<std::runtime_error>(HasSubstr("blocks nest too deeply")));
}

/// Golden files with bytes lost, doubled and changed: parse, print and verify may complain, and a kernel that was read
/// prints the same again.
TEST(Parse, DamagedTextNeverCrashes) {
  std::mt19937 random(1);
  int read = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(QD_SOURCE_DIR "/tests/ir")) {
    if (entry.path().extension() != ".ir") continue;
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (int round = 0; round < 200; round++) {
      std::string damaged = text.substr(0, text.find("\n---"));
      for (int i = 0; i < 3; i++) {
        const size_t at = random() % damaged.size();
        switch (random() % 3) {
          case 0: damaged.erase(at, 1 + random() % 8); break;
          case 1: damaged.insert(at, damaged.substr(random() % damaged.size(), 1 + random() % 8)); break;
          default: damaged[at] = static_cast<char>(random());
        }
        if (damaged.empty()) damaged.push_back(' ');
      }
      try {
        Kernel kernel = parse(damaged);
        verify(kernel);
        const std::string printed = print(kernel);
        EXPECT_EQ(print(parse(printed)), printed);
        read++;
      } catch (const std::runtime_error&) {
      }
    }
  }
  EXPECT_GT(read, 20);
}

}  // namespace
}  // namespace qd::ir
