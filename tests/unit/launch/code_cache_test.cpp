// Keys of machine code have everything that it depends on, and nothing else; and code that was kept is the code.
#include "runtime/launch/code_cache.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <set>

#include "instrument/lower_probes.h"
#include "runtime/codegen/cpu/host_target.h"
#include "runtime/device/cpu/loader.h"
#include "runtime/frontend/frontend.h"
#include "runtime/ir/pack.h"
#include "runtime/launch/kernel_copies.h"
#include "runtime/passes/pipeline.h"
#include "tests/random_kernels/random_kernel.h"

namespace qd {
namespace {

namespace fs = std::filesystem;

ir::Kernel split(uint32_t seed) {
  ir::Kernel kernel = testing::random_kernel(seed);
  passes::run(kernel, {.lower_probes = [](ir::Kernel& k) { instrument::lower_probes(k); }});
  return kernel;
}

/// The same kernel as it is elsewhere: in another file, on other lines, with other names, fields and numbers of its
/// values.
ir::Kernel elsewhere(ir::Kernel kernel) {
  kernel.name = "renamed";
  for (ir::Function& function : kernel.functions)
    function = {"/another/checkout/" + function.file, "f_" + function.name, function.first_line + 100};
  for (ir::Location& location : kernel.locations) location.line += 100;
  for (ir::Param& param : kernel.params) param.name += "_2";
  for (ir::Array& array : kernel.arrays) {
    array.name += "_2";
    array.field += 1000;
  }
  for (ir::LoopInfo& loop : kernel.loops) loop.name = "loop";
  for (ir::Format& format : kernel.formats) format.pieces.assign(format.pieces.size(), "text");
  for (ir::Probe& probe : kernel.probes) probe.to += 100;
  for (ir::Task& task : kernel.tasks) task.name += "_2";
  for (ir::Routine& routine : kernel.routines) routine.name += "_2";
  kernel.locations.push_back({});
  // Another order of the values: those of attempts that the front end made first and left.
  const auto shift = [&](ir::InstId& id) {
    if (id != ir::InstId::None) id = static_cast<ir::InstId>(static_cast<uint32_t>(id) + 3);
  };
  kernel.insts.insert(kernel.insts.begin(), 3, ir::Inst{});
  for (ir::InstId& operand : kernel.operands) shift(operand);
  for (auto& block : kernel.blocks) std::ranges::for_each(block, shift);
  for (ir::Task& task : kernel.tasks) shift(task.loop);
  for (ir::Inst& inst : kernel.insts) {
    if (inst.op == ir::Op::LoopIndex || inst.op == ir::Op::CallResult) inst.aux += 3;
    inst.location = static_cast<uint32_t>(kernel.locations.size() - 1);
  }
  return kernel;
}

class CodeCacheTest : public ::testing::Test {
 protected:
  CodeCacheTest() {
    std::string name = (fs::temp_directory_path() / "qd-code-XXXXXX").string();
    folder = mkdtemp(name.data());
    options.folder = (folder / "cache").string();
  }
  ~CodeCacheTest() override { fs::remove_all(folder); }

  std::set<std::string> keys() const {
    std::set<std::string> found;
    for (const auto& file : fs::recursive_directory_iterator(folder)) {
      if (file.path().extension() == ".code") found.insert(file.path().filename().string());
    }
    return found;
  }
  fs::path folder;
  CacheOptions options;
};

TEST(Pack, GivesTheKernelBack) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    for (const ir::Kernel& kernel : {testing::random_kernel(seed), split(seed), bare_kernel(split(seed))}) {
      const std::string bytes = ir::pack(kernel);
      const std::optional<ir::Kernel> back = ir::unpack(bytes);
      ASSERT_TRUE(back) << seed;
      ASSERT_EQ(ir::print(*back), ir::print(kernel)) << seed;
      ASSERT_EQ(ir::pack(*back), bytes) << seed;
    }
  }
}

