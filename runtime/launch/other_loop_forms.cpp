#include "runtime/launch/other_loop_forms.h"

#include <utility>

#include "runtime/codegen/compile_guard.h"
#include "runtime/launch/code_cache.h"

namespace qd {
namespace {

codegen::Options of_other_forms(codegen::Options options) {
  options.other_forms = true;
  return options;
}

}  // namespace

OtherLoopForms::OtherLoopForms(ir::Kernel kernel, const codegen::Options& options, const codegen::Target& target,
                               std::shared_ptr<device::Executable> executable, std::shared_ptr<CodeCache> cache)
    : kernel_(std::move(kernel)),
      options_(of_other_forms(options)),
      target_(target),
      executable_(std::move(executable)),
      cache_(std::move(cache)) {}

void OtherLoopForms::ask() {
  if (!asked_.exchange(true)) run_in_background(weak_from_this());
}

void OtherLoopForms::run() {
  try {
    executable_->add_other_forms(cache_ ? cache_->compile(target_, kernel_, options_)
                                        : target_.compile(kernel_, options_));
  } catch (const codegen::GivenUp&) {
    dropped();
  } catch (const std::exception&) {
    // The first forms do the same.
  }
}

void OtherLoopForms::dropped() {
  executable_->without_other_forms();
  asked_.store(false);
}

}  // namespace qd
