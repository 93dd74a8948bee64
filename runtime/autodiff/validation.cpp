#include "runtime/autodiff/validation.h"

#include <map>
#include <utility>

#include "runtime/ir/builder.h"

namespace qd::autodiff {
namespace {

using ir::BlockId;
using ir::InstId;
using ir::Op;
using ir::Type;

class Validation {
 public:
  explicit Validation(ir::Kernel& kernel) : kernel_(kernel) {}

  OverwriteChecks run() {
    block(kernel_.body);
    for (size_t i = 0; i < kernel_.routines.size(); ++i) block(kernel_.routines[i].body);
    OverwriteChecks added{{}, first_};
    for (const auto& [array, marks] : marks_) added.marks.push_back({array, marks});
    return added;
  }

 private:
  void block(BlockId id) {
    if (id == BlockId::None) return;
    std::vector<InstId> out;
    for (InstId inst : std::vector(kernel_[id])) {
      for (BlockId inner : std::array(kernel_[inst].blocks)) block(inner);
      const Op op = kernel_[inst].op;
      const bool reads = op == Op::Load || op == Op::VolatileLoad;
      const bool writes = op == Op::Store || op == Op::AtomicRmw || op == Op::AtomicCas;
      const InstId place = reads || writes ? kernel_.operands_of(inst)[0] : InstId::None;
      const bool checked = place != InstId::None && kernel_[place].op == Op::ElementPtr &&
                           kernel_.arrays[kernel_[place].aux].gradient != ir::Array::kNone;
      if (checked && writes) assert_unread(inst, place, out);
      out.push_back(inst);
      if (checked && reads) mark(inst, place, out);
    }
    kernel_[id] = std::move(out);
  }

  /// The place of the mark of a number.
  InstId mark_of(InstId place, ir::Builder& build) {
    const uint32_t array = kernel_[place].aux;
    if (marks_.empty()) {
      first_ = static_cast<uint32_t>(kernel_.params.size());
      kernel_.params.push_back({"first read", Type::I32});
    }
    const auto [known, fresh] = marks_.try_emplace(array, static_cast<uint32_t>(kernel_.arrays.size()));
    if (fresh) {
      ir::Array marks;
      marks.name = kernel_.arrays[array].name + ".reads";
      marks.type = Type::I32;
      marks.rank = kernel_.arrays[array].rank;
      marks.layout.components = kernel_.arrays[array].layout.components;
      kernel_.arrays.push_back(std::move(marks));
    }
    const auto operands = kernel_.operands_of(place);
    return build.inst(Op::ElementPtr, Type::I32, std::vector(operands.begin(), operands.end()), known->second);
  }

  void mark(InstId read, InstId place, std::vector<InstId>& out) {
    const uint32_t location = kernel_[read].location;
    ir::Builder build(kernel_, out, location);
    const InstId mark = mark_of(place, build);
    const InstId first = build.inst(Op::Arg, Type::I32, {}, first_);
    build.store(mark, build.binary(ir::BinaryOp::Add, first, build.constant(Type::I32, location)));
  }

  void assert_unread(InstId write, InstId place, std::vector<InstId>& out) {
    ir::Builder build(kernel_, out, kernel_[write].location);
    const InstId mark = build.load(mark_of(place, build));
    std::vector<InstId> operands{build.compare(ir::CompareOp::Eq, mark, build.constant(Type::I32, 0))};
    const ir::Array array = kernel_.arrays[kernel_[place].aux];
    const auto indices = kernel_.operands_of(place).first(static_cast<size_t>(array.rank));
    operands.insert(operands.end(), indices.begin(), indices.end());
    operands.push_back(mark);
    ir::Format text;
    text.kind = ir::Format::Kind::Overwrite;
    std::string piece =
        "Breaks the global data access rule: " + (array.name.empty() ? "a field's element " : array.name) +
        (indices.empty() ? "[None" : "[");
    for (InstId index : indices) {
      text.pieces.push_back(std::exchange(piece, ", "));
      text.types.push_back(kernel_[index].type);
    }
    if (!indices.empty()) piece.clear();
    text.pieces.push_back(piece +
                          "] is overwritten here, and was read before, so that the gradient of this read would be "
                          "that of another number: write to another element");
    text.pieces.emplace_back();
    text.types.push_back(Type::I32);
    text.specs.resize(text.types.size());
    const auto format = static_cast<uint32_t>(kernel_.formats.size());
    kernel_.formats.push_back(std::move(text));
    build.inst(Op::Assert, Type::Void, operands, format);
  }

  ir::Kernel& kernel_;
  std::map<uint32_t, uint32_t> marks_;  // by array, into Kernel::arrays
  uint32_t first_ = 0;                  // into Kernel::params
};

}  // namespace

OverwriteChecks check_overwrites(ir::Kernel& kernel) { return Validation(kernel).run(); }

}  // namespace qd::autodiff
