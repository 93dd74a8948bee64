// libFuzzer target: an entry of the offline cache for a translated kernel, damaged as the input says, with a checksum
// that is right. A kernel that verifies is the result in any case, and the front end's when the front end had to
// run again.
//
// Run: build/fuzz/tests/fuzz/fuzz_kernel_cache -max_len=64 some_folder tests/fuzz/corpus/kernel_cache
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "runtime/launch/kernel_cache.h"
#include "tests/fuzz/damage.h"
#include "tests/fuzz/file_in_memory.h"

using namespace qd;
using fuzz::require;

namespace {

constexpr const char* kSource = R"(import qd

SCALE = 3
ORIGIN = (1, 2)


@qd.func
def twice(a):
    b = a
    if a > SCALE:
        b = a * 2
    return b


@qd.kernel
def step(n: qd.i32, x: qd.types.ndarray(dtype=qd.f32, ndim=1)) -> qd.i32:
    total = 0
    for i in range(n):
        x[i] = twice(x[i]) + ORIGIN[1]
        assert x[i] < 100.0, "too large"
        total += 1
    return total
)";

struct Entry {
  EntryFiles::Key key;
  EntryFiles::Kind kind;
  std::string bytes;
};

/// A folder with the entries of one kernel.
class Kept {
 public:
  Kept() {
    syntax::ParseResult parsed = syntax::parse(kSource);
    require(parsed.module != nullptr);
    module_ = std::move(parsed.module);
    kernel_ = translate();
    require(observed_.stored);
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder_.path())) {
      const std::string name = file.path().filename().string();
      if (!file.is_regular_file() || name.ends_with(".code")) continue;
      Entry& entry = entries_.emplace_back();
      for (size_t word = 0; word < 2; ++word)
        std::from_chars(name.data() + 16 * word, name.data() + 16 * (word + 1), entry.key[word], 16);
      entry.kind = name.ends_with(".kernel") ? EntryFiles::Kind::Kernel : EntryFiles::Kind::Questions;
      entry.bytes = *files_.find(entry.key, entry.kind);
    }
    require(entries_.size() == 2);
    require(translate() == kernel_ && observed_.loaded);
  }

  void check(const uint8_t* data, size_t size) {
    const Entry& entry = entries_[data[0] % 2];
    files_.put(entry.key, entry.kind, fuzz::damaged(entry.bytes, data + 1, size - 1));
    const std::string found = translate();
    require(observed_.loaded || found == kernel_);
    for (const Entry& whole : entries_) files_.put(whole.key, whole.kind, whole.bytes);
  }

 private:
  /// The printed kernel, after the caches were asked.
  std::string translate() {
    const syntax::Stmt* def = module_->body.back();
    const frontend::FunctionSource source{module_, def, "kernels.py"};
    std::shared_ptr<frontend::Environment> environment = frontend::module_environment(module_, "kernels.py");
    const std::vector<frontend::ArgumentType> arguments = {ir::Type::I32, frontend::ArrayType{ir::Type::F32, 1}};
    std::vector<frontend::Warning> warnings;
    frontend::TemplateReads reads;
    observed_ = {};
    const ir::Kernel kernel = lower_or_find(files_, source, *environment, arguments, {}, warnings, reads, observed_);
    require(ir::verify(kernel).empty());
    return ir::print(kernel);
  }

  fuzz::TemporaryFolder folder_;
  EntryFiles files_{{.folder = folder_.path(), .cleaning = CacheOptions::Cleaning::Never}, "fuzz"};
  std::shared_ptr<const syntax::Module> module_;
  std::string kernel_;
  std::vector<Entry> entries_;
  CacheObservations observed_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Kept kept;
  if (size > 0) kept.check(data, size);
  return 0;
}
