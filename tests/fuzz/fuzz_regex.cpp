// libFuzzer target: any bytes as a regular expression of Python. A translated one is valid for PCRE2 too, or beyond its
// limits.
//
// Run: build/fuzz/tests/fuzz/fuzz_regex -max_len=200 some_folder tests/fuzz/corpus/regex
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "report/regex/python_regex.h"

using namespace qd::report;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string pattern(reinterpret_cast<const char*>(data), size);
  try {
    required_text(pattern);
    PythonRegex(pattern, RegexMode::kMultiline).search("");
  } catch (const std::runtime_error& error) {
    // A limit has its own words; an error in the notation would be one of the translation.
    std::string reason = error.what();
    bool is_limit = reason.find("too ") != std::string::npos || reason.find("number too big") != std::string::npos;
    if (reason.starts_with("Invalid regular expression") && !is_limit) std::abort();
  }
  return 0;
}
