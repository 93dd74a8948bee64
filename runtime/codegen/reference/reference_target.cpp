// Code of the reference target: the kernel in packed form (ir/pack.h), as the offline cache keeps it.
#include "runtime/codegen/reference/reference_target.h"

#include <optional>
#include <stdexcept>

#include "runtime/build/build_id.h"
#include "runtime/ir/pack.h"

namespace qd::codegen {
namespace {

class ReferenceTarget : public Target {
 public:
  const std::string& compiler() const override {
    static const std::string text = "reference " + build_id_of(reinterpret_cast<const void*>(&reference_target));
    return text;
  }
  const std::string& processor() const override {
    static const std::string text = "interpreter";
    return text;
  }
  const passes::Plan& plan() const override {
    static constexpr passes::Plan plan{.chunks = false, .costs = false, .counts = passes::LaunchCounts::Device};
    return plan;
  }
  Binary compile(const ir::Kernel& kernel, const Options& options) const override {
    Binary binary;
    binary.code = ir::pack(kernel);
    for (size_t i = 0; i < kernel.tasks.size(); ++i) binary.symbols.push_back("task." + std::to_string(i));
    if (options.assembly) binary.assembly = ir::print(kernel);
    return binary;
  }
};

}  // namespace

const Target& reference_target() {
  static const ReferenceTarget target;
  return target;
}

ir::Kernel kernel_of(const Binary& binary) {
  std::optional<ir::Kernel> kernel = ir::unpack(binary.code);
  if (!kernel) throw std::runtime_error("cannot load code for the reference device: it holds no kernel");
  return *std::move(kernel);
}

}  // namespace qd::codegen