TEST(Pack, OtherBytesAreNoKernelOrSomeKernel) {
  const std::string bytes = ir::pack(testing::random_kernel(1));
  std::mt19937 random(1);
  for (size_t size = 0; size < bytes.size(); size += 1 + random() % 50)
    EXPECT_EQ(ir::unpack(bytes.substr(0, size)), std::nullopt) << size;
  EXPECT_FALSE(ir::unpack(bytes + '\0'));
  for (int i = 0; i < 2000; ++i) {
    std::string bad = bytes;
    bad[random() % bad.size()] = static_cast<char>(random());
    ir::unpack(bad);
  }
}

TEST(BareKernel, IsTheSameWhereverTheKernelIs) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    const ir::Kernel kernel = split(seed);
    EXPECT_EQ(ir::pack(bare_kernel(elsewhere(kernel))), ir::pack(bare_kernel(kernel))) << seed;
    EXPECT_NE(ir::pack(elsewhere(kernel)), ir::pack(kernel)) << seed;
  }
}

TEST(BareKernel, IsAnotherOneWhenTheKernelDoesSomethingElse) {
  const ir::Kernel kernel = split(3);
  const std::string bare = ir::pack(bare_kernel(kernel));
  size_t changes = 0;
  for (const auto& block : bare_kernel(kernel).blocks) changes += block.size();
  ASSERT_GT(changes, 20u);
  for (size_t i = 0; i < kernel.insts.size(); ++i) {
    bool reached = false;
    for (const auto& block : kernel.blocks) reached |= std::ranges::count(block, static_cast<ir::InstId>(i)) > 0;
    if (!reached) continue;
    ir::Kernel changed = kernel;
    changed.insts[i].imm ^= 1;
    EXPECT_NE(ir::pack(bare_kernel(changed)), bare) << i;
    changed = kernel;
    changed.insts[i].type = changed.insts[i].type == ir::Type::F32 ? ir::Type::F64 : ir::Type::F32;
    EXPECT_NE(ir::pack(bare_kernel(changed)), bare) << i;
  }
  auto expect_other = [&](auto change) {
    ir::Kernel changed = kernel;
    change(changed);
    EXPECT_NE(ir::pack(bare_kernel(changed)), bare);
  };
  expect_other([](ir::Kernel& k) { k.arrays[0].type = ir::Type::U8; });
  expect_other([](ir::Kernel& k) { k.arrays[0].rank += 1; });
  expect_other([](ir::Kernel& k) { k.arrays[0].shape.push_back(7); });
  expect_other([](ir::Kernel& k) { k.arrays[0].layout.components = 3; });
  expect_other([](ir::Kernel& k) { k.arrays[0].layout.stride = 64; });
  expect_other([](ir::Kernel& k) { k.arrays[0].layout.component_stride = 64; });
  expect_other([](ir::Kernel& k) { k.arrays[0].layout.order = {1, 0}; });
  expect_other([](ir::Kernel& k) { k.params.push_back({"more", ir::Type::I32}); });
  expect_other([](ir::Kernel& k) { k.results.push_back(ir::Type::I32); });
  expect_other([](ir::Kernel& k) {
    for (ir::Task& task : k.tasks) {
      for (ir::Bound& bound : task.bounds) bound.value += 1;
    }
  });
}

const codegen::Target& target = codegen::host_target();

/// A target that says that it is another.
class Other : public codegen::Target {
 public:
  Other(std::string compiler, std::string processor)
      : compiler_(std::move(compiler)), processor_(std::move(processor)) {}
  const std::string& compiler() const override { return compiler_; }
  const std::string& processor() const override { return processor_; }
  const passes::Plan& plan() const override { return target.plan(); }
  codegen::Binary compile(const ir::Kernel& kernel, const codegen::Options& options) const override {
    return target.compile(kernel, options);
  }

 private:
  std::string compiler_, processor_;
};

