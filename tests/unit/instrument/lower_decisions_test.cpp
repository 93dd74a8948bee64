// Decision lowering against its definition: random decisions with values that the test knows.
#include "instrument/lower_probes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "runtime/ir/builder.h"
#include "runtime/syntax/decisions.h"
#include "runtime/syntax/parse.h"
#include "tests/random_kernels/random_control_flow.h"

namespace qd::instrument {
namespace {

using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::Type;

struct Random {
  std::mt19937 engine;
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(engine() % n); }
};

std::string formula(Random& random, int conditions) {
  if (conditions == 1) return random.below(4) ? "c" : "not c";
  const int left = 1 + static_cast<int>(random.below(static_cast<uint32_t>(conditions) - 1));
  return fmt::format("{}({} {} {})", random.below(4) ? "" : "not ", formula(random, left),
                     random.below(2) ? "and" : "or", formula(random, conditions - left));
}

ir::Decision decision_of(const std::string& text) {
  syntax::ParseResult parsed = syntax::parse("def f():\n assert " + text + "\n");
  const std::vector<syntax::Decision> found =
      syntax::decisions(std::get<syntax::FunctionDef>(parsed.module->body[0]->node));
  ir::Decision result{0, "assert", {}, {}};
  for (const syntax::Condition& c : found.at(0).conditions) {
    result.conditions.push_back({{}, c.if_true, c.if_false});
  }
  return result;
}

/// A kernel of one serial task that decides once. Conditions stand flat, as speculated code has them, or in blocks that
/// run only when they are reached.
struct Case {
  ir::Kernel kernel;
  std::vector<bool> values, reached;
  bool evaluated = true;  // every guard says so
  char outcome = '-';

  Case(const ir::Decision& decision, Random& random) : values(decision.conditions.size()), reached(values.size()) {
    kernel.functions.push_back({"/f.py", "f", 1});
    kernel.decisions.push_back(decision);
    for (size_t i = 0; i < values.size(); ++i) values[i] = random.below(2);
    for (uint32_t i = 0; outcome == '-';) {
      reached[i] = true;
      const uint32_t next = values[i] ? decision.conditions[i].if_true : decision.conditions[i].if_false;
      if (next >= values.size()) outcome = next == ir::Decision::kTrue ? 'T' : 'F';
      i = next;
    }
    const BlockId body = kernel.add_block();
    for (uint32_t i = 0; i < values.size(); ++i) {
      BlockId block = body;
      for (uint32_t depth = random.below(3); depth > 0; --depth) block = inside(block, reached[i]);
      condition(block, i, random);
    }
    std::vector<InstId> guards;
    uint64_t wanted = 0;
    for (uint32_t k = random.below(3); k > 0; --k) {
      const bool value = random.below(2), when = random.below(2);
      wanted |= uint64_t{when} << guards.size();
      guards.push_back(constant(body, value));
      evaluated = evaluated && value == when;
    }
    add(body, Op::Decide, Type::Void, guards, wanted);
    ir::Task task;
    task.body = body;
    kernel.tasks.push_back(task);
    kernel.schedule = ir::in_order(1);
  }

 private:
  InstId add(BlockId block, Op op, Type type, std::span<const InstId> operands, uint64_t imm) {
    return ir::Builder(kernel, block).inst(op, type, operands, 0, imm);
  }
  InstId constant(BlockId block, bool value) { return add(block, Op::Const, Type::U1, {}, value); }

  BlockId inside(BlockId block, bool runs) {
    const InstId test = constant(block, runs);
    const InstId branch = add(block, Op::If, Type::Void, std::array{test}, 0);
    const BlockId inner = kernel.add_block(), other = kernel.add_block();
    kernel[branch].blocks = {inner, other};
    return inner;
  }

  void condition(BlockId block, uint32_t i, Random& random) {
    const uint64_t number = 2 * uint64_t{i};
    if (random.below(4) == 0) {
      add(block, Op::Condition, Type::Void, {}, number + values[i]);
      return;
    }
    const InstId value =
        random.below(2) ? constant(block, values[i]) : add(block, Op::Const, Type::I32, {}, values[i] ? 7 : 0);
    add(block, Op::Condition, Type::Void, std::array{value}, number);
  }
};

/// The outcomes that a run has left in its counters.
std::vector<report::Evaluation> seen(const MappedDecision& decision, const std::vector<uint64_t>& counters) {
  std::vector<report::Evaluation> result;
  for (size_t k = 0; k < decision.decision.outcomes.size(); ++k) {
    if (counters[decision.first_counter + k / 64] >> (k % 64) & 1) result.push_back(decision.decision.outcomes[k]);
  }
  return result;
}

std::vector<report::Evaluation> expected(const Case& c, bool single) {
  std::vector<report::Evaluation> result;
  if (!c.evaluated) return result;
  std::string all(c.values.size(), '-');
  for (size_t i = 0; i < c.values.size(); ++i) {
    if (!c.reached[i]) continue;
    std::string one(c.values.size(), '-');
    one[i] = all[i] = c.values[i] ? 'T' : 'F';
    if (single) result.push_back({one, '-'});
  }
  if (!single) result.push_back({all, c.outcome});
  return result;
}

void check(int most_conditions, uint32_t cases) {
  Random random{std::mt19937(static_cast<uint32_t>(most_conditions))};
  uint32_t single = 0;
  for (uint32_t i = 0; i < cases; ++i) {
    const std::string text =
        formula(random, 1 + static_cast<int>(random.below(static_cast<uint32_t>(most_conditions))));
    Case c(decision_of(text), random);
    ASSERT_TRUE(ir::verify(c.kernel).empty()) << ir::verify(c.kernel)[0];
    CoverageMap map;
    lower_decisions(c.kernel, map);
    ASSERT_TRUE(ir::verify(c.kernel).empty()) << ir::verify(c.kernel)[0] << ir::print(c.kernel);
    ASSERT_EQ(map.counters, c.kernel.counters);
    const bool many = map.decisions[0].decision.outcomes[0].result == '-';
    single += many;
    ASSERT_EQ(seen(map.decisions[0], testing::run(c.kernel, 1).counters), expected(c, many)) << text << "\n"
                                                                                             << ir::print(c.kernel);
  }
  EXPECT_EQ(single > cases / 4, most_conditions > 20) << single;
}

TEST(LowerDecisions, EachWayHasABit) { check(6, 3000); }
TEST(LowerDecisions, TooManyWaysLeaveSingleConditions) { check(70, 1000); }

TEST(LowerDecisions, AKernelWithoutDecisionsIsLeftAlone) {
  ir::Kernel kernel = testing::random_control_flow(3, {});
  const std::string before = ir::print(kernel);
  CoverageMap map;
  lower_decisions(kernel, map);
  EXPECT_EQ(ir::print(kernel), before);
  EXPECT_TRUE(map.decisions.empty());
}

}  // namespace
}  // namespace qd::instrument
