// Probes change nothing but themselves: the kernel with its probes taken out is the kernel that never had any.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "instrument/lower_probes.h"
#include "runtime/ir/kernel.h"
#include "runtime/passes/pipeline.h"
#include "tests/unit/frontend/source.h"

namespace qd::frontend {
namespace {

void strip(ir::Kernel& kernel) {
  for (ir::Inst& inst : kernel.insts) {
    if (inst.op == ir::Op::For) inst.blocks[1] = ir::BlockId::None;
  }
  for (auto& block : kernel.blocks) {
    std::erase_if(block, [&](ir::InstId id) { return ir::only_observes(kernel[id].op); });
  }
  kernel.variants.clear();
  kernel.probes.clear();
  kernel.decisions.clear();
}

/// The text with values numbered in the order in which they appear.
std::string renumbered(const std::string& text) {
  std::string out;
  std::map<std::string, size_t> numbers;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    size_t end = text.find_first_not_of("0123456789", i + 1);
    auto [it, fresh] = numbers.try_emplace(text.substr(i, end - i), numbers.size());
    out += '%';
    out += std::to_string(it->second);
    i = end - 1;
  }
  return out;
}

int64_t times(const ir::Kernel& kernel, ir::Op op) {
  int64_t count = 0;
  for (const auto& block : kernel.blocks)
    count += std::ranges::count_if(block, [&](ir::InstId id) { return kernel[id].op == op; });
  return count;
}

/// With its probes lowered to counters, a kernel has the tasks of the kernel without any: no more, none split,
/// nothing else handed from one to the next.
void expect_same_tasks(ir::Kernel off, ir::Kernel on) {
  passes::run(off);
  passes::PassOptions options;
  options.lower_probes = [](ir::Kernel& kernel) { instrument::lower_probes(kernel); };
  passes::run(on, options);
  ASSERT_EQ(off.tasks.size(), on.tasks.size());
  // No store, no atomic, no check more: counts stay in registers until the end of a chunk.
  for (ir::Op op : {ir::Op::Store, ir::Op::AtomicRmw, ir::Op::AtomicCas, ir::Op::Assert})
    EXPECT_EQ(times(off, op), times(on, op)) << ir::name(op);
  EXPECT_EQ(off.global_temps, on.global_temps);
  for (size_t i = 0; i < off.tasks.size(); ++i) {
    const ir::Task &a = off.tasks[i], &b = on.tasks[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.block_dim, b.block_dim);
    ASSERT_EQ(a.bounds.size(), b.bounds.size());
    for (size_t k = 0; k < a.bounds.size(); ++k) {
      EXPECT_EQ(a.bounds[k].kind, b.bounds[k].kind);
      EXPECT_EQ(a.bounds[k].value, b.bounds[k].value);
      EXPECT_EQ(a.bounds[k].axis, b.bounds[k].axis);
    }
  }
}

ArgumentType stand_in(const Parameter& parameter) {
  if (parameter.kind == Parameter::Kind::Scalar) return *parameter.type;
  if (parameter.kind == Parameter::Kind::Array)
    return ArrayType{parameter.type.value_or(ir::Type::F32), parameter.rank.value_or(1)};
  if (parameter.name.starts_with("field")) return Value(HostField{7, ir::Type::F32, {8, 4}, parameter.name});
  if (parameter.name.starts_with("none")) return Value(None{});
  return Value(int64_t{3});
}

TEST(ProbeNeutrality, EveryGoldenKernel) {
  int kernels = 0;
  size_t decisions = 0;
  for (const char* folder : {"lower", "probes"}) {
    for (const auto& entry : std::filesystem::directory_iterator(std::string(QD_SOURCE_DIR) + "/tests/ir/" + folder)) {
      if (entry.path().extension() != ".py") continue;
      std::ifstream file(entry.path());
      Source source(std::string{std::istreambuf_iterator<char>(file), {}});
      for (const syntax::Stmt* stmt : source.module->body) {
        auto* def = std::get_if<syntax::FunctionDef>(&stmt->node);
        auto value = def ? source.environment->lookup(def->name) : std::nullopt;
        auto* object = value ? std::get_if<HostObject>(&*value) : nullptr;
        if (!object || !object->description.starts_with("kernel")) continue;
        SCOPED_TRACE(entry.path().string() + ": " + std::string(def->name));
        for (bool debug : {false, true}) {
          Options options;
          options.debug = debug;
          options.graph = decorated_with(source.function(def->name), "graph");
          options.checkpoints = decorated_with(source.function(def->name), "checkpoints");
          std::vector<ArgumentType> arguments;
          for (const Parameter& p : signature(source.function(def->name), *source.environment, options).parameters) {
            arguments.push_back(stand_in(p));
          }
          ir::Kernel off = source.lower(def->name, arguments, options);
          options.instruments = ir::instruments(ir::Instrument::Arcs);
          ir::Kernel on = source.lower(def->name, arguments, options);
          EXPECT_TRUE(off.probes.empty());
          EXPECT_FALSE(on.probes.empty());
          EXPECT_TRUE(on.decisions.empty());
          expect_same_tasks(off, on);
          strip(on);
          EXPECT_EQ(renumbered(ir::print(off)), renumbered(ir::print(on)));
          options.instruments |= ir::instruments(ir::Instrument::Conditions);
          ir::Kernel with_conditions = source.lower(def->name, arguments, options);
          decisions += with_conditions.decisions.size();
          strip(with_conditions);
          EXPECT_EQ(renumbered(ir::print(off)), renumbered(ir::print(with_conditions)));
          ++kernels;
        }
      }
    }
  }
  EXPECT_GT(kernels, 4);
  EXPECT_GT(decisions, 20u);
}

}  // namespace
}  // namespace qd::frontend
