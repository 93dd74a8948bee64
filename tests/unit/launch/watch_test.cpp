// The example of an instrument in instrument/DESIGN.md, on every device that is here or simulated: the largest value of
// each watched expression; and a sum and a union of bits in its place, for the other combine rules.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "instrument/lower_probes.h"
#include "instrument/session.h"
#include "report/data/coverage_data.h"
#include "report/data/merge.h"
#include "runtime/back_ends/back_ends.h"
#include "runtime/ir/builder.h"
#include "runtime/ir/walk.h"
#include "runtime/launch/program.h"

namespace qd {
namespace {

using instrument::CoverageMap;
using ir::InstId;
using ir::Op;
using ir::Type;
using report::MergeRule;

const std::string kFile = QD_SOURCE_DIR "/tests/unit/launch/watched.py";
constexpr int kInFunc = 8, kInKernel = 15;  // lines with a product

/// Calls visit(block) for every block of a kernel.
template <class Visit>
void each_block(const ir::Kernel& kernel, Visit&& visit) {
  for (size_t i = 0; i < kernel.blocks.size(); ++i) visit(static_cast<ir::BlockId>(i));
}

/// The front end's part: a Watch behind each product of the source.
void watch_products(ir::Kernel& kernel) {
  each_block(kernel, [&](ir::BlockId block) {
    const std::vector<InstId> in = std::move(kernel[block]);
    std::vector<InstId> out;
    for (InstId id : in) {
      out.push_back(id);
      const ir::Inst inst = kernel[id];
      if (inst.op != Op::Binary || inst.type != Type::I32 || inst.binary_op() != ir::BinaryOp::Mul) continue;
      ir::Builder(kernel, out, inst.location).inst(Op::Watch, Type::Void, {id});
    }
    kernel[block] = std::move(out);
  });
}

/// The instrument's pass: turns each Watch into a counter of its own.
class WatchLowering {
 public:
  WatchLowering(ir::Kernel& kernel, CoverageMap& map, MergeRule rule) : kernel_(kernel), map_(map), rule_(rule) {}

  void run() {
    instrument::MappedResults mapped{{{"watch", rule_ == MergeRule::Add ? 64u : 32u, rule_}, {}}, kernel_.counters};
    each_block(kernel_, [&](ir::BlockId block) {
      const std::vector<InstId> in = std::move(kernel_[block]);
      std::vector<InstId> out;
      for (InstId id : in) {
        const ir::Inst inst = kernel_[id];
        if (inst.op == Op::Watch) {
          const ir::Location& location = kernel_.locations[inst.location];
          mapped.results.places.push_back(
              {location.function, {location.line, location.col, location.line, location.col}});
          count(ir::Builder(kernel_, out, inst.location), kernel_.operands_of(inst)[0]);
        } else {
          out.push_back(id);
        }
      }
      kernel_[block] = std::move(out);
    });
    map_.counters = kernel_.counters;
    map_.results.push_back(std::move(mapped));
  }

 private:
  void count(ir::Builder build, InstId value) {
    const uint32_t counter = kernel_.counters++;
    switch (rule_) {
      case MergeRule::Max: {  // in the order of signed numbers
        const InstId sign = build.constant(Type::I32, static_cast<uint64_t>(int64_t{INT32_MIN}));
        build.inst(Op::Maximum, Type::Void, {build.binary(ir::BinaryOp::BitXor, value, sign)}, counter);
        return;
      }
      case MergeRule::Or: build.inst(Op::Record, Type::Void, {value}, counter); return;
      case MergeRule::Add: build.inst(Op::Count, Type::Void, {build.cast(Type::I64, value)}, counter); return;
    }
  }

  ir::Kernel& kernel_;
  CoverageMap& map_;
  MergeRule rule_;
};

uint64_t expected(MergeRule rule, const std::vector<int32_t>& x, int32_t factor) {
  uint64_t result = 0;
  for (int32_t v : x) {
    const int32_t value = v * factor;
    if (v <= -100) continue;
    switch (rule) {
      case MergeRule::Max: result = std::max(result, uint64_t{static_cast<uint32_t>(value) ^ 0x80000000u}); break;
      case MergeRule::Or: result |= static_cast<uint32_t>(value); break;
      case MergeRule::Add: result += static_cast<uint64_t>(int64_t{value}); break;
    }
  }
  return result;
}

using Values = std::map<std::pair<std::string, int32_t>, uint64_t>;  // by context and line

Values values(const report::CoverageData& data, MergeRule rule) {
  Values result;
  for (const auto& [kind, places] : data.files.at(kFile).results) {
    EXPECT_EQ(kind.name, "watch");
    EXPECT_EQ(kind.merge, rule);
    for (const auto& [range, measured] : places)
      for (const auto& [context, value] : measured.values) result[{data.contexts[context], range.line}] = value;
  }
  return result;
}

class WatchOnDevices : public ::testing::TestWithParam<std::tuple<std::string, MergeRule>> {
 protected:
  WatchOnDevices() {
    setenv("QD_CUDA_DRIVER", QD_BINARY_DIR "/tests/simulated_driver/libqd_simulated_gpu.so", 0);
    setenv("QD_HIP_DRIVER", QD_BINARY_DIR "/tests/simulated_driver/libqd_simulated_gpu.so", 0);
  }
  const std::string arch = std::get<0>(GetParam());
  const MergeRule rule = std::get<1>(GetParam());

