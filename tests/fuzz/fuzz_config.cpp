// libFuzzer target: any bytes as each kind of configuration file. An invalid one gives a ConfigError and nothing
// else.
//
// Run: build/fuzz/tests/fuzz/fuzz_config -max_len=4096 some_folder tests/fuzz/corpus/config
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "report/config/config.h"
#include "report/config/describe.h"

using namespace qd::report;

namespace {

/// An empty folder.
struct Folder {
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "fuzz_config.XXXXXX").string();
    if (!mkdtemp(name.data())) std::abort();
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::filesystem::path path;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const Folder folder;
  const std::filesystem::path here = std::filesystem::current_path();  // libFuzzer's names may be relative
  std::filesystem::current_path(folder.path);
  for (const char* name : {".coveragerc", ".coveragerc.toml", "setup.cfg", "pyproject.toml"}) {
    std::ofstream(name, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size))
        .flush();
    try {
      describe_config(read_config(std::nullopt, [](const std::string&) {}));
    } catch (const ConfigError&) {
    }
    std::filesystem::remove(name);
  }
  std::filesystem::current_path(here);
  return 0;
}
