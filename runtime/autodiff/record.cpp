#include "runtime/autodiff/record.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "runtime/autodiff/common_values.h"
#include "runtime/autodiff/reverse.h"
#include "runtime/ir/walk.h"

namespace qd::autodiff {

using ir::BlockId;
using ir::Inst;
using ir::InstId;
using ir::Op;
using ir::Type;

namespace {

/// Adds an array of the shape of another one.
uint32_t add_array(ir::Kernel& kernel, uint32_t of) {
  ir::Array record;
  record.name = kernel.arrays[of].name + ".record";
  record.type = kernel.arrays[of].type;
  record.rank = kernel.arrays[of].rank;
  record.layout.components = kernel.arrays[of].layout.components;
  kernel.arrays.push_back(std::move(record));
  return static_cast<uint32_t>(kernel.arrays.size() - 1);
}

/// Whether two places of an array have different constants for an index, or for the component.
bool have_other_constants(const ir::Kernel& kernel, InstId a, InstId b) {
  const auto m = kernel.operands_of(a), n = kernel.operands_of(b);
  for (size_t i = 0; i < m.size(); ++i) {
    if (kernel[m[i]].op == Op::Const && kernel[n[i]].op == Op::Const && kernel[m[i]].imm != kernel[n[i]].imm)
      return true;
  }
  return false;
}

/// Whether a kernel has reads and writes of one array.
bool reads_what_it_writes(const ir::Kernel& kernel) {
  std::set<uint32_t> read, written;
  walk(kernel, [&](InstId id) {
    const Inst& inst = kernel[id];
    if (!ir::accesses_memory(inst.op)) return;
    const Inst& place = kernel[kernel.operands_of(id)[0]];
    if (place.op != Op::ElementPtr) return;
    (ir::has_effect(inst.op, ir::kWrites) ? written : read).insert(place.aux);
  });
  return std::ranges::any_of(written, [&](uint32_t array) { return read.contains(array); });
}

class Recorder {
 public:
  Recorder(ir::Kernel& kernel, const std::vector<RecordedRead>& reads) : kernel_(kernel), build_(kernel) {
    for (const RecordedRead& read : reads) {
      reads_[read.origin.read].push_back(read);
      if (read.origin.loop != InstId::None) firsts_[read.origin.loop].push_back(read.origin.read);
    }
  }

  void run() { block(kernel_.body); }

 private:
  void block(BlockId id) {
    if (id == BlockId::None) return;
    for (InstId inst : std::exchange(kernel_[id], {})) {
      build_.set_block(id);
      build_.set_location(kernel_[inst].location);
      if (const auto found = firsts_.find(inst); found != firsts_.end()) {
        for (InstId read : found->second) seen_[read] = flag();
      }
      kernel_[id].push_back(inst);
      for (BlockId inner : std::array(kernel_[inst].blocks)) block(inner);
      build_.set_block(id);
      const auto found = reads_.find(inst);
      if (found == reads_.end()) continue;
      for (const RecordedRead& read : found->second) record(read);
    }
  }

  InstId flag() {
    const InstId variable = build_.variable(Type::U1);
    build_.store(variable, build_.constant(Type::U1, 0));
    return variable;
  }

  void record(const RecordedRead& read) {
    const InstId id = read.origin.read;
    ir::Builder::Scope scope(build_);
    if (read.origin.loop != InstId::None) {
      const InstId seen = build_.load(seen_.at(id));
      const InstId first = build_.inst(Op::If, Type::Void, {build_.unary(ir::UnaryOp::LogicalNot, seen)});
      const BlockId yes = kernel_.add_block(), no = kernel_.add_block();
      kernel_[first].blocks = {yes, no};
      build_.set_block(yes);
      build_.store(seen_.at(id), build_.constant(Type::U1, 1));
    }
    Inst place = kernel_[kernel_.operands_of(id)[0]];
    const auto args = kernel_.operands_of(place);
    const std::vector<InstId> operands(args.begin(), args.end());
    place.aux = read.record;
    build_.store(build_.like(place, operands), id);
  }