TEST_F(CodeCacheTest, CodeIsFoundByWhatItDependsOn) {
  CodeCache cache(options, target);
  const ir::Kernel kernel = bare_kernel(split(5));
  bool found = true;
  const codegen::Binary made = cache.compile(target, kernel, {}, &found);
  EXPECT_FALSE(found);
  const codegen::Binary kept = CodeCache(options, target).compile(target, bare_kernel(elsewhere(split(5))), {}, &found);
  EXPECT_TRUE(found);
  EXPECT_EQ(kept.code, made.code);
  EXPECT_EQ(kept.symbols, made.symbols);
  EXPECT_EQ(kept.lanes, made.lanes);
  EXPECT_FALSE(made.lanes.empty());
  EXPECT_EQ(keys().size(), 1u);
  // Every option of code generation, and the target.
  cache.compile(target, kernel, {.fast_math = false}, &found);
  EXPECT_FALSE(found);
  EXPECT_EQ(keys().size(), 2u);
  for (const Other& other :
       {Other("another compiler", target.processor()), Other(target.compiler(), "another processor")}) {
    cache.compile(other, kernel, {}, &found);
    EXPECT_FALSE(found);
    cache.compile(other, kernel, {}, &found);
    EXPECT_TRUE(found);
  }
  EXPECT_EQ(keys().size(), 4u);
}

TEST_F(CodeCacheTest, TheSameCodeIsMadeAgain) {
  // Else processes that come at the same time would keep different code under one key.
  for (uint32_t seed = 0; seed < 10; ++seed) {
    const ir::Kernel kernel = bare_kernel(split(seed));
    EXPECT_EQ(target.compile(kernel, {}).code, target.compile(kernel, {}).code) << seed;
  }
}

TEST_F(CodeCacheTest, AnEntryThatIsNoCodeIsReplaced) {
  CodeCache cache(options, target);
  const ir::Kernel kernel = bare_kernel(split(5));
  const std::string object = cache.compile(target, kernel, {}).code;
  const std::string name = *keys().begin();
  const EntryFiles::Key key = {std::stoull(name.substr(0, 16), nullptr, 16),
                               std::stoull(name.substr(16, 16), nullptr, 16)};
  for (const std::string& bytes : {std::string(), std::string("no code"), std::string(4, '\0')}) {
    cache.files().put(key, EntryFiles::Kind::Code, bytes);
    bool found = true;
    EXPECT_EQ(cache.compile(target, kernel, {}, &found).code, object);
    EXPECT_FALSE(found);
    EXPECT_EQ(cache.files().take_warnings().size(), 1u);
  }
}

TEST(ElfObject, LoadsWhatCodeGenerationWrites) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    const ir::Kernel kernel = bare_kernel(split(seed));
    const codegen::Binary object = target.compile(kernel, {});
    const auto loaded = device::load_elf(object.code, object.symbols);
    ASSERT_NE(loaded, nullptr) << seed;
    EXPECT_EQ(loaded->functions().size(), kernel.tasks.size());
    EXPECT_EQ(device::load_by_orc(object.code, object.symbols)->functions().size(), kernel.tasks.size());
  }
}

TEST(ElfObject, OtherBytesAreLoadedOrNot) {
  const codegen::Binary object = target.compile(bare_kernel(split(5)), {});
  std::mt19937 random(1);
  int refused = 0;
  for (size_t size = 0; size < object.code.size(); size += 1 + random() % 40)
    device::load_elf(object.code.substr(0, size), object.symbols);
  for (int i = 0; i < 3000; ++i) {
    std::string bad = object.code;
    for (int k = 0; k < 3; ++k) bad[random() % bad.size()] = static_cast<char>(random());
    refused += device::load_elf(bad, object.symbols) == nullptr;
  }
  EXPECT_GT(refused, 100);
  EXPECT_EQ(device::load_elf(object.code, {"no_such_function"}), nullptr);
  EXPECT_THROW(device::load(object.code, {"no_such_function"}), std::runtime_error);
}

}  // namespace
}  // namespace qd
