// Decision lowering: records the paths (ways) that evaluations took through a decision, as bits of a word.
//
// `a and (b or c)` can be evaluated in four ways with short circuit. They are numbered as Ball and Larus number paths:
// a condition that is true adds its weight, the number of ways that lead on from it when it is false.
//
//   way      a b c   outcome      weights: a 1, b 2, c 1
//   0        F - -   F            nothing is added
//   1        T F F   F            a
//   2        T F T   T            a + c
//   3        T T -   T            a + b
//
// The conditions' values are in the kernel anyway. From the last condition to the first the code computes, branch-free,
//
//   bits(i) = value(i) ? bits(next if true) << weight(i) : bits(next if false)
//
// with 1 for an outcome, so that bit n of bits(0) is set when way n was taken. An Op::Record ors it into a counter of
// the kernel. A decision with more than 64 ways has two bits for each condition instead: it was false, it was true.
//
// A condition may stand in a block that is not reached, as the arm of an If. Then a variable carries its value to the
// block of the Decide. The variable is false when the block was not reached.
#include "instrument/lower_probes.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>

#include "runtime/ir/builder.h"
#include "runtime/syntax/decisions.h"

namespace qd::instrument {

namespace {

using ir::BlockId;
using ir::Inst;
using ir::InstId;
using ir::Op;
using ir::Type;

/// Number of bits in a counter. A decision with more ways has two bits for each condition: it was false, it was true.
constexpr uint32_t kWord = 64;

syntax::Decision diagram(const ir::Decision& decision) {
  syntax::Decision result;
  for (const auto& condition : decision.conditions)
    result.conditions.push_back({nullptr, 0, {}, condition.if_true, condition.if_false});
  return result;
}

std::vector<report::Evaluation> outcomes(const syntax::Decision& decision, bool single) {
  std::vector<report::Evaluation> result;
  if (!single) {
    for (std::string& way : syntax::ways(decision)) {
      const char outcome = way.back();
      way.pop_back();
      result.push_back({std::move(way), outcome});
    }
    return result;
  }
  for (size_t i = 0; i < decision.conditions.size(); ++i) {
    for (char letter : {'F', 'T'}) {
      std::string letters(decision.conditions.size(), '-');
      letters[i] = letter;
      result.push_back({std::move(letters), '-'});
    }
  }
  return result;
}

class DecisionLowering {
 public:
  DecisionLowering(ir::Kernel& kernel, CoverageMap& map) : kernel_(kernel), map_(map) {}

  void run() {
    for (const ir::Decision& decision : kernel_.decisions) add(decision);
    for (const ir::Task& task : kernel_.tasks) {
      for (BlockId block : {task.prologue, task.body, task.epilogue}) rewrite(block);
    }
    for (const ir::Routine& routine : kernel_.routines) rewrite(routine.body);
    map_.counters = kernel_.counters;
  }

 private:
  struct Lowered {
    syntax::Decision diagram;
    bool single = false;
    std::vector<uint64_t> weights;
    Type type = Type::I32;
    uint32_t counter = 0;
  };
  /// A condition that has been seen in a block inside of the block with its decision.
  struct Nested {
    uint32_t decision;
    uint32_t condition;
    InstId place;  // a variable (Alloca) that is not placed in a block yet
  };
  using Values = std::map<uint32_t, InstId>;  // by condition: its value (U1), or the Alloca that holds it

  void add(const ir::Decision& decision) {
    Lowered lowered{diagram(decision), false, {}, Type::I32, kernel_.counters};
    lowered.single = syntax::count_ways(lowered.diagram, kWord) > kWord;
    if (!lowered.single) lowered.weights = syntax::weights(lowered.diagram);
    report::JournalDecision compiled{
        decision.function, decision.kind, decision.range, {}, outcomes(lowered.diagram, lowered.single)};
    for (const auto& condition : decision.conditions) compiled.conditions.push_back(condition.range);
    if (compiled.outcomes.size() > 32) lowered.type = Type::I64;
    kernel_.counters += static_cast<uint32_t>((compiled.outcomes.size() + kWord - 1) / kWord);
    map_.decisions.push_back({std::move(compiled), lowered.counter});
    lowered_.push_back(std::move(lowered));
  }

  /// Rewrites a block. Returns the conditions whose decision is in a block around it.
  std::vector<Nested> rewrite(BlockId block) {
    std::vector<Nested> outside;
    if (block == BlockId::None) return outside;
    const std::vector<InstId> in = std::move(kernel_[block]);
    std::multiset<uint32_t> to_come;  // decisions of this block
    for (InstId id : in) {
      if (kernel_[id].op == Op::Decide) to_come.insert(kernel_[id].aux);
    }
    std::vector<InstId> out;
    std::map<uint32_t, Values> values;  // by decision
    for (InstId id : in) {
      const Inst inst = kernel_[id];
      ir::Builder build(kernel_, out, inst.location);
      if (inst.op == Op::Condition) {
        const auto condition = inst.condition();
        const InstId value = value_of(build, id);
        if (to_come.contains(inst.aux)) {
          values[inst.aux][condition] = value;
        } else {
          ir::Builder nowhere(kernel_, BlockId::None, inst.location);  // declared in the block of the decision
          outside.push_back({inst.aux, condition, nowhere.variable(Type::U1)});
          build.store(outside.back().place, value);
        }
        continue;
      }
      if (inst.op == Op::Decide) {
        to_come.erase(to_come.find(inst.aux));
        decide(build, id, values[inst.aux]);
        values.erase(inst.aux);
        continue;
      }
      for (BlockId inner : inst.blocks) {
        for (const Nested& nested : rewrite(inner)) {
          if (!to_come.contains(nested.decision)) {
            outside.push_back(nested);
            continue;
          }
          out.push_back(nested.place);
          build.store(nested.place, build.constant(Type::U1, 0));  // in case the condition is not reached
          values[nested.decision][nested.condition] = nested.place;
        }
      }
      out.push_back(id);
    }
    kernel_[block] = std::move(out);
    return outside;
  }

