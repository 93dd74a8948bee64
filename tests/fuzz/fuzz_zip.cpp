// libFuzzer target: any bytes as an archive that a source is in. Nothing comes of it, or bytes that its size can hold.
//
// Run: build/fuzz/tests/fuzz/fuzz_zip -max_len=4096 some_folder tests/fuzz/corpus/zip
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>

#include "report/analysis/zip_source.h"
#include "tests/fuzz/file_in_memory.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const qd::fuzz::TemporaryFolder folder;
  static const std::string archive = folder.path() + "/library.zip";
  std::ofstream(archive, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  for (const char* name : {"/a.py", "/pkg/b.py", "/", "/missing.py"}) {
    const std::optional<std::string> bytes = qd::report::bytes_in_zip(archive + name);
    if (bytes) qd::fuzz::require(bytes->size() <= (size + 1) * 1033);  // deflate makes at most 1,032 bytes of one
  }
  return 0;
}
