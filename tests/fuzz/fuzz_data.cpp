// libFuzzer target: any bytes as a data file.
//
// Run: build/fuzz/tests/fuzz/fuzz_data -max_len=16384 some_folder tests/fuzz/corpus/data
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>

#include <unistd.h>

#include "tests/unit/data/damaged_file_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string folder =
      std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path().string();
  static const std::string path = folder + "/qd-fuzz-data." + std::to_string(getpid());
  const std::string broken = qd::report::promises_broken({reinterpret_cast<const char*>(data), size}, path);
  std::remove(path.c_str());
  if (broken.empty()) return 0;
  std::fprintf(stderr, "%s\n", broken.c_str());
  __builtin_trap();
}