  InstId value_of(ir::Builder& build, InstId condition) {
    const Inst inst = kernel_[condition];
    if (inst.operand_count == 0) return constant(build, Type::U1, inst.known_value());
    const InstId value = kernel_.operands_of(inst)[0];
    return build.cast(Type::U1, value);
  }

  void decide(ir::Builder& build, InstId id, const Values& values) {
    const Lowered& decision = lowered_[kernel_[id].aux];
    std::vector<InstId> conditions;
    for (uint32_t i = 0; i < decision.diagram.conditions.size(); ++i) {
      auto found = values.find(i);
      if (found == values.end()) throw std::logic_error("a decision without one of its conditions");
      const InstId value = found->second;
      conditions.push_back(kernel_[value].op == Op::Alloca ? build.load(value) : value);
    }
    if (decision.single) {
      record_singly(build, id, decision, conditions);
      return;
    }
    std::vector<InstId> bits(conditions.size());
    for (size_t i = conditions.size(); i-- > 0;) {
      const syntax::Condition& condition = decision.diagram.conditions[i];
      auto follow = [&](uint32_t next, uint64_t weight) {
        if (next >= conditions.size()) return constant(build, decision.type, uint64_t{1} << weight);
        if (weight == 0) return bits[next];
        return build.binary(ir::BinaryOp::Shl, bits[next], constant(build, decision.type, weight));
      };
      const InstId yes = follow(condition.if_true, decision.weights[i]);
      const InstId no = follow(condition.if_false, 0);
      bits[i] = build.select(conditions[i], yes, no);
    }
    record(build, id, decision.counter, decision.type, bits[0]);
  }

  /// Records each condition by itself: bit 2i says that condition i was false, bit 2i + 1 that it was true. A condition
  /// that Python would not have evaluated sets no bit.
  void record_singly(ir::Builder& build, InstId id, const Lowered& decision, const std::vector<InstId>& conditions) {
    std::vector<InstId> reached(conditions.size(), InstId::None);
    reached[0] = constant(build, Type::U1, 1);
    const InstId never = constant(build, Type::U1, 0);
    auto reach = [&](uint32_t next, InstId when) {
      if (next >= conditions.size()) return;
      reached[next] = reached[next] == InstId::None ? when : build.binary(ir::BinaryOp::BitOr, reached[next], when);
    };
    for (size_t i = 0; i < conditions.size(); ++i) {
      reach(decision.diagram.conditions[i].if_true, build.select(conditions[i], reached[i], never));
      reach(decision.diagram.conditions[i].if_false, build.select(conditions[i], never, reached[i]));
    }
    constexpr size_t kConditionsAWord = kWord / 2;
    for (size_t first = 0; first < conditions.size(); first += kConditionsAWord) {
      const InstId none = constant(build, Type::I64, 0);
      InstId word = none;
      for (size_t i = first; i < std::min(first + kConditionsAWord, conditions.size()); ++i) {
        const uint64_t bit = 2 * (i - first);
        const InstId seen = build.select(conditions[i], constant(build, Type::I64, uint64_t{2} << bit),
                                         constant(build, Type::I64, uint64_t{1} << bit));
        word = build.binary(ir::BinaryOp::BitOr, word, build.select(reached[i], seen, none));
      }
      record(build, id, decision.counter + static_cast<uint32_t>(first / kConditionsAWord), Type::I64, word);
    }
  }

  void record(ir::Builder& build, InstId decide, uint32_t counter, Type type, InstId bits) {
    for (size_t k = 0; k < kernel_[decide].operand_count; ++k) {
      const InstId test = kernel_.operands_of(decide)[k];
      const InstId none = constant(build, type, 0);
      bits = kernel_[decide].outcome(k) ? build.select(test, bits, none) : build.select(test, none, bits);
    }
    build.inst(Op::Record, Type::Void, {bits}, counter);
  }

  static InstId constant(ir::Builder& build, Type type, uint64_t bits) {
    return build.constant(
        type, type == Type::I32 ? static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(bits))) : bits);
  }

  ir::Kernel& kernel_;
  CoverageMap& map_;
  std::vector<Lowered> lowered_;  // by decision
};

}  // namespace

void lower_decisions(ir::Kernel& kernel, CoverageMap& map) { DecisionLowering(kernel, map).run(); }

}  // namespace qd::instrument
