// Adds loops over threads to the list of a block's code.
#include "runtime/passes/thread_loops.h"

namespace qd::passes {

using ir::BlockId;
using ir::Builder;
using ir::InstId;
using ir::Op;
using ir::Type;

ThreadLoops::ThreadLoops(ir::Kernel& kernel, int32_t block_dim, std::vector<InstId>& head)
    : kernel_(kernel), block_dim_(block_dim), head_(head), row_(static_cast<uint32_t>(kernel.loops.size())) {
  kernel.loops.push_back({.parallel = false, .block_dim = 0, .name = {}});
}

BlockId ThreadLoops::nested(const std::function<void()>& make) {
  std::vector<InstId> list;
  std::vector<InstId>* outer = std::exchange(level_, &list);
  make();
  level_ = outer;
  const BlockId block = kernel_.add_block();
  kernel_[block] = std::move(list);
  return block;
}

InstId ThreadLoops::loop_over_threads() {
  if (zero_ == InstId::None) {
    zero_ = at_head().constant(Type::I32, 0);
    if (threads_ == InstId::None) threads_ = at_head().constant(Type::I32, static_cast<uint64_t>(block_dim_));
  }
  return Builder(kernel_, BlockId::None, location).inst(Op::For, Type::Void, {zero_, threads_}, row_);
}

void ThreadLoops::each(const Body& body) {
  const InstId loop = loop_over_threads();
  const BlockId block = nested([&] {
    Builder build = at_level();
    const InstId thread = build.inst(Op::LoopIndex, Type::I32, {}, static_cast<uint32_t>(loop));
    body(build, thread);
  });
  kernel_[loop].blocks[0] = block;
  level_->push_back(loop);
}

void ThreadLoops::open(bool guarded) {
  if (is_open()) return;
  loop_ = loop_over_threads();
  thread_ = Builder(kernel_, BlockId::None, location).inst(Op::LoopIndex, Type::I32, {}, static_cast<uint32_t>(loop_));
  guarded_ = guarded;
}

void ThreadLoops::close() {
  if (!is_open()) return;
  std::vector<InstId> inside = std::move(front_);
  inside.insert(inside.end(), insts_.begin(), insts_.end());
  if (!inside.empty()) {
    const BlockId body = nested([&] {
      level_->push_back(thread_);
      if (!guarded_) return void(level_->insert(level_->end(), inside.begin(), inside.end()));
      Builder build = at_level();
      const InstId left = build.load(element(build, kernel_, off(), thread_));
      const InstId runs = build.compare(ir::CompareOp::Eq, left, build.constant(Type::I32, 0));
      const InstId branch = build.inst(Op::If, Type::Void, {runs});
      const BlockId yes = kernel_.add_block();
      kernel_[yes] = inside;
      const BlockId no = kernel_.add_block();
      kernel_[branch].blocks = {yes, no};
    });
    kernel_[loop_].blocks[0] = body;
    level_->push_back(loop_);
  }
  loop_ = thread_ = InstId::None;
  front_.clear();
  insts_.clear();
  copies_.clear();
}

InstId ThreadLoops::copy(InstId id, const std::function<InstId()>& make) {
  if (auto found = copies_.find(id); found != copies_.end()) return found->second;
  const InstId made = make();
  return copies_[id] = made;
}

InstId ThreadLoops::array(Type type, uint64_t a_thread) {
  return at_head().variable(type, static_cast<uint64_t>(block_dim_) * a_thread);
}

InstId ThreadLoops::element(Builder& build, ir::Kernel& kernel, InstId array, InstId index) {
  return build.inst(Op::LocalPtr, kernel[array].type, {array, index});
}

InstId ThreadLoops::off() {
  if (off_ == InstId::None) off_ = array(Type::I32);
  return off_;
}

}  // namespace qd::passes