  instrument::SessionOptions options() const {
    return {.more = [this](ir::Kernel& kernel, CoverageMap& map) {
      watch_products(kernel);
      WatchLowering(kernel, map, rule).run();
    }};
  }
};

void launch(Program& program, const std::vector<int32_t>& values) {
  const auto n = static_cast<int32_t>(values.size());
  std::unique_ptr<Ndarray> x = program.ndarray(Type::I32, {n}), y = program.ndarray(Type::I32, {n});
  std::ranges::copy(values, x->span<int32_t>().begin());
  program.load_kernel(kFile, "watched")(x.get(), y.get());
  program.sync();
}

TEST_P(WatchOnDevices, ValuesOfAllThreadsAndLaunches) {
  if (const std::string why = back_ends::why_not(arch); !why.empty()) GTEST_SKIP() << why;
  std::vector<int32_t> many(5000), few{7, -3};
  for (size_t i = 0; i < many.size(); ++i) many[i] = static_cast<int32_t>(i * 7919 % 5000) - 200;
  instrument::Session session({}, "first", options());
  {
    Config config;
    config.arch = arch;
    config.offline_cache = false;
    Program program(config, &session);
    launch(program, many);
    launch(program, few);
    session.switch_context("second");
    launch(program, few);
    launch(program, {});
  }
  std::vector<int32_t> both = many;
  both.insert(both.end(), few.begin(), few.end());
  Values all;
  for (auto [line, factor] : {std::pair(kInFunc, 3), std::pair(kInKernel, 15)}) {
    all[{"first|qd:" + arch, line}] = expected(rule, both, factor);
    all[{"second|qd:" + arch, line}] = expected(rule, few, factor);
  }
  EXPECT_EQ(values(session.data(), rule), all);
  // A second journal has the launches of its own time: sums of both are not those of one twice.
  session.save({}, [&](const report::CoverageData& data) { EXPECT_EQ(values(data, rule), all); });
  EXPECT_EQ(values(session.data(), rule), all);
}

/// Data of another process, through data files: sums add up, and what a value tells does not change its name.
TEST(Watch, DataFilesOfTwoProcesses) {
  const report::ResultKind sum{"iterations", 64, MergeRule::Add}, most{"depth", 8, MergeRule::Max};
  const SourceRange range{3, 4, 3, 9};
  report::CoverageData data;
  data.has_arcs = true;
  data.context_id("t|qd:cpu");
  report::FileData& file = data.files["/a.py"];
  file.results[sum][range] = {2, {{1, UINT64_MAX - 10}}};
  file.results[most][range] = {2, {{1, 200}}};
  const std::string path = ::testing::TempDir() + "watch.coverage";
  report::write_data(path, data);
  report::CoverageData both = report::read_data(path), other = both;
  std::filesystem::remove(path);
  EXPECT_EQ(both.files["/a.py"].results[sum][range].values, (std::map<uint32_t, uint64_t>{{1, UINT64_MAX - 10}}));
  other.files["/a.py"].results[sum][range].values[1] = 7;
  other.files["/a.py"].results[most][range].values[1] = 255;
  both.update(other);
  EXPECT_EQ(both.files["/a.py"].results[sum][range].values[1], UINT64_MAX - 3);
  EXPECT_EQ(both.files["/a.py"].results[most][range].values[1], 255u);
  both.update(other);
  EXPECT_EQ(both.files["/a.py"].results[sum][range].values[1], UINT64_MAX) << "a sum stops at the largest value";
}

INSTANTIATE_TEST_SUITE_P(Devices, WatchOnDevices,
                         ::testing::Combine(::testing::ValuesIn(back_ends::archs()),
                                            ::testing::Values(MergeRule::Max, MergeRule::Or, MergeRule::Add)),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "_" +
                                  std::string(report::merge_name(std::get<1>(info.param)));
                         });

}  // namespace
}  // namespace qd