  ir::Kernel& kernel_;
  ir::Builder build_;
  std::map<InstId, std::vector<RecordedRead>> reads_;
  std::map<InstId, std::vector<InstId>> firsts_;  // by loop: the reads in it of which only the first is recorded
  std::map<InstId, InstId> seen_;                 // by read: a variable
};

}  // namespace

Record::Record(const Primal& primal, bool read)
    : primal_(primal),
      kernel_(primal.kernel()),
      read_(read),
      first_(static_cast<uint32_t>(primal.kernel().arrays.size())) {
  const std::vector<InstId> writes = primal.writes();
  for (size_t n = 0; n < primal.insts(); ++n) {
    const InstId id = static_cast<InstId>(n);
    if (primal.block_of(id) == BlockId::None) continue;
    if (const auto found = primal.first_reads().find(id); found != primal.first_reads().end()) {
      add(id, found->second);
    } else if (kernel_[id].op == Op::Load && kernel_[place_of(id)].op == Op::ElementPtr &&
               std::ranges::any_of(writes, [&](InstId write) {
                 if (kernel_[place_of(write)].aux != kernel_[place_of(id)].aux) return false;
                 return primal.overwrites(write, id) || (read && primal.may_overwrite(write, id));
               })) {
      add(id, {id, InstId::None});
    }
  }
}

/// Adds a read that can be recorded, to an array of the record where no other read has the same place.
void Record::add(InstId id, FirstRead origin) {
  if (!is_read_once(id) || primal_.may_be_shared(id)) return;
  const InstId place = place_of(id);
  const uint32_t array = kernel_[place].aux;
  size_t number = 0;
  auto fits = [&](const std::vector<InstId>& others) {
    return std::ranges::all_of(others, [&](InstId other) {
      return kernel_[other].aux == array && have_other_constants(kernel_, other, place);
    });
  };
  while (number < places_.size() && !fits(places_[number])) ++number;
  if (number == places_.size()) {
    places_.emplace_back();
    if (read_) add_array(kernel_, array);
  }
  places_[number].push_back(place);
  const auto at = static_cast<uint32_t>(number);
  reads_[id] = {origin, array, first_ + at, at};
}

/// Whether each serial loop around has its own element in each iteration, or does not write to the array.
bool Record::is_read_once(InstId id) const {
  const auto operands = kernel_.operands_of(place_of(id));
  for (BlockId block = primal_.block_of(id); !primal_.is_root(block);) {
    const InstId around = primal_[block].around;
    const bool varies = std::ranges::any_of(operands, [&](InstId operand) {
      const InstId base = offset_of(kernel_, operand).base;
      return base != InstId::None && kernel_[base].op == Op::LoopIndex && kernel_[base].aux_inst() == around;
    });
    const bool one_axis = kernel_.operands_of(around).size() == 2;
    if (is_loop(kernel_[around]) && !(varies && one_axis) && writes_in(around, kernel_[place_of(id)].aux)) return false;
    block = primal_.block_of(around);
  }
  return true;
}

bool Record::writes_in(InstId loop, uint32_t array) const {
  bool found = false;
  walk(kernel_, loop, [&](InstId inst) {
    if (!ir::has_effect(kernel_[inst].op, ir::kWrites) || !ir::accesses_memory(kernel_[inst].op)) return;
    const Inst& place = kernel_[place_of(inst)];
    found |= place.op == Op::ElementPtr && place.aux == array;
  });
  return found;
}

InstId Record::load(InstId id, InstId place, ir::Builder& build) {
  Inst there = kernel_[place];
  const auto args = kernel_.operands_of(place);
  const std::vector<InstId> operands(args.begin(), args.end());
  there.aux = reads_.at(id).record;
  const InstId made = build.load(build.like(there, operands));
  loads_[made] = id;
  return made;
}

std::vector<RecordedRead> Record::finish() {
  if (!read_) return {};
  std::map<InstId, RecordedRead> used;
  walk(kernel_, kernel_.body, [&](InstId id) {
    if (const auto found = loads_.find(id); found != loads_.end()) used[found->second] = reads_.at(found->second);
  });
  std::vector<uint32_t> places(kernel_.arrays.size());  // by place before
  std::vector<ir::Array> arrays;
  for (uint32_t at = 0; at < places.size(); ++at) {
    const bool in_use = at < first_ || at >= first_ + places_.size() ||
                        std::ranges::any_of(used, [&](const auto& each) { return each.second.record == at; });
    places[at] = static_cast<uint32_t>(arrays.size());
    if (in_use) arrays.push_back(std::move(kernel_.arrays[at]));
  }
  kernel_.arrays = std::move(arrays);
  walk(kernel_, kernel_.body, [&](InstId id) {
    if (row(kernel_[id].op).aux == ir::Aux::Array) kernel_[id].aux = places[kernel_[id].aux];
  });
  std::vector<RecordedRead> list;
  for (auto& [id, read] : used) {
    read.record = places[read.record];
    list.push_back(read);
  }
  return list;
}

std::vector<ElementRecord> records_of(const std::vector<RecordedRead>& reads) {
  std::map<uint32_t, ElementRecord> records;
  for (const RecordedRead& read : reads) records[read.number] = {read.array, read.record, read.number};
  std::vector<ElementRecord> list;
  for (const auto& [number, record] : records) list.push_back(record);
  return list;
}

std::vector<ElementRecord> record_elements(ir::Kernel& kernel, Options options) {
  if (!reads_what_it_writes(kernel)) return {};
  std::vector<RecordedRead> reads;
  try {
    ir::Kernel gradient = kernel;
    options.probes = false;
    reads = reverse(gradient, options, true);
  } catch (const NoDerivative&) {
    return {};  // the error is that of the gradient, if it is wanted
  }
  if (reads.empty()) return {};
  inline_calls(kernel);
  std::map<uint32_t, uint32_t> arrays;  // by number
  for (RecordedRead& read : reads) {
    const auto [found, fresh] = arrays.try_emplace(read.number);
    if (fresh) found->second = add_array(kernel, read.array);
    read.record = found->second;
  }
  Recorder(kernel, reads).run();
  return records_of(reads);
}

}  // namespace qd::autodiff
