// This computer as a codegen::Target: calls the functions of compile.h.
#include "runtime/codegen/cpu/host_target.h"

#include "runtime/codegen/cpu/compile.h"
#include "runtime/codegen/cpu/loop_forms.h"

namespace qd::codegen {
namespace {

class HostTarget : public Target {
 public:
  const std::string& compiler() const override { return version(); }
  const std::string& processor() const override { return host_cpu(); }
  const passes::Plan& plan() const override { return passes::kCpuPlan; }
  Binary compile(const ir::Kernel& kernel, const Options& options) const override {
    return codegen::compile(kernel, options);
  }
  std::vector<std::string> loop_forms(const ir::Kernel& kernel, std::span<const MeasuredForm> measured) const override {
    return codegen::loop_forms(kernel, measured);
  }
};

}  // namespace

const Target& host_target() {
  static const HostTarget target;
  return target;
}

}  // namespace qd::codegen
